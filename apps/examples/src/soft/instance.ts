import type { Model } from '@gradsim/core';
import type { EstimateOptions, ParameterSpec } from '@gradsim/optim';
import type { Random } from '../scenes/draws.ts';
import { between } from '../scenes/draws.ts';
import type { SceneDrawing, SceneRenderer } from '../scenes/renderers.ts';

/** A soft body or cloth that is filmed, and what is to be found of it. */
export interface SoftInstance {
  /** Holds the true values. */
  readonly model: Model;
  readonly timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  /** Unknowns with their true values, and starts drawn far from them. */
  readonly parameters: readonly ParameterSpec[];
  readonly options: EstimateOptions;
  /** Makes the same body with elements smaller by a factor, and substeps to match, where the physics stays the same. */
  readonly refined?: (times: number) => Pick<SoftInstance, 'model' | 'timeline'>;
  /** Parameters that are found first, from the first frames, for the others to start from. */
  readonly rough?: Rough;
}

/** A rough estimate of few numbers that many have in common. */
export interface Rough {
  readonly parameters: readonly ParameterSpec[];
  /** Number of first frames used. */
  readonly frames: number;
  readonly options: EstimateOptions;
  /** The instance's parameters, to start from what was found. */
  readonly refine: (found: Readonly<Record<string, number>>) => readonly ParameterSpec[];
}

/** Drawing options of all instances' films. */
export interface FilmOptions {
  /** Width and height, in pixels. */
  readonly size: number;
  readonly renderer: SceneRenderer;
}

/** Position of an `OrbitCamera`. */
export interface DrawnCamera {
  readonly target: readonly number[];
  readonly distance: number;
  readonly elevation: number;
  readonly azimuth: number;
  readonly fieldOfView: number;
}

/** A camera that looks at `target` from `distance`, from a direction drawn about the front. */
export const drawnCamera = (random: Random, target: readonly number[], distance: number): DrawnCamera => ({
  target,
  distance: distance * between(random, 0.95, 1.05),
  elevation: between(random, 0.15, 0.45),
  azimuth: between(random, -0.5, 0.5),
  fieldOfView: 0.7,
});

/**
 * Drawing of films: outlines are about a pixel soft, as a lens makes them.
 *
 * Colours are composed over the backdrop by coverage, so that outlines change smoothly as a body moves. Where it stands
 * before itself (`depthSoftness`), what is in front is mixed with what is a little behind: a fold of a sheet is an
 * outline too, and a jump where its depth is sharp.
 *
 * @param size of the picture, in pixels.
 */
export const lens = (
  size: number,
  {
    distance,
    reach,
    depthSoftness,
  }: {
    /** Distance from the camera to the middle of the scene, m. */
    readonly distance: number;
    /** Distance from the middle of the scene to the backdrop, m; nothing may lie behind that. */
    readonly reach: number;
    /** Depth within which what lies in front hides what lies behind by a factor of e, m. */
    readonly depthSoftness: number;
  },
): SceneDrawing => {
  const [near, far] = [0.1, distance + reach];
  return {
    softness: (1.5 / size) ** 2,
    depthSoftness: depthSoftness / (far - near),
    near,
    far,
    backgroundColor: [0.1, 0.1, 0.15],
  };
};
