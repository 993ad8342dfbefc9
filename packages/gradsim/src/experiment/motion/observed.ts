import { timeOfFrame } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';

/** Middle and size of a model's outline in each frame. */
export const OUTLINE = 'world.outlineCentroidAndSize';

/** Position and size of a filmed thing in each frame, with which an estimate is compared: px of the film's pictures. */
export interface ObservedMotion {
  /** Three numbers per frame: x and y of the outline's centre, and the radius of the circle of equal area. */
  readonly outlines: readonly number[];
  /** Standard errors that the film states of the outlines, px, or 1: larger in a frame with a bounce, or fast motion. */
  readonly errors: readonly number[];
  /** True for frames in which the whole object is visible. */
  readonly isSeen: readonly boolean[];
  /** Times of the frames, s. */
  readonly times: readonly number[];
  readonly camera: FilmingCamera;
  /** Gravity of the model before the search, m/s^2 downwards; undefined if it has none. */
  readonly gravity?: number;
}

/** Camera of the model before the search: rotation (x, y, z, w) and translation, m, into its axes x right, y down, z ahead. */
export interface FilmingCamera {
  readonly rotation: readonly number[];
  readonly translation: readonly number[];
  /** px. */
  readonly focalLength: number;
}

/** Observations of a film of one thing in a problem; undefined for problems that compare anything else. */
export function observedIn(problem: Problem): ObservedMotion | undefined {
  const outlines = problem.observations?.find(
    ({ field }) => (typeof field === 'string' ? field : field.key) === OUTLINE,
  );
  if (!outlines || outlines.target.length !== 3 * problem.frames) return undefined;
  const weights = outlines.weights as readonly number[] | undefined;
  const isSeen = Array.from({ length: problem.frames }, (_, frame) => !weights || weights[3 * frame + 1] > 0);
  const valuesOf = (name: string): number[] => Array.from(problem.model.field(`cameras.${name}`).values!);
  const { noise } = outlines;
  const gravity = problem.model.fields.get('world.gravity')?.values?.[1];
  return {
    outlines: Array.from(outlines.target),
    errors: isSeen.map((_, frame) => (typeof noise === 'object' ? noise[frame] : 1)),
    isSeen,
    times: isSeen.map((_, frame) => timeOfFrame(problem, frame)),
    gravity: gravity === undefined ? undefined : -gravity,
    camera: {
      rotation: valuesOf('rotation'),
      translation: valuesOf('translation'),
      focalLength: valuesOf('focalLength')[0],
    },
  };
}
