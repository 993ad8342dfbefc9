import { upperMedian } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../../film-camera.ts';
import { TRACKS } from '../../tuning/tracks.ts';
import { leastSquares } from '../least-squares.ts';
import type { V3 } from '../path.ts';
import { sizedPoints, sizeOf, startIn } from '../tracks.ts';
import { sinusoidIn } from './sinusoid.ts';

/** Options of {@link startOfCircle}. */
export interface CircleOptions {
  /** Radius of the ball, m. */
  readonly radius: number;
  /** True if the camera's position was measured, so that its axes tell how far it looks down. */
  readonly isPlaced: boolean;
}

/** A level circle, on which a ball goes round, that fits a track. */
export interface Circle {
  /** Centre of the circle in the camera's axes: right, upwards and forward, m. */
  readonly inCamera: V3;
  /** The same in the world, of a camera that looks as `camera` does. */
  readonly centre: V3;
  /** Radius of the circle at time 0 of the film, m, and of the ball as given. */
  readonly around: number;
  readonly radius: number;
  /** Angle by which the camera looks down, rad. */
  readonly down: number;
  /** Direction of the ball from the centre at time 0, rad: (sin azimuth, 0, cos azimuth); and its rate, rad/s. */
  readonly azimuth: number;
  readonly rate: number;
  /** Damping c, 1/s: the circle shrinks as exp(-c t). */
  readonly damping: number;
  /** Root mean square distance of the ball from the circle, px. */
  readonly residual: number;
}

const { fewest } = TRACKS.oscillation;
const { leaves, sized } = TRACKS.circle;

/**
 * Level circle on which a ball goes round, from its track: which part of it is in front is told by perspective, in places and
 * in sizes of the ball, and the ball's size determines the distance.
 *
 * ```ts
 * const { around, rate } = startOfCircle(film.tracks[0], camera, { radius: 0.03, isPlaced: false });
 * ```
 * @throws when the track has fewer than 8 points with an area; when it shows less than about one turn, or another motion.
 */
export function startOfCircle(track: Track, camera: FilmCamera, options: CircleOptions): Circle {
  refuseUnknownOptions<CircleOptions>('startOfCircle', options, { radius: 0, isPlaced: 0 });
  const points = sizedPoints(track, 'a circle', fewest);
  const [rays, times] = [points.map(({ x, y }) => camera.ray(x, y)), points.map(({ time }) => time)];
  const best = sinusoidIn(
    times,
    rays.map(([across]) => across),
  );
  if (best.isNone)
    throw new GradsimError('film/not-seen', `The track ${track.name} does not go round in a circle.`, {
      hint: 'Choose the track of the ball, by gradsim look.',
    });
  if (best.isSlowest)
    throw new GradsimError('film/track-undetermined', `The track ${track.name} shows less than one turn.`, {
      hint: 'Film several turns.',
    });
  // Level directions of the world: to the right of the picture, and away from the camera.
  const [origin, x, y, z] = [
    [0, 0, 0],
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((point) => camera.axes(point));
  const ahead = [x, y, z].map((axis) => axis[2] - origin[2]);
  const turn = Math.atan2(-ahead[0], -ahead[2]);
  const looks = options.isPlaced ? Math.asin(Math.max(-1, Math.min(1, -ahead[1]))) : undefined;

  const { focal, size, off, ...found } = nearest(points, camera, best, looks);
  const amplitude = Math.hypot(
    ...[0, 1].map((c) => deviation(points.map(({ x: across, y: down }) => (c === 0 ? across : down)))),
  );
  if (!(off < leaves * amplitude))
    throw new GradsimError(
      'film/not-seen',
      `The track ${track.name} does not go round in a circle: it is ${off.toFixed(1)} px off the nearest one.`,
      { hint: 'Push the ball so that it goes round evenly, and cut the film to that time.' },
    );
  const depth = (options.radius * focal) / size;
  const inCamera: V3 = [found.across * depth, found.up * depth, depth];
  const axis = [x, y, z].map((column) => column.map((c, k) => c - origin[k]));
  const centre = axis.map(
    (column, k) => camera.position[k] + column.reduce((sum, c, i) => sum + c * inCamera[i], 0),
  ) as unknown as V3;
  return {
    inCamera,
    centre,
    around: found.around * depth,
    radius: options.radius,
    down: found.down,
    azimuth: found.azimuth + turn,
    rate: found.rate,
    damping: found.damping,
    residual: off,
  };
}

const deviation = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value / values.length, 0);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2 / values.length, 0));
};

