import type { Camera } from './camera.ts';
import type { Bend, Look, Pose, Solid } from './shot.ts';
import type { Vector } from './vectors.ts';

/** Kinds that `bench -- films` estimates from; then those that are made where they are asked for. */
export const KINDS = ['ball', 'box', 'beam', 'pendulum', 'disc'] as const;
export const ALL_KINDS = [...KINDS, 'toss'] as const;
export type Kind = (typeof ALL_KINDS)[number];

/** Numbers by name, in SI units. */
export type Figures = Readonly<Record<string, number | Vector>>;

/** A thing that moves: where it is at any time, s. */
export type Mover = { readonly solid: Solid } & (
  | { readonly poseAt: (seconds: number) => Pose }
  | { readonly place: Pose; readonly bendAt: (seconds: number) => Bend }
);

/** Scene in front of the camera. */
export interface Scene {
  readonly kind: Kind;
  /** True values that the film determines. */
  readonly truth: Readonly<Record<string, number>>;
  /** Dimensions, masses and the like, which one measures beforehand. */
  readonly known: Figures;
  /** Start of the motion, as far as it is unknown to the estimate. */
  readonly start: Figures;
  /** s */
  readonly seconds: number;
  readonly movers: readonly Mover[];
  readonly props: readonly { readonly solid: Solid; readonly pose: Pose }[];
  /** Points that tell where the main mover is at a time: all of them are to be in the picture. */
  readonly outline: (seconds: number) => readonly Vector[];
  /** Range of camera angles, rad. */
  readonly view: {
    readonly elevation: readonly [number, number];
    readonly azimuth: readonly [number, number];
  };
  /** Distance of the wall behind, in parts of the scene's width. */
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
  /** Part of the time from frame to frame that the shutter is open; frame k is exposed about the time k / frameRate. */
  readonly shutter: number;
  readonly look: Look;
  /** H.264's constant rate factor. */
  readonly quality: number;
  /** Frames that were lost after they had been made. */
  readonly lost: readonly number[];
  readonly spoiled?: Spoiled;
}

/** Differences between the film and its record. */
export interface Spoiled {
  readonly how: 'wrong shape' | 'wrong scale' | 'another object' | 'dropped frames';
  readonly note: string;
}
