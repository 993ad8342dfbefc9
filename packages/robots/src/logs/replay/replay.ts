import { Actuator, articulated, controlSchedule, Gravity, Link, schedule } from '@gradsim/articulated';
import type { Vector } from '@gradsim/base';
import type { Simulation } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { addRobot } from '../../add-robot.ts';
import { onlyGiven } from '../../passive.ts';
import type { Robot } from '../../robot.ts';
import { resampledSmoothly } from '../recording/low-pass.ts';
import { parametersOfPayload } from '../recording/payload.ts';
import type { Recording } from '../recording/recording.ts';
import { JOINT_PARAMETERS, LINK_PARAMETERS } from '../regressor.ts';
import { bodyOf } from './body.ts';
import { controlsOf, drivesOf } from './drive.ts';
import type { RecordingPiece } from './pieces.ts';
import { type States, statesOf } from './states.ts';

/**
 * Longest substep, s; and where a servo's force has limits, since its damping is of first order in the substep while it is at
 * one.
 */
const [MAX_SUBSTEP, MAX_LIMITED_SUBSTEP] = [1e-3, 2.5e-4];
/** Part of the largest stable substep that is taken. */
const STABLE_PART = 0.25;
/** Half the step of the difference quotients of fields by unknowns, in the units of these. */
const DIFFERENCE = 1e-6;
/** Half the step of the difference quotient of commands, s. */
const DELAY_STEP = 1e-3;

/** Unknowns at which a replay runs, beside the robot's links and joints. */
export interface ReplayPoint {
  /** Parameters of the robot, in the order of the regressor's columns. */
  readonly parameters: readonly number[];
  /** Gain and bias of what is logged in the place of torques, by joint. */
  readonly gains: readonly number[];
  readonly biases: readonly number[];
  /** Rate over which the dry friction of each joint turns around, rad/s or m/s. */
  readonly widths: readonly number[];
  /** Time by which commands are read later than positions, s. */
  readonly delay: number;
  /** Coordinates and rates at the beginning of each piece: [piece][coordinate of each joint, rate of each]. */
  readonly starts: readonly (readonly number[])[];
}

/** Coordinates of a replay, and their derivatives, at the samples of the pieces: [recording][joint][sample]. */
export interface Replayed {
  readonly positions: Samples;
  /** Derivatives by the unknowns, in the order asked for. */
  readonly columns: readonly Samples[];
  /** Derivatives by the delay. */
  readonly slopes: Samples;
  /** Derivatives by the unknowns of the state at the beginning of a sample's own piece. */
  readonly starts: readonly Samples[];
}
/** Values of joints: [recording][joint][sample]. */
export type Samples = readonly (readonly Float64Array[])[];

/** Runs of a robot whose servos are told what logs say, from the state that each piece begins with. */
export interface Replay {
  /**
   * @param unknowns indices of parameters, and behind them of the gains of joints, as logarithms, of their biases, and of the
   * widths of their friction, as logarithms; at most as many as the replay was made for.
   */
  run(at: ReplayPoint, unknowns: readonly number[]): Promise<Replayed>;
  /** Coordinates alone. */
  positions(at: ReplayPoint): Promise<Samples>;
  readonly states: States;
  dispose(): void;
}

/**
 * Prepares the replay of recordings: a world for each piece, with all derivatives as tangents of one run.
 *
 * @param unknowns greatest number of unknowns with derivatives.
 * @param at values with which the substep must be stable.
 */