/** Circle about a centre at depth 1 that is nearest to places and sizes of a ball, of both ways round, seen from above or below. */
function nearest(
  points: readonly TrackPoint[],
  camera: FilmCamera,
  { frequency, values: [middle, cosine, sine] }: ReturnType<typeof sinusoidIn>,
  looks: number | undefined,
) {
  const sizes = points.map(({ area }) => Math.sqrt(area! / Math.PI));
  const rays = points.map(({ x, y }) => camera.ray(x, y));
  const [here, there] = [camera.pixel(0, 0), camera.pixel(1e-4, 0)];
  const focal = Math.abs(there[0] - here[0]) / 1e-4;
  const around = Math.hypot(cosine, sine);
  const up = upperMedian(rays.map(([, height]) => height));
  const high = Math.SQRT2 * deviation(rays.map(([, height]) => height));
  const seconds = points[points.length - 1].time - points[0].time;
  const from = Math.asin(Math.min(high / around, 0.95));
  // Pixels off in x and y, and in size, which counts for less.
  const offFrom = ([cx, cy, r, phase, w, c, size, tilt = looks!]: readonly number[]): number[] =>
    points.flatMap(({ time, x, y }, k) => {
      const far = r * Math.exp(-c * time);
      const [right, near] = [far * Math.sin(phase + w * time), far * Math.cos(phase + w * time)];
      const depth = 1 - near * Math.cos(tilt);
      const [px, py] = camera.pixel((cx + right) / depth, (cy - near * Math.sin(tilt)) / depth);
      return [px - x, py - y, sized * (size / depth - sizes[k])];
    });
  const scales = [0.05, 0.05, 0.05, 0.3, 1 / seconds, 1 / seconds, 1];
  const tried = [1, -1].flatMap((way) => {
    const start = [middle, up, around, Math.atan2(cosine, way * sine), way * frequency, 0, upperMedian(sizes)];
    return looks === undefined
      ? [from, -from].map((tilt) => leastSquares(offFrom, [...start, tilt], [...scales, 0.2]))
      : [leastSquares(offFrom, start, scales)];
  });
  const { values } = tried.reduce((best, each) => (each.squares < best.squares ? each : best));
  const [cx, cy, r, phase, w, c, size, tilt = looks!] = values;
  const places = offFrom(values).filter((_, k) => k % 3 !== 2);
  return {
    across: cx,
    up: cy,
    around: r,
    azimuth: phase,
    rate: w,
    damping: c,
    size,
    down: tilt,
    focal,
    off: Math.sqrt(places.reduce((sum, d) => sum + d * d, 0) / points.length),
  };
}

/**
 * Finds the ball that goes round in a film, and its circle.
 *
 * @param number number of the ball's track, from 1; null to search for it.
 * @param options as of {@link startOfCircle}; the radius may depend on the track, as by `measuredScale`.
 * @throws as {@link startOfCircle} does.
 */
export const circleIn = (
  tracks: readonly Track[],
  number: number | null,
  camera: FilmCamera,
  { radius, isPlaced }: Omit<CircleOptions, 'radius'> & { readonly radius: number | ((track: Track) => number) },
): { track: Track; start: Circle } =>
  startIn(tracks, number, (track) => startOfCircle(track, camera, { radius: sizeOf(radius, track), isPlaced }));
