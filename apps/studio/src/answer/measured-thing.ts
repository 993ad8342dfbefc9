import type { TrackedThing } from '../work/film-messages.ts';
import type { ObservedFrames } from '../work/problem-messages.ts';

/**
 * Name of the thing that an estimate was compared with: the one that is nearest to the observed outlines, on average
 * over the frames that show it.
 * @param first number of the first compared frame in the file.
 */
export function measuredThing(
  things: readonly TrackedThing[],
  observed: ObservedFrames,
  first: number,
): string | undefined {
  const { outlines, isSeen, frameOf } = observed;
  const away = ({ seen }: TrackedThing): number => {
    const distances = seen
      .map(({ frame, ...place }) => ({ ...place, k: frameOf[frame - first] }))
      .filter(({ k }) => isSeen[k])
      .map(({ k, x, y }) => Math.hypot(x - outlines[3 * k], y - outlines[3 * k + 1]));
    return distances.reduce((sum, distance) => sum + distance, 0) / distances.length;
  };
  return things
    .map((thing) => [thing.name, away(thing)] as const)
    .filter(([, distance]) => Number.isFinite(distance))
    .sort(([, a], [, b]) => a - b)[0]?.[0];
}
