import type { Camera } from './camera.ts';
import type { Bend, Look, Pose, Solid } from './shot.ts';
import type { Vector } from './vectors.ts';

/**
 * Kinds of films, of which the numbers of their order are part of seeds: {@link KINDS} of experiments, and a disc, a motion
 * that no kind is for.
 */
export const ALL_KINDS = [
  'ball',
  'pendulum',
  'slide',
  'toss',
  'beam',
  'disc',
  'spring',
  'roll',
  'cart',
  'flight',
  'filter',
  'rod',
  'collision',
  'conical',
  'spin',
  'chain',
] as const;
export type Kind = (typeof ALL_KINDS)[number];
export const KINDS = ALL_KINDS.filter((kind) => kind !== 'disc');

/** Numbers or vectors by name, in SI units. */
export type MeasuredFigures = Readonly<Record<string, number | Vector>>;

/** A moving object: its pose or bend as a function of time, s. */
export type Mover = { readonly solid: Solid } & (
  | { readonly poseAt: (seconds: number) => Pose }
  | { readonly place: Pose; readonly bendAt: (seconds: number) => Bend }
);

/** Scene to be filmed. */
export interface Scene {
  readonly kind: Kind;
  /** True values of what the film determines, by the names of the kind's unknowns. */
  readonly truth: Readonly<Record<string, number>>;
  /** Measurements beside the film, by the names of the kind's measures; null is unknown. */
  readonly measured: Readonly<Record<string, number | Vector | null>>;
  /** Parts of the initial state that the estimation does not know. */
  readonly start: MeasuredFigures;
  /** Duration of the film, s. */
  readonly seconds: number;
  readonly movers: readonly Mover[];
  readonly props: readonly { readonly solid: Solid; readonly pose: Pose }[];
  /** Returns points that bound the main object at a time, s; the camera is placed so that all are in the picture. */
  readonly outline: (seconds: number) => readonly Vector[];
  /** Ranges of the camera's elevation and azimuth, rad. */
  readonly view: {
    readonly elevation: readonly [number, number];
    readonly azimuth: readonly [number, number];
  };
  /** True of a place of the camera from which a prop hides a part of the object. Default: no place is. */
  readonly isHiddenFrom?: (eye: Vector) => boolean;
  /** Ends of a length that a person marks in the picture, m. Default: none is. */
  readonly marks?: readonly [Vector, Vector];
  /** Distance of the wall behind the scene, in multiples of the scene's width. */
  readonly depth: number;
}

/** A scene with camera, light and sensor: all that determines a film. */
export interface Recording {
  readonly scene: Scene;
  readonly number: number;
  readonly seed: number;
  readonly camera: Camera;
  readonly frames: number;
  readonly frameRate: number;
  /** Times of the frames, s, if they are uneven; else k / frameRate. */
  readonly times?: readonly number[];
  /** Exposure time as a fraction of the usual frame interval; exposures are centred on the frames' times. */
  readonly shutter: number;
  readonly look: Look;
  /** Constant rate factor of the H.264 encoder. */
  readonly quality: number;
  /** Numbers of frames dropped after filming. */
  readonly lost: readonly number[];
  readonly spoiled?: SpoiledTake;
}

/** Kind of error in a film's record, with a note that describes it. */
export interface SpoiledTake {
  readonly how: 'wrong shape' | 'wrong scale' | 'another object' | 'dropped frames';
  readonly note: string;
}
