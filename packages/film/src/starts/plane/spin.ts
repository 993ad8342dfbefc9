import { linearLeastSquares, median } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import { leastSquares } from '../least-squares.ts';
import type { V3 } from '../path.ts';
import { largestIn, sizedPoints, startIn } from '../tracks.ts';

/** Circle of a mark on a disc that spins in front of a camera, which looks about along its axis, and slows down. */
export interface Spin {
  /** Middle of the circle, to the right and upwards, as a part of its distance from the camera. */
  readonly centre: readonly [right: number, up: number];
  /** Radius of the circle, and of a round mark as large as what is seen, as parts of that distance. */
  readonly around: number;
  readonly size: number;
  /** Rotation of the disc's plane from the one that faces the camera, rad: about x, then about y. */
  readonly tilts: readonly [number, number];
  /** Direction of the mark from the centre at time 0, rad, anticlockwise in the picture from the right. */
  readonly angle: number;
  /** Rate of that angle at time 0, rad/s; negative of what turns clockwise. */
  readonly rate: number;
  /** Mean of the rates in the film without their sign, rad/s; and mean of their decrease, rad/s^2. */
  readonly meanRate: number;
  readonly slowing: number;
  /** Root mean square distance of the mark from the fit, px. */
  readonly residual: number;
}

const { fewest } = TRACKS.oscillation;
const { leaves, turned, between, slows, rests, steps, beside, flickers } = TRACKS.spin;

/** Unit vectors of a plane that faces the camera, to the right and upwards, after its rotation by these angles about x and y. */
export function discAxes([p, q]: readonly [number, number]): readonly [V3, V3] {
  return [
    [Math.cos(q), 0, -Math.sin(q)],
    [Math.sin(q) * Math.sin(p), Math.cos(p), Math.cos(q) * Math.sin(p)],
  ];
}

/**
 * Circle on which a mark on a spinning disc goes round, and the rate at which it slows down, from its track: angles about the
 * middle are counted from frame to frame, and fitted by a cubic in time together with the circle as the camera sees it.
 *
 * ```ts
 * const { rate, slowing } = startOfSpin(film.tracks[0], camera);
 * ```
 * @throws when the track has fewer than 8 points with an area; when it shows less than half of a turn, or another motion;
 * when it turns by more than 0.4 turns between two frames.
 */
export function startOfSpin(track: Track, camera: FilmCamera): Spin {
  const all = sizedPoints(track, 'a spin', fewest);
  const circle = circleThrough(all.map(({ x, y }) => camera.ray(x, y)));
  if (!circle) throw notRound(track);
  const { middle, around } = circle;
  const counted = countedAngles(track, all, camera, middle);
  // Without the time in which it rests at the end.
  const moving = counted.findIndex((angle) => Math.abs(angle - counted[counted.length - 1]) < rests) + 1;
  const [points, angles] = [all.slice(0, moving), counted.slice(0, moving)];
  const times = points.map(({ time }) => time);
  const [from, seconds] = [times[0], times[times.length - 1] - times[0]];
  if (Math.abs(angles[angles.length - 1] - angles[0]) < turned * Math.PI)
    throw new GradsimError('film/track-undetermined', `The track ${track.name} shows less than half of a turn.`, {
      hint: 'Film several turns of the mark.',
    });
  const cubic = linearLeastSquares(
    times.map((t) => [1, t, t * t, t ** 3]),
    angles,
  );
  if (!cubic) throw notRound(track);
  const placed = ([cx, cy, r, p, q, ...c]: readonly number[], t: number): [number, number] => {
    const angle = c.reduce((sum, factor, k) => sum + factor * t ** k, 0);
    const [u, v] = discAxes([p, q]);
    const [x, y, z] = [0, 1, 2].map((k) => r * (Math.cos(angle) * u[k] + Math.sin(angle) * v[k]));
    return camera.pixel((cx + x) / (1 - z), (cy + y) / (1 - z));
  };
  const offFrom = (values: readonly number[]): number[] =>
    points.flatMap(({ x, y, time }) => {
      const [px, py] = placed(values, time);
      return [px - x, py - y];
    });
  // Perspective alone tells which side of the disc is nearer: the other one is tried too.
  const scales = [0.05, 0.05, 0.05, 0.2, 0.2, ...[0.3, 1, 1, 1].map((scale, k) => scale / seconds ** k)];
  const one = leastSquares(offFrom, [...middle, around, 0.05, 0.05, ...cubic], scales);
  const other = leastSquares(
    offFrom,
    one.values.map((value, k) => (k === 3 || k === 4 ? -value : value)),
    scales,
  );
  const { values, squares } = other.squares < one.squares ? other : one;
  const [cx, cy, r, p, q, angle, ...c] = values;
  const residual = Math.sqrt(squares / points.length);
  const focal = Math.abs(camera.pixel(1e-4, 0)[0] - camera.pixel(0, 0)[0]) / 1e-4;
  if (!(residual < leaves * r * focal)) throw notRound(track);
  const rateAt = (t: number): number => Math.sign(c[0] + c[1] * seconds) * (c[0] + 2 * c[1] * t + 3 * c[2] * t * t);
  const rates = Array.from({ length: steps }, (_, k) => rateAt(from + (seconds * k) / (steps - 1)));
  const meanRate = rates.reduce((sum, rate) => sum + rate / steps, 0);
  if (!(rates[0] - rates[steps - 1] > slows * rates[0]))
    throw new GradsimError('film/not-seen', `The track ${track.name} does not slow down as it goes round.`, {
      hint: 'Film it for longer, up to where it is clearly slower.',
    });
  return {
    centre: [cx, cy],
    around: r,
    size: median(points.map(({ area }) => Math.sqrt(area! / Math.PI))) / focal,
    tilts: [p, q],
    angle,
    rate: c[0],
    meanRate,
    slowing: (rates[0] - rates[steps - 1]) / seconds,
    residual,
  };
}

