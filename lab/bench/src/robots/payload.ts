import type { Arm } from './arm.ts';
import { drive } from './arm.ts';
import { type Draw, drawArm, drawReference, logOf } from './draw.ts';
import { calibrate, type RobotAnswer } from './trial.ts';

/** A point on the lower link, at a distance from its joint. */
interface Load {
  readonly mass: number;
  readonly distance: number;
}

/** The arm with a load on its lower link. */
function armWithPayload(arm: Arm, { mass, distance }: Load): Arm {
  const all = arm.mass[1] + mass;
  const centre = (arm.mass[1] * arm.centre[1] + mass * distance) / all;
  const inertia = arm.inertia[1] + arm.mass[1] * (arm.centre[1] - centre) ** 2 + mass * (distance - centre) ** 2;
  return { ...arm, mass: [arm.mass[0], all], centre: [arm.centre[0], centre], inertia: [arm.inertia[0], inertia] };
}

const SECONDS = 16;
/** Inertia that keeps a joint where it is, kg m^2. */
const BRAKE = 1e9;

/** Gains of currents over torques, and what `gradsim new robot` finds from logs without and with a payload. */
export interface PayloadTrial {
  readonly gains: readonly [number, number];
  readonly told: RobotAnswer;
}

/**
 * Draws an arm whose currents are logged, of any size and sign, without and with a load. `isOneByOne`: in the fitted logs
 * one joint moves at a time, while the other stands still.
 */
export async function payloadTrial(draw: Draw, isOneByOne: boolean): Promise<PayloadTrial> {
  const arm = drawArm(draw, {});
  const gains = [draw(0.2, 2) * (draw(0, 1) < 0.5 ? -1 : 1), draw(0.5, 4)] as const;
  const load = { mass: draw(0.3, 0.8), distance: draw(0.2, 0.3) };
  const log = (of: Arm, moving?: number): string => {
    const reference = drawReference(draw);
    const hold = [draw(0.3, 0.8), draw(0.3, 0.8)];
    const at = (t: number): readonly [number, number] => {
      const q = reference(t);
      return moving === undefined ? q : moving === 0 ? [q[0], hold[1]] : [hold[0], q[1]];
    };
    // A brake holds a joint that is not to move.
    const armature = of.armature.map((x, j) => (moving === undefined || moving === j ? x : BRAKE)) as [number, number];
    const motion = drive({ ...of, armature }, at, SECONDS);
    const currents = motion.torques.map((own, j) => own.map((x) => gains[j] * x));
    return logOf({ ...motion, torques: currents }, draw, 0, 0).replaceAll('tau_', 'current_');
  };
  const logs = (of: Arm): string[] => (isOneByOne ? [log(of, 0), log(of, 1)] : [log(of)]);
  const told = await calibrate(arm, logs(arm), {
    heldOut: log(arm),
    withPayload: logs(armWithPayload(arm, load)),
    settings: ['torqueGain=unknown', `payload=${load.mass}`, `payloadCentre=0,0,${-load.distance}`],
  });
  return { gains, told };
}
