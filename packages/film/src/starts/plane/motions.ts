import { linearLeastSquares, median } from '@gradsim/base';
import type { Track, TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import { leastSquares } from '../least-squares.ts';
import { type Segment, segmentsOf } from '../segments.ts';
import { sizedPoints } from '../tracks.ts';
import { startOfCircle } from './circle.ts';
import { startOfOscillation } from './oscillation.ts';
import { startOfRoll } from './roll.ts';
import { startOfSpin } from './spin.ts';
import { startOfSwing } from './swing.ts';

/** Motions by which tracks are told apart, of any scale and any gravity. */
export type Motion =
  | 'bounces'
  | 'tumbles'
  | 'flies'
  | 'falls slowly'
  | 'swings'
  | 'goes round'
  | 'spins and slows down'
  | 'bobs'
  | 'runs along a line';

/** Distance of the nearest motion of a sort from a track. */
export interface MotionFit {
  readonly motion: Motion;
  /** Root mean square distance, px. */
  readonly rmsDistance: number;
}

const { fewest, upright, tumble } = TRACKS.motions;

/**
 * Motions that a track shows, nearest first; without those that it clearly does not show. For comparing sorts of motion, not
 * for a start of a search.
 *
 * @param whole track by which it is told whether it tumbles, which changes the areas of masks. Default: the same.
 */
export function motionsIn(track: Track, camera: FilmCamera, whole = track): MotionFit[] {
  let points: TrackPoint[];
  try {
    points = sizedPoints(track, 'a motion', fewest);
  } catch {
    return [];
  }
  const size = sizeOf(points);
  const [width, height] = (['x', 'y'] as const).map((c) => {
    const all = points.map((point) => point[c]);
    return Math.max(...all) - Math.min(...all);
  });
  // With a radius of 1, distances are in sizes of the thing in the picture.
  const radius = 1;
  const tried: readonly (readonly [Motion, () => number])[] = [
    ['swings', () => (width > height ? fitSwing() : Number.NaN)],
    ['goes round', () => startOfCircle(track, camera, { radius, isPlaced: false }).residual],
    ['spins and slows down', () => startOfSpin(track, camera).residual],
    ['bobs', () => size * startOfOscillation(track, camera, { radius }).residual],
    ['runs along a line', () => size * startOfRoll(track, camera, { radius }).residual],
    ['flies', () => flightOff(points, [{ from: 0, to: points.length }])],
    ['bounces', () => bounceOff(points)],
    ['tumbles', () => tumbleOff(whole)],
    ['falls slowly', () => (width < upright * height ? fallOff(points) : Number.NaN)],
  ];
  return tried
    .flatMap(([motion, of]): MotionFit[] => {
      try {
        const rmsDistance = of();
        return Number.isFinite(rmsDistance) ? [{ motion, rmsDistance }] : [];
      } catch {
        return [];
      }
    })
    .sort((a, b) => a.rmsDistance - b.rmsDistance);

  function fitSwing(): number {
    const { pull, residual } = startOfSwing(track, camera, { radius });
    return pull === null ? Number.NaN : size * residual;
  }
}

/** Radius of a circle of the usual area of masks, px. */
const sizeOf = (points: readonly TrackPoint[]): number => Math.sqrt(median(points.map(({ area }) => area!)) / Math.PI);

/** Ratio of the axes of a thing's masks, in the median: 1 of what is round, and of what has no whole mask. */
export function roundnessOf(points: readonly TrackPoint[]): number {
  const ratios = points.flatMap(({ blob }) => {
    if (!blob?.isWhole) return [];
    const [middle, off] = [(blob.xx + blob.yy) / 2, Math.hypot((blob.xx - blob.yy) / 2, blob.xy)];
    return [Math.sqrt(Math.max(0, middle - off) / (middle + off))];
  });
  return ratios.length > 0 ? median(ratios) : 1;
}

const rootMeanSquare = (off: readonly number[]): number =>
  Math.sqrt(off.reduce((sum, d) => sum + d * d, 0) / off.length);

/** Flights of one acceleration downwards in the picture, each piece with its own start and velocity. */
function flightOff(points: readonly TrackPoint[], pieces: readonly Segment[]): number {
  const all = pieces.flatMap(({ from, to }, piece) => points.slice(from, to).map((point) => ({ ...point, piece })));
  const rowOf = ({ time, piece }: (typeof all)[number], bends: boolean): number[] => [
    ...(bends ? [(time * time) / 2] : []),
    ...pieces.flatMap((_, k) => (k === piece ? [1, time] : [0, 0])),
  ];
  const [down, across] = [true, false].map((bends) => {
    const rows = all.map((point) => rowOf(point, bends));
    const values = all.map(({ x, y }) => (bends ? y : x));
    const found = linearLeastSquares(rows, values);
    if (!found || (bends && !(found[0] > 0))) return null;
    return rows.map((row, k) => row.reduce((sum, c, j) => sum + c * found[j], -values[k]));
  });
  return down && across ? rootMeanSquare(down.map((d, k) => Math.hypot(d, across[k]))) : Number.NaN;
}

function bounceOff(points: readonly TrackPoint[]): number {
  const pieces = segmentsOf(points);
  return pieces.length > 1 ? flightOff(points, pieces) : Number.NaN;
}

/**
 * A flight of what is not round, up to where it strikes something that sends it upwards. How it goes on depends on the corners
 * that strike.
 */
function tumbleOff(track: Track): number {
  const points = sizedPoints(track, 'a motion', fewest);
  if (!(roundnessOf(points) < tumble.round)) return Number.NaN;
  const size = sizeOf(points);
  const limit = Math.max(tumble.off, tumble.part * size);
  let [struck, off] = [0, Number.NaN];
  for (let to = tumble.fewest; to <= points.length; to++) {
    const distance = flightOff(points, [{ from: 0, to }]);
    if (distance < limit) [struck, off] = [to, distance];
  }
  const next = points[struck + 1];
  if (struck === 0 || !next) return Number.NaN;
  const flight = points.slice(0, struck);
  const found = linearLeastSquares(
    flight.map(({ time }) => [1, time, time * time]),
    flight.map(({ y }) => y),
  );
  const expected = found ? found[0] + next.time * (found[1] + next.time * found[2]) : Number.NaN;
  return expected - next.y > tumble.upwards * size ? off : Number.NaN;
}

/** A fall that comes to a terminal speed: y = y0 + (v^2 / g) ln cosh(g (t - t0) / v). */
function fallOff(points: readonly TrackPoint[]): number {
  const [first, last] = [points[0], points[points.length - 1]];
  const seconds = last.time - first.time;
  const fallen = last.y - first.y;
  if (!(fallen > 0)) return Number.NaN;
  const offFrom = ([y, start, speed, rate]: readonly number[]): number[] =>
    points.map((point) => {
      // ln cosh u = |u| + ln((1 + exp(-2 |u|)) / 2), which does not overflow.
      const u = Math.abs(Math.exp(rate) * (point.time - start));
      return y + Math.exp(speed - rate) * (u + Math.log((1 + Math.exp(-2 * u)) / 2)) - point.y;
    });
  const from = [first.y, first.time, Math.log((1.2 * fallen) / seconds), Math.log(4 / seconds)];
  const { squares } = leastSquares(offFrom, from, [1, seconds / 20, 0.5, 0.5]);
  return Math.sqrt(squares / points.length);
}
