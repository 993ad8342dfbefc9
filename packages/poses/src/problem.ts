import { refuseUnknownOptions } from '@gradsim/core';
import { multiplyQuaternions } from '@gradsim/numeric';
import type { ArraySpec, Observation, ParameterSpec } from '@gradsim/optim';
import type { FreeFlight } from './flight.ts';
import type { Poses } from './poses.ts';
import { checkPoses } from './poses.ts';

/** Noise by which measured poses are weighed. */
export interface PoseNoise {
  /** Standard deviation of a coordinate, in metres. Default `measured`. */
  readonly position?: number | 'measured';
  /** Standard deviation about an axis, in radians. Default `measured`. */
  readonly orientation?: number | 'measured';
}

/** Which of a model's bodies it is, and from which frame on. */
export interface PoseOptions extends PoseNoise {
  /** The frame of the recording that is frame 0 of the simulation. Default 0. */
  readonly first?: number;
  /** Number of frames that are compared. Default all from `first` on. */
  readonly frames?: number;
  /**
   * The flight before the first contact, which no model is off: its frames count by the scatter from it, others by the noise,
   * which then has in it what the model of contact is known to be off.
   */
  readonly flight?: FreeFlight;
}

/**
 * What an estimate compares with measured poses: the field `bodies.position` and `bodies.orientation` of a model with one body.
 * Poses that are missing have no weight.
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
  const { position = 'measured', orientation = 'measured', first = 0 } = options;
  const poses = recording.poses.slice(first, options.frames === undefined ? undefined : first + options.frames);
  const isWhole = poses.every((pose) => pose !== null);
  const nothing = (count: number): number[] => Array<number>(count).fill(Number.NaN);
  const noiseOf = (what: 'position' | 'orientation', noise: number | 'measured'): Observation['noise'] => {
    if (!options.flight || noise === 'measured') return noise;
    const { contact, residual } = options.flight;
    // Of one component.
    const scatter = Math.min(noise, Math.max(residual[what] / Math.sqrt(3), noise * LEAST_SCATTER));
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
  ].map((observation) => (isWhole ? observation : { ...observation, weights }));
}

/** Least scatter of frames of a flight, as a part of the noise. */
const LEAST_SCATTER = 0.01;

/** Unknowns of where a body starts. */
export interface StartUnknowns {
  readonly parameters: ParameterSpec[];
  readonly arrays: ArraySpec[];
  /** The state itself, for a scene or `simulation.set`. */
  readonly state: {
    readonly position: readonly number[];
    readonly orientation: readonly number[];
    readonly velocity: readonly number[];
    readonly angularVelocity: readonly number[];
  };
}

/** Natural steps of a start, where the scatter of the flight tells it better than that. */
const STEPS = { position: 0.002, velocity: 0.05, angularVelocity: 0.3, turn: 0.02 } as const;
const AXES = ['x', 'y', 'z'] as const;

/**
 * The state at the beginning as unknowns of a model with one body that starts at `state`: place, velocity, angular velocity, and
 * how far it is turned from there, a rotation vector in world axes.
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
      ...each('position', 'position', position, STEPS.position, 'm'),
      ...each('velocity', 'velocity', velocity, STEPS.velocity, 'm/s'),
      ...each('angular velocity', 'angularVelocity', angularVelocity, STEPS.angularVelocity, 'rad/s'),
    ],
    arrays: [
      {
        name: 'turn',
        field: 'bodies.orientation',
        initial: 0,
        scale: STEPS.turn,
        unit: 'rad',
        // d q = 1/2 r q; the simulation brings it to unit length.
        modes: AXES.map((_, k) => multiplyQuaternions(AXES.map((__, j) => (j === k ? 0.5 : 0)).concat(0), unit)),
      },
    ],
    state: { position, orientation: unit, velocity, angularVelocity },
  };
}
