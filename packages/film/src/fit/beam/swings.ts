import { linearLeastSquares, upperMedian } from '@gradsim/base';
import { BEAM } from '../../tuning/beam.ts';

/** State of a decaying oscillation at one frame: displacement and velocity of a scalar. */
export interface Swing {
  /** Displacement from the rest position, in the unit of the positions. */
  readonly part: number;
  /** Velocity, per frame interval. */
  readonly velocity: number;
}

/**
 * Displacement and velocity at each frame, from a scalar position in every frame: those of the decaying oscillation
 * with the given frequency and decay that best fits about one period of frames around it. Differences between frames
 * would underestimate fast oscillations.
 *
 * @param moments times of the positions, in frame intervals.
 * @param perFrame oscillation periods per frame interval.
 * @param decay exponent of the decay in a frame interval.
 */
export function swingsOf(
  places: readonly number[],
  moments: readonly number[],
  perFrame: number,
  decay: number,
): Swing[] {
  const angle = angleOf(perFrame);
  return fittedAround(places, moments, perFrame, decay).map((fit) => {
    const [cosine, sine] = fit?.numbers ?? [0, 0];
    return { part: cosine, velocity: sine * angle - cosine * decay };
  });
}

/** Standard deviation of positions about such oscillations: the median over the frames, which a jump does not move. */
export const scatterOf = (...swing: Parameters<typeof swingsOf>): number =>
  upperMedian(fittedAround(...swing).map((fit) => Math.sqrt((fit?.squares ?? 0) / (fit?.freedom ?? 1))));

/** Angle by which an oscillation goes on in a frame interval, rad. */
const angleOf = (perFrame: number): number => 2 * Math.PI * perFrame;

/** Oscillation that best fits about one period of frames around each; undefined for too few. */
function fittedAround(...[places, moments, perFrame, decay]: Parameters<typeof swingsOf>) {
  const half = Math.max((BEAM.fewestOfSwing - 1) / 2, Math.round(0.5 / perFrame));
  return places.map((_, frame) => {
    const first = Math.min(Math.max(frame - half, 0), Math.max(places.length - 2 * half - 1, 0));
    const own = places.slice(first, first + 2 * half + 1);
    const since = moments.slice(first, first + 2 * half + 1).map((moment) => moment - moments[frame]);
    const fit = fitted(own, since, angleOf(perFrame), decay);
    return fit && { ...fit, freedom: Math.max(1, own.length - fit.numbers.length) };
  });
}

/** Decay exponent of an oscillation per frame interval: the amplitude falls by the factor e^-decay. */
export function decayOf(places: readonly number[], moments: readonly number[], perFrame: number): number {
  const angle = angleOf(perFrame);
  const tried = BEAM.decays.map((part) => {
    const decay = part * perFrame;
    return { decay, squares: fitted(places, moments, angle, decay)?.squares ?? Number.POSITIVE_INFINITY };
  });
  return tried.reduce((best, each) => (each.squares < best.squares ? each : best)).decay;
}

/**
 * Least-squares fit of e^(-decay k) (c cos(angle k) + s sin(angle k)) + m to positions at moments k, in frame intervals.
 */
function fitted(
  places: readonly number[],
  moments: readonly number[],
  angle: number,
  decay: number,
): { readonly numbers: readonly number[]; readonly squares: number } | undefined {
  const rows = moments.map((k) => {
    const left = Math.exp(-decay * k);
    return [left * Math.cos(angle * k), left * Math.sin(angle * k), 1];
  });
  const numbers = linearLeastSquares(rows, places);
  if (!numbers) return undefined;
  const squares = rows.reduce(
    (sum, row, k) => sum + (places[k] - row.reduce((all, v, i) => all + v * numbers[i], 0)) ** 2,
    0,
  );
  return { numbers, squares };
}
