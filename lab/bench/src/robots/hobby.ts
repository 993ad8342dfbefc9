import type { Arm, Reference, Servo } from './arm.ts';
import { drive, ratesOf } from './arm.ts';
import type { Draw } from './draw.ts';
import { calibrate, parametersOf, type RobotAnswer } from './trial.ts';

/** Steps of an encoder of 12 bits, rad, as servos of hobby arms have. */
const ENCODER = (2 * Math.PI) / 2 ** 12;
/** Samples of the arm for one that is logged, 100 a second. */
const SUBSTEPS_PER_SAMPLE = 5;
const SECONDS = 40;

/** A hobby arm: its servos, its links, whose masses are known, and what `gradsim new robot` finds. */
export interface HobbyTrial {
  readonly arm: Arm;
  readonly servo: Servo;
  readonly told: RobotAnswer;
}

/**
 * Draws an arm with two servos that are told positions, and of which commands and positions are logged. Links are known, as from
 * drawings; friction, armature, gains and delay are not.
 * @param of what is commanded. By velocities the arm hangs where gravity has it, and moves about that.
 */
export async function hobbyTrial(draw: Draw, of: 'position' | 'velocity' = 'position'): Promise<HobbyTrial> {
  const arm: Arm = {
    mass: [draw(0.15, 0.25), draw(0.1, 0.2)],
    centre: [draw(0.15, 0.25), draw(0.1, 0.2)],
    inertia: [draw(0.001, 0.002), draw(0.0005, 0.001)],
    armature: [draw(0.01, 0.02), draw(0.005, 0.01)],
    viscous: [draw(0.03, 0.08), draw(0.02, 0.05)],
    dry: [draw(0.04, 0.1), draw(0.03, 0.06)],
    length: 0.4,
    physics: {},
  };
  const isOfRates = of === 'velocity';
  const servo: Servo = {
    kp: isOfRates ? [0, 0] : [draw(8, 15), draw(4, 8)],
    kd: isOfRates ? [draw(1, 2), draw(0.5, 1)] : [draw(0.2, 0.5), draw(0.1, 0.25)],
    limit: [3, 1.5],
    delay: draw(0.004, 0.02),
    ...(isOfRates && { feedback: 'velocity' }),
  };
  const log = (): string => {
    const reference = drawUnrepeated(draw);
    const { time, positions } = drive(arm, reference, SECONDS, servo);
    const rows = time.flatMap((t, s) => {
      if (s % SUBSTEPS_PER_SAMPLE !== 0) return [];
      const asked = isOfRates ? ratesOf(reference, t) : reference(t);
      const measured = positions.map((own) => ENCODER * Math.round(own[s] / ENCODER));
      return [[t.toFixed(3), ...measured.map((x) => x.toFixed(6)), ...asked.map((x) => x.toFixed(6))].join(',')];
    });
    const head = [1, 2].map((j) => `target_${isOfRates ? 'vel' : 'pos'}_j${j}`);
    return [['time', 'pos_j1', 'pos_j2', ...head].join(','), ...rows].join('\n');
  };
  const own = parametersOf(arm);
  const known = new Map([
    ...own,
    ...[0, 1].map((j): [string, number] => [`damping and derivative gain of j${j + 1}`, arm.viscous[j] + servo.kd[j]]),
  ]);
  const told = await calibrate(arm, [log()], {
    heldOut: log(),
    settings: ['torqueGain=unknown', 'torqueBand=2.5', 'motionBand=8'],
    model: modelOf(arm),
    known,
  });
  return { arm, servo, told };
}

/** A reference that does not repeat: encoders of few steps make the same errors in each period of one that does. */
function drawUnrepeated(draw: Draw): Reference {
  const series = [0, 1].map(() =>
    Array.from({ length: 8 }, () => {
      const frequency = draw(0.08, 1);
      return { size: (0.12 * draw(0.5, 1)) / frequency ** 0.8, rate: 2 * Math.PI * frequency, phase: draw(0, 6.28) };
    }),
  );
  const at = (j: number, t: number): number =>
    series[j].reduce((sum, { size, rate, phase }) => sum + size * Math.sin(rate * t + phase), 0);
  return (t) => [at(0, t), at(1, t)];
}

const modelOf = ({ mass, centre, inertia, length }: Arm): string => {
  const link = (name: string, j: 0 | 1): string =>
    `<link name="${name}"><inertial><origin xyz="0 0 ${-centre[j]}"/><mass value="${mass[j]}"/><inertia ixx="${inertia[j]}" iyy="${inertia[j]}" izz="${inertia[j] / 4}"/></inertial></link>`;
  return `<robot name="hobby"><link name="base"/>${link('upper', 0)}${link('lower', 1)}
<joint name="j1" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
<joint name="j2" type="continuous"><parent link="upper"/><child link="lower"/><origin xyz="0 0 ${-length}"/><axis xyz="0 1 0"/></joint></robot>`;
};
