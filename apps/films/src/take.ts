import type { Camera } from './camera.ts';
import type { Bend, Look, Pose, Solid } from './shot.ts';
import type { Vector } from './vectors.ts';

/** Kinds of films that `bench -- films` estimates from, then those made on request only. */
export const KINDS = ['ball', 'box', 'beam', 'pendulum', 'disc'] as const;
export const ALL_KINDS = [...KINDS, 'toss'] as const;
export type Kind = (typeof ALL_KINDS)[number];

/** Numbers by name, in SI units. */
export type Figures = Readonly<Record<string, number | Vector>>;

/** A moving object: its pose at any time, s. */
export type Mover = { readonly solid: Solid } & (
  | { readonly poseAt: (seconds: number) => Pose }
  | { readonly place: Pose; readonly bendAt: (seconds: number) => Bend }
);

/** Scene in front of the camera. */
export interface Scene {
  readonly kind: Kind;
  /** True values that the film determines. */
  readonly truth: Readonly<Record<string, number>>;
  /** Dimensions, masses and the like that are measured beforehand. */
  readonly known: Figures;
  /** Initial state, as far as it is unknown to the estimate. */
  readonly start: Figures;
  /** Duration, s. */
  readonly seconds: number;
  readonly movers: readonly Mover[];
  readonly props: readonly { readonly solid: Solid; readonly pose: Pose }[];
  /** Returns points that bound the main object at a time: all must be in the picture. */
  readonly outline: (seconds: number) => readonly Vector[];
  /** Range of camera angles, rad. */
  readonly view: {
    readonly elevation: readonly [number, number];
    readonly azimuth: readonly [number, number];
  };
  /** Distance of the wall behind, in multiples of the scene's width. */
  readonly depth: number;
}

/** A scene in front of a camera. */
export interface Take {
  readonly scene: Scene;
  readonly number: number;
  readonly seed: number;
  readonly camera: Camera;
  readonly frames: number;
  readonly frameRate: number;
  /** Exposure time as a fraction of the frame interval; frame k is exposed about the time k / frameRate. */
  readonly shutter: number;
  readonly look: Look;
  /** H.264's constant rate factor. */
  readonly quality: number;
  /** Numbers of frames dropped after filming. */
  readonly lost: readonly number[];
  readonly spoiled?: Spoiled;
}

/** Differences between the film and its record. */
export interface Spoiled {
  readonly how: 'wrong shape' | 'wrong scale' | 'another object' | 'dropped frames';
  readonly note: string;
}
