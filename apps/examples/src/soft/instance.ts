import type { Model } from '@gradsim/core';
import type { EstimateOptions, ParameterSpec } from '@gradsim/optim';
import type { Random } from '../scenes/draws.ts';
import { between } from '../scenes/draws.ts';
import type { SceneDrawing, SceneRenderer } from '../scenes/renderers.ts';

/** A soft body or cloth to film, and its unknowns. */
export interface SoftInstance {
  /** Model with the true values. */
  readonly model: Model;
  readonly timeline: { readonly frames: number; readonly frameRate: number; readonly substeps: number };
  /** Unknowns, with their true values and random starts far from them. */
  readonly parameters: readonly ParameterSpec[];
  readonly options: EstimateOptions;
  /**
   * Returns the body with elements smaller by a factor and substeps to match, if its physics does not depend on the
   * mesh.
   */
  readonly refined?: (times: number) => Pick<SoftInstance, 'model' | 'timeline'>;
  /** Rough estimate from the first frames that provides the starts of the parameters. */
  readonly rough?: CoarseEstimate;
}

/** Rough estimate of a few numbers, each shared by many parameters. */
export interface CoarseEstimate {
  readonly parameters: readonly ParameterSpec[];
  /** Number of frames, from the first on, that it uses. */
  readonly frames: number;
  readonly options: EstimateOptions;
  /** Returns the instance's parameters, starting at the rough estimate. */
  readonly refine: (found: Readonly<Record<string, number>>) => readonly ParameterSpec[];
}

/** Options that all kinds of instances have for drawing their films. */
export interface FilmOptions {
  /** Width, and also height, of the pictures, px. */
  readonly size: number;
  readonly renderer: SceneRenderer;
}

/** Pose of an `OrbitCamera`. */
export interface DrawnCamera {
  readonly target: readonly number[];
  readonly distance: number;
  readonly elevation: number;
  readonly azimuth: number;
  readonly fieldOfView: number;
}

/** Draws a camera that looks at `target` from about `distance`, m, from a random direction near the front. */
export const drawnCamera = (random: Random, target: readonly number[], distance: number): DrawnCamera => ({
  target,
  distance: distance * between(random, 0.95, 1.05),
  elevation: between(random, 0.15, 0.45),
  azimuth: between(random, -0.5, 0.5),
  fieldOfView: 0.7,
});

/**
 * Drawing of films: outlines are soft over about a pixel, as a lens makes them.
 *
 * Colours are composited over the backdrop by coverage, so that outlines change smoothly as a body moves. Where parts
 * of a body overlap in the picture, the front one is blended with those slightly behind it, over `depthSoftness`: the
 * outline of a fold would otherwise make a jump.
 *
 * @param size width, and also height, of the picture, px.
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
    /** Distance from the middle of the scene to the backdrop, m; all bodies must be in front of the backdrop. */
    readonly reach: number;
    /** Difference in depth, m, at which the weight of the surface behind is smaller by a factor of e. */
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
