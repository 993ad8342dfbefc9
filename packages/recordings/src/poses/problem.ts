import { multiplyQuaternions } from '@gradsim/base';
import { refuseUnknownOptions, timeOfFrame } from '@gradsim/core';
import type { ArraySpec, Observation, ParameterSpec } from '@gradsim/optim';
import type { FreeFlight } from './flight.ts';
import type { Poses } from './poses.ts';
import { checkPoses } from './poses.ts';
import { scatterOfPoses } from './scatter.ts';

/** Noise levels by which measured poses are weighted. */
export interface PoseNoise {
  /** Standard deviation of each coordinate, m. Default `measured`: from the scatter between frames. */
  readonly position?: number | 'measured';
  /** Standard deviation of the rotation about each axis, rad. Default `measured`: from the scatter between frames. */
  readonly orientation?: number | 'measured';
}

/** Options of {@link observedPoses}: the compared frames, and the noise. */
export interface PoseOptions extends PoseNoise {
  /** Frame of the recording that is frame 0 of the simulation. Default 0. */
  readonly first?: number;
  /** Number of frames that are compared. Default all from `first` on. */
  readonly frames?: number;
  /**
   * Flight before the first contact, which models reproduce without error: its frames are weighted by the scatter of
   * the poses about it, the others by the noise, which then includes the error of the contact model.
   */
  readonly flight?: FreeFlight;
}

/**
 * Creates the observations of an estimate from measured poses: the fields `bodies.position` and `bodies.orientation` of
 * a model with one body. Poses that are missing have no weight.
 *
 * ```ts
 * const observations = observedPoses(poses, { position: 0.001, orientation: 0.01 });
 * ```
 */
export function observedPoses(recording: Poses, options: PoseOptions = {}): Observation[] {
  refuseUnknownOptions<PoseOptions>('observedPoses', options, {
    position: 0,
    orientation: 0,
    first: 0,
    frames: 0,
    flight: 0,
  });
  checkPoses(recording);
  const { first = 0 } = options;
  const poses = recording.poses.slice(first, options.frames === undefined ? undefined : first + options.frames);
  const seen = poses.flatMap((pose, f) => (pose ? [f] : []));
  const isWhole = seen.length === poses.length;
  // Frames at uneven times, or few of which have a pose, say nothing of the scatter from one to the next.
  const scatter =
    recording.frameTimes || 2 * seen.length < poses.length
      ? scatterOfPoses(seen.map((f) => ({ pose: poses[f]!, time: timeOfFrame(recording, first + f) })))
      : undefined;
  const { position = 'measured', orientation = 'measured' } = { ...scatter, ...withoutMeasuredNoise(options) };
  const nothing = (count: number): number[] => Array<number>(count).fill(Number.NaN);
  const noiseOf = (what: 'position' | 'orientation', noise: number | 'measured'): Observation['noise'] => {
    if (!options.flight || noise === 'measured') return noise;
    const { contact, residual } = options.flight;
    // Scatter of one component.
    const scatter = Math.min(noise, Math.max(residual[what] / Math.sqrt(3), noise * MIN_SCATTER));
    return poses.map((_, f) => (contact === null || first + f < contact ? scatter : noise));
  };
  const weights = poses.flatMap((pose) => Array<number>(3).fill(pose ? 1 : 0));
  return [
    {
      field: 'bodies.position',
      target: poses.flatMap((pose) => [...(pose?.position ?? nothing(3))]),
      noise: noiseOf('position', position),
    },
    {
      field: 'bodies.orientation',
      target: poses.flatMap((pose) => [...(pose?.orientation ?? nothing(4))]),
      noise: noiseOf('orientation', orientation),
    },
  ].map((observation) => (isWhole ? observation : { ...observation, weights, frames: seen }));
}

const withoutMeasuredNoise = ({ position, orientation }: PoseNoise): PoseNoise => ({
  ...(position === undefined || position === 'measured' ? {} : { position }),
  ...(orientation === undefined || orientation === 'measured' ? {} : { orientation }),
});

/** Minimum of the scatter of a flight's frames, as a fraction of the noise. */
const MIN_SCATTER = 0.01;

/** Unknowns of a body's initial state, for an estimation problem. */
export interface StartUnknowns {
  readonly parameters: ParameterSpec[];
  readonly arrays: ArraySpec[];
  /** Initial state with which the unknowns start, for a scene or `simulation.set`. */
  readonly state: {
    readonly position: readonly number[];
    readonly orientation: readonly number[];
    readonly velocity: readonly number[];
    readonly angularVelocity: readonly number[];
  };
}

/**
 * Scales of the unknowns of the initial state: position in m, velocity in m/s, angular velocity in rad/s, rotation in
 * rad.
 */
const UNKNOWN_SCALES = { position: 0.002, velocity: 0.05, angularVelocity: 0.3, turn: 0.02 } as const;
const AXES = ['x', 'y', 'z'] as const;

/**
 * Creates unknowns for the initial state of a model with one body that starts at `state`: position, velocity, angular
 * velocity, and a rotation from the orientation of `state`, a rotation vector in world axes.
 *
 * ```ts
 * const start = startUnknowns(startOfFreeFlight(poses));
 * scene.add(Body, { mesh, mass: 0.4, ...start.state });
 * const problem = { parameters: [...start.parameters, mu], arrays: start.arrays, ... };
 * ```
 */
export function startUnknowns({ position, velocity, orientation, angularVelocity }: FreeFlight): StartUnknowns {
  const each = (name: string, field: string, values: readonly number[], scale: number, unit: string): ParameterSpec[] =>
    AXES.map((axis, component) => ({
      name: `${name}.${axis}`,
      field: `bodies.${field}`,
      component,
      initial: values[component],
      scale,
      unit,
    }));
  const length = Math.hypot(...orientation);
  const unit = orientation.map((c) => c / length);
  return {
    parameters: [
      ...each('position', 'position', position, UNKNOWN_SCALES.position, 'm'),
      ...each('velocity', 'velocity', velocity, UNKNOWN_SCALES.velocity, 'm/s'),
      ...each('angular velocity', 'angularVelocity', angularVelocity, UNKNOWN_SCALES.angularVelocity, 'rad/s'),
    ],
    arrays: [
      {
        name: 'turn',
        field: 'bodies.orientation',
        initial: 0,
        scale: UNKNOWN_SCALES.turn,
        unit: 'rad',
        // d q = 1/2 r q; the simulation normalises it.
        modes: AXES.map((_, k) => multiplyQuaternions(AXES.map((__, j) => (j === k ? 0.5 : 0)).concat(0), unit)),
      },
    ],
    state: { position, orientation: unit, velocity, angularVelocity },
  };
}
