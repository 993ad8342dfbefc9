import type { Estimate, Problem } from '@gradsim/optim';

/** A number that is observed in each frame: as seen, and as the fitted model has it. */
export interface MotionCurve {
  readonly title: string;
  /** What it is drawn over: frames, or seconds if frames are at times of their own. */
  readonly over: 'frames' | 'seconds';
  /** Lower end of the vertical axis. Default: by the points. */
  readonly from?: number;
  readonly seen: readonly { readonly x: number; readonly y: number }[];
  readonly fitted: readonly { readonly x: number; readonly y: number }[];
}

/** Largest count of numbers a frame that are drawn; more, as of pictures or meshes, are no motion that a curve shows. */
const MOST = 6;

/** Names of the components of fields that are drawn often. */
const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  'world.outlineCentroidAndSize': ['middle, to the right, px', 'middle, downwards, px', 'radius of equal area, px'],
};

/** Curves of what is observed, over the frames; frames without weight are no part of what is seen. */
export function motionCurves(
  { observations = [], frames, frameTimes }: Pick<Problem, 'observations' | 'frames' | 'frameTimes'>,
  { predicted }: Estimate,
): MotionCurve[] {
  const over = frameTimes ? 'seconds' : 'frames';
  return observations.flatMap(({ field, target, weights, instants = 1 }): MotionCurve[] => {
    const key = typeof field === 'string' ? field : field.key;
    const model = predicted[key];
    // Of an exposure, the model has several frames for one of the film.
    const own = target.length / frames;
    if (!(instants === 1 && model?.length === target.length && frames > 1 && own <= MOST && Number.isInteger(own)))
      return [];
    return Array.from({ length: own }, (_, k) => {
      const points = (of: ArrayLike<number>) =>
        Array.from({ length: frames }, (__, f) => ({ x: frameTimes?.[f] ?? f, y: of[f * own + k] }));
      const isSeen = (f: number): boolean => weights?.length !== target.length || weights[f * own + k] > 0;
      const title = COMPONENTS[key]?.[k] ?? (own === 1 ? key : `${key}, ${k + 1} of ${own}`);
      return { title, seen: points(target).filter((_, f) => isSeen(f)), fitted: points(model), over };
    });
  });
}