const notRound = ({ name }: Track): GradsimError =>
  new GradsimError('film/not-seen', `The track ${name} does not go round a middle in a plane that faces the camera.`, {
    hint: 'Film the disc from straight above, and choose the track of its mark, by gradsim look.',
  });

/** Circle nearest to points, by x^2 + y^2 = 2 a x + 2 b y + c (I. Kasa, 1976); null where they lie on a line. */
function circleThrough(points: readonly (readonly number[])[]) {
  const found = linearLeastSquares(
    points.map(([x, y]) => [2 * x, 2 * y, 1]),
    points.map(([x, y]) => x * x + y * y),
  );
  if (!found) return null;
  const [a, b, c] = found;
  return { middle: [a, b], around: Math.sqrt(Math.max(0, c + a * a + b * b)) };
}

/** Angles of points about a middle, rad, that go on from one to the next, also over frames without one. */
function countedAngles(
  { name }: Track,
  points: readonly TrackPoint[],
  camera: FilmCamera,
  [cx, cy]: readonly number[],
): number[] {
  const seen = points.map((point) => {
    const [x, y] = camera.ray(point.x, point.y);
    return Math.atan2(y - cy, x - cx);
  });
  const angles = [seen[0]];
  let rate = 0;
  for (let k = 1; k < seen.length; k++) {
    const frames = points[k].frame - points[k - 1].frame;
    const expected = angles[k - 1] + rate * frames;
    const angle = expected + Math.atan2(Math.sin(seen[k] - expected), Math.cos(seen[k] - expected));
    rate = (angle - angles[k - 1]) / frames;
    if (Math.abs(rate) > between * 2 * Math.PI)
      throw new GradsimError(
        'film/too-fast',
        `The track ${name} turns by ${Math.abs(rate / 2 / Math.PI).toFixed(2)} turns between the frames ${points[k - 1].frame} and ${points[k].frame}.`,
        {
          hint: 'Beyond half of a turn its sense is not seen: film it at more frames a second, or begin where it is slower.',
        },
      );
    angles.push(angle);
  }
  return angles;
}

/** Track without frames in which the mask is much larger or smaller than in those beside: a flicker of the disc is no mark. */
function withoutFlicker({ name, points }: Track): Track {
  const areas = points.map(({ area = 0 }) => area);
  const isLike = (area: number, k: number): boolean => {
    const ratio = area / median(areas.slice(Math.max(0, k - beside), k + beside + 1));
    return ratio < flickers && ratio > 1 / flickers;
  };
  return { name, points: points.filter((_, k) => isLike(areas[k], k)) };
}

/**
 * Finds the mark that goes round in a film, and its circle; its track is without frames in which the mask flickers.
 *
 * @param number number of the mark's track, from 1; null to search for it.
 * @throws as {@link startOfSpin} does.
 */
export const spinIn = (
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
): { track: Track; start: Spin } => {
  // Where a mask is lost now and then, the mark has several tracks.
  const all = number === null && tracks.length > 1 ? [largestIn(tracks), ...tracks] : tracks;
  return startIn(all.map(withoutFlicker), number, (track) => startOfSpin(track, camera));
};
