import { changeMasks, masksOf, type Size, type WorkSteps } from '@gradsim/video';
import type { FilmMasks } from '../film.ts';
import type { Stroke } from './stroke.ts';

/**
 * Masks after the strokes of a brush, one after another. Ignored pixels are covered by nothing and get the weight 0.
 *
 * @param read number of the first frame that was read, and of every how many.
 */
export function* retouchSteps(
  foundMasks: FilmMasks,
  strokes: readonly Stroke[],
  { first, every }: { readonly first: number; readonly every: number },
): WorkSteps<FilmMasks> {
  if (strokes.length === 0) return foundMasks;
  const drawn = strokes.map((stroke) => ({ ...stroke, pixels: pixelsUnder(stroke, foundMasks.masks) }));
  const isIn = ({ frames }: Stroke, k: number): boolean =>
    !frames || (first + k * every >= frames[0] && first + k * every <= frames[1]);
  const painted =
    (of: typeof drawn, levelOf: (mode: Stroke['mode']) => number) => (picture: Float32Array, k: number) => {
      const own = of.filter((stroke) => isIn(stroke, k));
      if (own.length === 0) return picture;
      const changed = picture.slice();
      for (const { mode, pixels } of own) for (const pixel of pixels) changed[pixel] = levelOf(mode);
      return changed;
    };
  const masks = yield* changeMasks(
    foundMasks.masks,
    painted(drawn, (mode) => (mode === 'add' ? 1 : 0)),
  );
  const ignored = drawn.filter(({ mode }) => mode === 'ignore');
  if (ignored.length === 0) return { ...foundMasks, masks };
  const before = foundMasks.weights ?? masksOf(masks, 1);
  return {
    ...foundMasks,
    masks,
    weights: yield* changeMasks(
      before,
      painted(ignored, () => 0),
    ),
  };
}

/** Indices of the pixels of a picture under a stroke. */
function pixelsUnder({ radius, points }: Stroke, { width, height }: Size): number[] {
  const [columns, rows] = [0, 1].map((k) => points.map((point) => point[k]));
  const from = (values: readonly number[]): number => Math.max(0, Math.floor(Math.min(...values) - radius));
  const to = (values: readonly number[], size: number): number =>
    Math.min(size, Math.ceil(Math.max(...values) + radius));
  const under: number[] = [];
  for (let y = from(rows); y < to(rows, height); y++)
    for (let x = from(columns); x < to(columns, width); x++)
      if (distanceFrom(points, x + 0.5, y + 0.5) <= radius) under.push(y * width + x);
  return under;
}

/** Distance of a point from a line of several corners, px. */
function distanceFrom(points: Stroke['points'], x: number, y: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  points.forEach(([a, b], k) => {
    const [c, d] = points[k + 1] ?? [a, b];
    const [u, v] = [c - a, d - b];
    const part = Math.min(Math.max(((x - a) * u + (y - b) * v) / (u * u + v * v || 1), 0), 1);
    nearest = Math.min(nearest, Math.hypot(x - a - part * u, y - b - part * v));
  });
  return nearest;
}
