import { articulated, controlSchedule, Gravity, Link, schedule } from '@gradsim/articulated';
import type { Device, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { addActuators, addRobot, readMjcf } from '@gradsim/robots';
import { ARM, DRIVES, GRAVITY, JOINTS, KINDS, TIMELINE, TRUTH } from './arm.ts';
import type { Residuals } from './gauss-newton.ts';

/** Tangents of a world. The columns of a Jacobian are those of four worlds, since so many are computed at once by SIMD. */
const TANGENTS = 5;

const FIELDS = KINDS.map((kind) => Link[kind]);

/** Runs of the arm by gradsim. */
export interface GradsimArm {
  /** Joint angles by frame, rad: [frame][joint]. */
  run(values: readonly number[]): Promise<Float64Array>;
  /** Residuals of the logarithms of the unknowns, and exact derivatives: all tangents of one run. */
  residuals(measured: Float64Array): Residuals;
  dispose(): void;
}

export async function gradsimArm(device: Device): Promise<GradsimArm> {
  const robot = await readMjcf(ARM);
  const scene = createScene([articulated(), controlSchedule({ variesBy: 'frame' })]);
  scene.add(Gravity, { acceleration: [...GRAVITY] });
  addActuators(scene, robot, addRobot(scene, robot));
  const model = buildModel(scene);
  const known = { device, ...TIMELINE, record: [Link.coordinate] };
  const worlds = TRUTH.length / TANGENTS;
  const plain = await createSimulation(model, known);
  const derived = await createSimulation(model, {
    ...known,
    worlds,
    derivative: 'tangent',
    tangents: TANGENTS,
    parameters: FIELDS,
  });
  for (const simulation of [plain, derived]) simulation.set(schedule, drivesOf(simulation.worlds));
  const run = async (values: readonly number[]): Promise<Float64Array> => {
    write(plain, values);
    plain.forward();
    return plain.readFrames(Link.coordinate);
  };
  return {
    run,
    residuals: (measured) => ({
      residuals: async (unknowns) => (await run(unknowns.map(Math.exp))).map((angle, k) => angle - measured[k]),
      withJacobian: async (unknowns) => {
        const values = unknowns.map(Math.exp);
        write(derived, values);
        values.forEach((value, k) => {
          // The derivative with respect to a logarithm.
          FIELDS.forEach((field, kind) => {
            const direction = new Array<number>(JOINTS).fill(0);
            if (kind === k % KINDS.length) direction[Math.floor(k / KINDS.length)] = value;
            derived.setTangent(field, direction, Math.floor(k / TANGENTS), k % TANGENTS);
          });
        });
        derived.forward();
        const angles = await derived.readFrames(Link.coordinate);
        const residuals = ofWorld(angles, 0, worlds).map((angle, k) => angle - measured[k]);
        const tangents: Float64Array[] = [];
        for (let t = 0; t < TANGENTS; t++) tangents.push(await derived.readTangentFrames(Link.coordinate, t));
        const columns = values.map((_, k) => ofWorld(tangents[k % TANGENTS], Math.floor(k / TANGENTS), worlds));
        return { residuals, columns };
      },
    }),
    dispose: () => {
      plain.dispose();
      derived.dispose();
    },
  };
}

/** Writes the unknowns, which are given joint by joint, into the fields of all worlds. */
function write(simulation: Simulation, values: readonly number[]): void {
  FIELDS.forEach((field, kind) => {
    const own = Array.from({ length: JOINTS }, (_, k) => values[KINDS.length * k + kind]);
    for (let world = 0; world < simulation.worlds; world++) simulation.set(field, own, world);
  });
}

const drivesOf = (worlds: number): number[] =>
  DRIVES.flatMap((frame) => Array.from({ length: worlds }, () => frame).flat());

/** The values of a world from [frame][world][joint]. */
function ofWorld(values: Float64Array, world: number, worlds: number): Float64Array {
  const own = new Float64Array(values.length / worlds);
  for (let f = 0; f < own.length / JOINTS; f++) {
    const first = (f * worlds + world) * JOINTS;
    own.set(values.subarray(first, first + JOINTS), f * JOINTS);
  }
  return own;
}
