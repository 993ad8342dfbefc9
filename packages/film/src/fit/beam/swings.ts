import { linearLeastSquares } from '@gradsim/numeric';
import { BEAM } from '../../tuning/beam.ts';

/** Motion of something that swings, in one frame. */
export interface Swing {
  /** Distance from where it swings about. */
  readonly part: number;
  /** Distance that it goes in a frame's time. */
  readonly way: number;
}

/**
 * Swings from places, frame by frame: in each frame by a swing of this frequency, of the decay that all frames
 * suit best, that goes best through the frames around it, about one of its periods. Differences from frame to frame would make
 * fast swings slower than they are.
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

/** Decay of a swing in a frame's time, as exponent. */
export function decayOf(places: readonly number[], perFrame: number): number {
  const angle = 2 * Math.PI * perFrame;
  const tried = BEAM.decays.map((part) => {
    const decay = part * perFrame;
    return { decay, squares: fitted(places, 0, angle, decay)?.squares ?? Number.POSITIVE_INFINITY };
  });
  return tried.reduce((best, each) => (each.squares < best.squares ? each : best)).decay;
}

/** e^(-decay k) (c cos + s sin) + m that goes best through places at k, k + 1, ... */
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