export async function createReplay(
  robot: Robot,
  recordings: readonly Recording[],
  pieces: readonly RecordingPiece[],
  unknowns: number,
  at: ReplayPoint,
  gravity: Vector,
): Promise<Replay> {
  const device = cpuDevice();
  const { step } = recordings[0];
  const moved = robot.links.flatMap(({ values }, k) => (values.joint === 'fixed' ? [] : [k]));
  const rigid = LINK_PARAMETERS.length * robot.links.length;
  const total = rigid + JOINT_PARAMETERS.length * moved.length;
  const actuators = 2 * moved.length;
  const frames = Math.max(...pieces.map(({ first, end }) => end - first));
  const scene = createScene([articulated(), controlSchedule({ variesBy: 'substep' })]);
  scene.add(Gravity, { acceleration: [...gravity] });
  // Passes of damping and friction are there if the scene has some.
  const dragOf = (k: number) => {
    const first = rigid + JOINT_PARAMETERS.length * moved.indexOf(k);
    return {
      armature: at.parameters[first],
      damping: at.parameters[first + 1],
      dryFriction: at.parameters[first + 2],
      frictionWidth: at.widths[moved.indexOf(k)],
    };
  };
  const bare = robot.links.map(({ values: { mesh: _, ...values }, ...link }, k) => ({
    ...link,
    values: { ...values, ...(moved.includes(k) && dragOf(k)) },
  }));
  const entities = addRobot(scene, { ...robot, links: bare });
  const first = drivesOf(robot, recordings[0].log, at.gains, at.biases);
  for (const [j, k] of moved.entries()) scene.add(Actuator, { link: entities[k], ...onlyGiven(first[j]) });
  // Dampers, behind the drives: what forces of drives are limited to leaves them as they are.
  for (const k of moved) scene.add(Actuator, { link: entities[k], gain: 0 });
  const model = buildModel(scene);
  const payloads = recordings.map(({ log: { payload } }) => payload && parametersOfPayload(robot, payload));
  const isLimited = first.some(({ lowerForce, damping }) => lowerForce !== undefined && damping !== 0);
  let substeps = Math.ceil(step / (isLimited ? MAX_LIMITED_SUBSTEP : MAX_SUBSTEP) - 1e-9);
  const clock = { device, frames, frameRate: 1 / step, record: [Link.coordinate], worlds: pieces.length };
  let plain = await createSimulation(model, { ...clock, substeps });
  write(plain, at);
  const stable = STABLE_PART * (await plain.stableStep()).dt;
  if (stable < step / substeps) {
    substeps = Math.ceil(step / stable);
    plain.dispose();
    plain = await createSimulation(model, { ...clock, substeps });
  }
  const states = statesOf(robot);
  const derived = await createSimulation(model, {
    ...clock,
    substeps,
    derivative: 'tangent',
    tangents: unknowns + 1 + states.size,
    parameters: [...Object.keys(fieldsOf(at, 0)), Link.coordinate, Link.rate, schedule],
  }).catch((error: unknown) => {
    plain.dispose();
    throw error;
  });
  return {
    states,
    positions: async (point) => {
      write(plain, point);
      plain.forward();
      return assembled(await plain.readFrames(Link.coordinate));
    },
    run: async (point, of) => {
      write(derived, point);
      for (const [t, unknown] of of.entries()) setDirection(t, point, unknown);
      const [after, before] = [DELAY_STEP, -DELAY_STEP].map((by) => controls(point.delay + by));
      derived.setTangent(
        schedule,
        after.map((x, k) => (x - before[k]) / (2 * DELAY_STEP)),
        undefined,
        of.length,
      );
      for (let i = 0; i < states.size; i++)
        for (const [w, start] of point.starts.entries()) {
          const [after, before] = [DIFFERENCE, -DIFFERENCE].map((by) =>
            states.afterChange(start, new Array<number>(states.size).fill(0).with(i, by)),
          );
          const slope = after.map((x, k) => (x - before[k]) / (2 * DIFFERENCE));
          for (const [field, values] of ofLinks(slope)) derived.setTangent(field, values, w, of.length + 1 + i);
        }
      derived.forward();
      const positions = assembled(await derived.readFrames(Link.coordinate));
      const tangents: Samples[] = [];
      for (let t = 0; t < of.length + 1 + states.size; t++)
        tangents.push(assembled(await derived.readTangentFrames(Link.coordinate, t)));
      return {
        positions,
        columns: tangents.slice(0, of.length),
        slopes: tangents[of.length],
        starts: tangents.slice(of.length + 1),
      };
    },
    dispose: () => {
      plain.dispose();
      derived.dispose();
    },
  };

  /** Values of all fields but states and controls, of a piece. */
  function fieldsOf(
    { parameters, gains, biases, widths }: ReplayPoint,
    piece: number,
  ): Record<string, readonly number[]> {
    const { recording } = pieces[piece];
    const payload = payloads[recording];
    const bodies = robot.links.map((_, k) => {
      const first = LINK_PARAMETERS.length * k;
      return bodyOf(LINK_PARAMETERS.map((__, p) => parameters[first + p] + (payload?.[first + p] ?? 0)));
    });
    const drives = drivesOf(robot, recordings[recording].log, gains, biases);
    const ofJoint = (p: number): number[] => {
      const values = robot.links.map(() => 0);
      for (const [j, k] of moved.entries())
        values[k] = Math.max(parameters[rigid + JOINT_PARAMETERS.length * j + p], 0);
      return values;
    };
    const damping = ofJoint(1);
    // As much at the start of a substep as at its end: all of it at either is inertia, of first order in the substep.
    const late = moved.map((k, j) => (damping[k] + drives[j].gear ** 2 * drives[j].damping) / 2);
    const early = moved.map((k, j) => damping[k] - late[j]);
    for (const [j, k] of moved.entries()) damping[k] = Math.max(late[j], 0);
    const own = (
      name: 'gain' | 'bias' | 'stiffness' | 'damping',
      ofDamper: (j: number) => number = () => 0,
    ): number[] => [...drives.map((drive) => drive[name]), ...drives.map((_, j) => ofDamper(j))];
    return {
      [Link.mass.key]: bodies.map(({ mass }) => mass),
      [Link.centre.key]: bodies.flatMap(({ centre }) => centre),
      [Link.inertia.key]: bodies.flatMap(({ inertia }) => inertia),
      [Link.armature.key]: ofJoint(0),
      [Link.damping.key]: damping,
      [Link.dryFriction.key]: ofJoint(2),
      [Link.frictionWidth.key]: robot.links.map((_, k) => widths[moved.indexOf(k)] ?? 0),
      [Actuator.gain.key]: own('gain'),
      [Actuator.bias.key]: own('bias'),
      [Actuator.stiffness.key]: own('stiffness'),
      [Actuator.damping.key]: own('damping', (j) => early[j]),
    };
  }

  function write(simulation: Simulation, point: ReplayPoint): void {
    simulation.set(schedule, controls(point.delay));
    for (const w of pieces.keys()) {
      for (const [field, values] of Object.entries(fieldsOf(point, w))) simulation.set(field, values, w);
      for (const [field, values] of ofLinks(point.starts[w])) simulation.set(field, values, w);
    }
  }

  /** Coordinates and rates of links by those of joints. */
  function ofLinks(state: readonly number[]) {
    return [Link.coordinate, Link.rate].map((field, i) => {
      const values = new Float64Array(robot.links.length);
      for (const [j, k] of moved.entries()) values[k] = state[i * moved.length + j];
      return [field, values] as const;
    });
  }

  /** Sets a tangent to the derivatives of all fields by an unknown. */
  function setDirection(t: number, point: ReplayPoint, unknown: number): void {
    const [after, before] = [DIFFERENCE, -DIFFERENCE].map((by) => moveBy(point, unknown, by));
    for (const w of pieces.keys()) {
      const [above, below] = [fieldsOf(after, w), fieldsOf(before, w)];
      for (const [field, values] of Object.entries(above))
        derived.setTangent(
          field,
          values.map((x, k) => (x - below[field][k]) / (2 * DIFFERENCE)),
          w,
          t,
        );
    }
  }

  function moveBy(point: ReplayPoint, unknown: number, by: number): ReplayPoint {
    const j = unknown - total;
    if (j < 0) return { ...point, parameters: point.parameters.with(unknown, point.parameters[unknown] + by) };
    if (j < moved.length) return { ...point, gains: point.gains.with(j, point.gains[j] * Math.exp(by)) };
    const k = j - moved.length;
    if (k < moved.length) return { ...point, biases: point.biases.with(k, point.biases[k] + by) };
    const i = k - moved.length;
    return { ...point, widths: point.widths.with(i, point.widths[i] * Math.exp(by)) };
  }

  /** Controls of all substeps: [substep][piece][drive of each joint, damper of each]. */
  function controls(delay: number): Float64Array {
    const count = (frames - 1) * substeps;
    const all = new Float64Array(count * pieces.length * actuators);
    for (const [w, { recording, first }] of pieces.entries()) {
      const { log, time } = recordings[recording];
      for (const [j, values] of controlsOf(log).entries()) {
        const own = resampledSmoothly(log.time, values, { start: time[first] + delay, step: step / substeps, count });
        for (const [s, x] of own.entries()) all[(s * pieces.length + w) * actuators + j] = x;
      }
    }
    return all;
  }

  /** Values of the joints of all pieces in the order of the recordings' samples, from [frame][piece][link]. */
  function assembled(values: ArrayLike<number>): Samples {
    const all = recordings.map(({ time, columns }) => columns.map(() => new Float64Array(time.length)));
    for (const [w, { recording, first, end }] of pieces.entries())
      for (let s = first; s < end; s++)
        for (const [j, k] of moved.entries())
          all[recording][j][s] = values[((s - first) * pieces.length + w) * robot.links.length + k];
    return all;
  }
}
