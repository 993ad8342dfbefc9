import { linearLeastSquares } from '@gradsim/numeric';
import { BEAM } from '../../tuning/beam.ts';

/** Swinging motion in one frame. */
export interface Swing {
  /** Displacement from the rest position. */
  readonly part: number;
  /** Displacement in a frame's time. */
  readonly way: number;
}

/**
 * Swings from positions, frame by frame: in each frame the swing of this frequency, with the best decay for all frames,
 * that best fits the frames around it, about one period. Differences between frames would underestimate fast swings.
 *
 * @param perFrame swings in a frame's time.
 */
export function swingsOf(places: readonly number[], perFrame: number, decay: number): Swing[] {
  const angle = 2 * Math.PI * perFrame;
  const half = Math.max((BEAM.fewestOfSwing - 1) / 2, Math.round(0.5 / perFrame));
  return places.map((_, frame) => {
    const first = Math.min(Math.max(frame - half, 0), Math.max(places.length - 2 * half - 1, 0));
    const own = places.slice(first, first + 2 * half + 1);
    const [cosine, sine] = fitted(own, first - frame, angle, decay)?.numbers ?? [0, 0];
    return { part: cosine, way: sine * angle - cosine * decay };
  });
}

/** Decay exponent of a swing in a frame's time. */
export function decayOf(places: readonly number[], perFrame: number): number {
  const angle = 2 * Math.PI * perFrame;
  const tried = BEAM.decays.map((part) => {
    const decay = part * perFrame;
    return { decay, squares: fitted(places, 0, angle, decay)?.squares ?? Number.POSITIVE_INFINITY };
  });
  return tried.reduce((best, each) => (each.squares < best.squares ? each : best)).decay;
}

/** Fit of e^(-decay k) (c cos + s sin) + m to positions at k, k + 1, ... */
function fitted(
  places: readonly number[],
  from: number,
  angle: number,
  decay: number,
): { readonly numbers: readonly number[]; readonly squares: number } | undefined {
  const rows = places.map((_, k) => {
    const left = Math.exp(-decay * (from + k));
    return [left * Math.cos(angle * (from + k)), left * Math.sin(angle * (from + k)), 1];
  });
  const numbers = linearLeastSquares(rows, places);
  if (!numbers) return undefined;
  const squares = rows.reduce(
    (sum, row, k) => sum + (places[k] - row.reduce((all, v, i) => all + v * numbers[i], 0)) ** 2,
    0,
  );
  return { numbers, squares };
}
