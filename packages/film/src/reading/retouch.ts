import { type Frames, frameCount } from '@gradsim/video';
import type { FilmMasks } from '../film.ts';
import type { Stroke } from './stroke.ts';

/**
 * Masks after the strokes of a brush, one after another. Ignored pixels are covered by nothing and get the weight 0.
 *
 * @param read number of the first frame that was read, and of every how many.
 */
export function retouched(
  found: FilmMasks,
  strokes: readonly Stroke[],
  read: { readonly first: number; readonly every: number },
): FilmMasks {
  if (strokes.length === 0) return found;
  const { masks } = found;
  const data = masks.data.slice();
  const hasIgnored = strokes.some(({ mode }) => mode === 'ignore');
  const weights = hasIgnored ? (found.weights?.data.slice() ?? new Float32Array(data.length).fill(1)) : undefined;
  for (const stroke of strokes)
    for (const pixel of pixelsOf(stroke, masks, read)) {
      data[pixel] = stroke.mode === 'add' ? 1 : 0;
      if (stroke.mode === 'ignore') weights![pixel] = 0;
    }
  return {
    ...found,
    masks: { ...masks, data },
    ...(weights ? { weights: { ...masks, data: weights } } : {}),
  };
}

/** Indices of the pixels under a stroke, in all of its frames that were read. */
function pixelsOf(
  { frames, radius, points }: Stroke,
  masks: Frames,
  { first, every }: { readonly first: number; readonly every: number },
): number[] {
  const { width, height } = masks;
  const [columns, rows] = [0, 1].map((k) => points.map((point) => point[k]));
  const from = (values: readonly number[]): number => Math.max(0, Math.floor(Math.min(...values) - radius));
  const to = (values: readonly number[], size: number): number =>
    Math.min(size, Math.ceil(Math.max(...values) + radius));
  const under: number[] = [];
  for (let y = from(rows); y < to(rows, height); y++)
    for (let x = from(columns); x < to(columns, width); x++)
      if (distanceFrom(points, x + 0.5, y + 0.5) <= radius) under.push(y * width + x);
  return Array.from({ length: frameCount(masks) }, (_, k) => k)
    .filter((k) => !frames || (first + k * every >= frames[0] && first + k * every <= frames[1]))
    .flatMap((k) => under.map((pixel) => k * width * height + pixel));
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
