import { sumOfProducts, upperMedian } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { TrackPoint } from '@gradsim/video';
import { colourDistance, frameAt, pictureInRegion, valuesInRegion } from '@gradsim/video';
import type { Film } from '../film.ts';
import { PAIRS } from '../tuning/tracks.ts';
import type { ObservedOutline } from './observed.ts';

/** Outlines of two things, by frame; undefined in frames in which one of them is not wholly visible. */
export type PairOutlines = readonly (readonly [ObservedOutline, ObservedOutline] | undefined)[];

type Pair = readonly [TrackPoint, TrackPoint];

/**
 * Outlines of the two things that move in a film, each the same one in all frames, of the masks of both tracks. Where both
 * masks are one up to the end, since the things stick together, it is cut across its longer axis into parts of the areas of
 * both. Shadows are left out, unless the things are as grey.
 *
 * Which is which follows from the direction from one to the other, which hardly turns between two frames: a path that is
 * continued would pass through a thing off which it bounces.
 *
 * @throws if fewer or more than two things are seen.
 */
export function pairOutlines(film: Film): PairOutlines {
  const { tracks, count } = film;
  const most = Math.max(0, ...tracks.flatMap(({ points }) => points.map(({ area = 0 }) => area)));
  const large: TrackPoint[][] = Array.from({ length: count }, () => []);
  for (const { points } of tracks)
    for (const point of points)
      if (point.blob && (point.area ?? 0) > PAIRS.large * most) large[point.frame].push(point);
  for (const points of large) points.sort((a, b) => b.area! - a.area!);
  const seen = withoutShadows(film, large);
  refuseThird(seen);
  const pairs = pairsOf(seen);
  const near = pairs.flatMap((pair) => (pair ? [pair] : []));
  if (near.length < PAIRS.fewest)
    throw new GradsimError('film/not-two', `Two things are seen apart in ${near.length} of the ${count} frames.`, {
      hint: `There must be ${PAIRS.fewest} at least. Where one of them hardly moves for half of the film, it is taken for background: give a background, a picture without both.`,
    });
  const areas = [0, 1].map((k) => upperMedian(near.map((pair) => pair[k].area!)));
  const isLike = (area: number, usual: number): boolean => Math.abs(area / usual - 1) < PAIRS.unlike;
  const last = pairs.findLastIndex(Boolean);
  return seen.map((points, frame) => {
    const pair = pairs[frame];
    if (pair) {
      return pair.every(({ area }, k) => isLike(area!, areas[k]))
        ? [outlineOf(pair[0]), outlineOf(pair[1])]
        : undefined;
    }
    const [both] = points;
    const isOne = points.length === 1 && both.blob!.isWhole && isLike(both.area!, areas[0] + areas[1]);
    // Before they part, the light between both makes the cut worse than no outline.
    return isOne && frame > last ? cutInTwo(film, both, pairs[last]!, areas) : undefined;
  });
}

const outlineOf = ({ x, y, area }: Pick<TrackPoint, 'x' | 'y' | 'area'>): ObservedOutline => ({
  x,
  y,
  size: Math.sqrt(area! / Math.PI),
});

/** Masks of each frame without those of shadows, if two things are seen beside these often enough. */
function withoutShadows(film: Film, seen: TrackPoint[][]): TrackPoint[][] {
  if (!seen.some(({ length }) => length > 2)) return seen;
  const things = seen.map((points) => points.filter((point) => !isShadow(film, point)));
  return things.filter(({ length }) => length > 1).length < PAIRS.fewest ? seen : things;
}

/** True if the pixels of a mask differ from the background as in a shadow. */
function isShadow({ frames, background, masks }: Film, { frame, blob }: TrackPoint): boolean {
  const { left, top, right, bottom } = blob!.bounds;
  const region = { x: left, y: top, width: right - left, height: bottom - top };
  const [seen, ground] = [pictureInRegion(frames, frame, region), pictureInRegion(background, 0, region)];
  const mask = valuesInRegion(masks, frame, region);
  const [plain, shaded] = [false, true].map((shadows) =>
    sumOfProducts(mask, colourDistance(seen, ground, { shadows }).data),
  );
  return shaded < PAIRS.shadow * plain;
}

/** @throws where a third thing is as large as one of two, in several frames. */
function refuseThird(seen: readonly (readonly TrackPoint[])[]): void {
  const three = seen.flatMap((points, frame) =>
    points.length > 2 && points[2].area! > PAIRS.third * points[1].area! ? [frame] : [],
  );
  if (three.length < PAIRS.thirdFrames) return;
  throw new GradsimError(
    'film/not-two',
    `Three things or more are seen in ${three.length} of the ${seen.length} frames, as in frame ${three[0]}; this is of two.`,
    {
      hint: 'Where one of them hardly moves for half of the film, it leaves a hole in the background: give a background, a picture without both. Otherwise cut the film to two things by first and last, or wipe the others out by retouch.',
    },
  );
}

/** The two things of each frame in which both are seen apart and whole, in the same order in all. */
function pairsOf(seen: readonly (readonly TrackPoint[])[]): (Pair | undefined)[] {
  let last: Pair | undefined;
  return seen.map(([a, b]) => {
    if (!b || !a.blob!.isWhole || !b.blob!.isWhole) return undefined;
    const turned = last ? (b.x - a.x) * (last[1].x - last[0].x) + (b.y - a.y) * (last[1].y - last[0].y) : 1;
    last = turned < 0 ? [b, a] : [a, b];
    return last;
  });
}

/** Cuts a mask of two things that touch across its longer axis, into parts of the given areas. */
function cutInTwo(
  { masks }: Film,
  { frame, x, y, blob }: TrackPoint,
  [first, second]: Pair,
  areas: readonly number[],
): readonly [ObservedOutline, ObservedOutline] {
  const { xx, xy, yy, bounds } = blob!;
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const side = (second.x - first.x) * Math.cos(angle) + (second.y - first.y) * Math.sin(angle) < 0 ? -1 : 1;
  const [u, v] = [side * Math.cos(angle), side * Math.sin(angle)];
  const mask = frameAt(masks, frame);
  const pixels: { column: number; row: number; along: number; weight: number }[] = [];
  for (let row = bounds.top; row < bounds.bottom; row++)
    for (let column = bounds.left; column < bounds.right; column++) {
      const weight = mask[row * masks.width + column];
      if (weight > 0) pixels.push({ column, row, along: (column + 0.5 - x) * u + (row + 0.5 - y) * v, weight });
    }
  pixels.sort((a, b) => a.along - b.along);
  const total = pixels.reduce((sum, { weight }) => sum + weight, 0);
  let left = (total * areas[0]) / (areas[0] + areas[1]);
  const sums = [0, 1].map(() => ({ area: 0, x: 0, y: 0 }));
  for (const { column, row, weight } of pixels) {
    const own = Math.min(weight, left);
    left -= own;
    for (const [k, part] of [own, weight - own].entries()) {
      sums[k].area += part;
      sums[k].x += part * (column + 0.5);
      sums[k].y += part * (row + 0.5);
    }
  }
  const [a, b] = sums.map((sum) => outlineOf({ x: sum.x / sum.area, y: sum.y / sum.area, area: sum.area }));
  return [
    { ...a, uncertainty: PAIRS.cut },
    { ...b, uncertainty: PAIRS.cut },
  ];
}
