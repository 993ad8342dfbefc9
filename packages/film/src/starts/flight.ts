import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../film-camera.ts';
import { TRACKS } from '../tuning/tracks.ts';
import { type Flight, fitFlight, type KnownFlight } from './fit-flight.ts';
import type { V3 } from './path.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { wholePoints } from './tracks.ts';

/** Usual gravity, m/s^2. */
const EARTH_GRAVITY: V3 = [0, -9.81, 0];

/** Options of {@link startOfFlight}. */
export interface FlightOptions {
  /**
   * Acceleration of gravity, a vector, m/s^2. Default [0, -9.81, 0]. Null if its size is unknown: then it follows from a
   * radius and the areas of the track, without which it is the default.
   */
  readonly gravity?: readonly number[] | null;
  /** Radius of a ball, m: then its area in the picture determines its distance. Without a radius only its fall does. */
  readonly radius?: number;
  /**
   * Drag coefficient: deceleration by the air divided by the square of the speed, 1/m, as the `drag` of a body. Default
   * 0. Null if unknown: then the best of a few values.
   */
  readonly drag?: number | null;
  /**
   * Greatest number of contacts that are searched: points after them are not used. False to search none, and to use all
   * points. Default: no limit.
   */
  readonly contacts?: number | false;
}

/**
 * Start and velocity of something that flies, falls and bounces, from its track: the flight whose projection by the
 * camera best matches it. The track is cut at its corners, and each piece fitted by linear least squares (a point of
 * the picture is a line of sight, which gives two linear equations in position and velocity); then all pieces, joined
 * at their contacts, are fitted together to pixel positions. Of a long track every so many points are used, 600 in all.
 *
 * ```ts
 * const start = startOfFlight(film.tracks[0], camera, { radius: 0.1 });
 * const { position, velocity } = start.at(0);
 * // as `start` of the parameters position and velocity
 * ```
 * @throws when the track has fewer than 4 points, its points do not determine a flight, or it bends upwards.
 */
export function startOfFlight(track: Track, camera: FilmCamera, options: FlightOptions = {}): Flight {
  refuseUnknownOptions<FlightOptions>('startOfFlight', options, {
    gravity: 0,
    radius: 0,
    drag: 0,
    contacts: 0,
  });
  const { gravity = EARTH_GRAVITY, drag = 0, radius, contacts = Number.POSITIVE_INFINITY } = options;
  const usual: KnownFlight = {
    gravity: gravity ?? EARTH_GRAVITY,
    drag: drag ?? 0,
    radius,
    isGravityFree: gravity === null,
  };
  if (usual.gravity.length !== 3 || ![...usual.gravity, usual.drag].every(Number.isFinite) || usual.drag < 0)
    throw new GradsimError(
      'film/option-out-of-range',
      `startOfFlight: gravity is (${usual.gravity.join(', ')}) and drag ${usual.drag}.`,
      { field: 'gravity', hint: 'They must be 3 numbers and one of at least 0.' },
    );
  if (radius !== undefined && !(radius > 0))
    throw new GradsimError('film/option-out-of-range', `startOfFlight: radius is ${describeValue(radius)}.`, {
      field: 'radius',
      hint: 'It must be above 0, in metres.',
    });
  if (contacts !== false && !(contacts >= 0))
    throw new GradsimError('film/option-out-of-range', `startOfFlight: contacts is ${describeValue(contacts)}.`, {
      field: 'contacts',
      hint: 'It must be a number of contacts, or false.',
    });
  const points = thinOutPoints(wholePoints(track, 'a flight', TRACKS.fewest));
  const fittedTo = (segments: readonly Segment[]): Fitted => ({
    segments,
    flight: fitFlight(points, segments, camera, usual),
  });
  const { segments, flight: own } =
    contacts === false
      ? fittedTo([{ from: 0, to: points.length }])
      : withoutOutliers(points.length, fittedTo(segmentsOf(points).slice(0, contacts + 1)), fittedTo);
  const withDrag = drag === null ? TRACKS.drags.map((each) => ({ ...usual, drag: each, isGravityFree: false })) : [];
  const flight = [own, ...withDrag.map((known) => fitFlight(points, segments, camera, known))].reduce((best, each) =>
    each.residual < best.residual ? each : best,
  );
  // Against gravity, only behind a camera.
  if (camera.axes(flight.position)[2] < 0)
    throw new GradsimError(
      'film/bends-upwards',
      `The track ${track.name} bends upwards in the picture, as nothing does that flies freely.`,
      { hint: 'If the film is upside down, turn it by 180 degrees; if another thing is meant, choose that.' },
    );
  return flight;
}

/** A flight, and the segments of the track that it was fitted to. */
interface Fitted {
  readonly segments: readonly Segment[];
  readonly flight: Flight;
}

/** At most `TRACKS.most` points of a track, evenly. */
function thinOutPoints(points: readonly TrackPoint[]): TrackPoint[] {
  const every = Math.ceil(points.length / TRACKS.most);
  return points.filter((_, k) => k % every === 0);
}

/**
 * Drops points at either end of a track that belong to another flight. A contact close to an end makes no visible
 * corner, and the few points beyond it distort the whole fit: points are dropped as long as that reduces the squared
 * residuals by far more than the dropped points' share.
 */
function withoutOutliers(count: number, all: Fitted, fittedTo: (segments: readonly Segment[]) => Fitted): Fitted {
  const squares = (flight: Flight): number => flight.residual ** 2 * (count - flight.without.length);
  let best = all;
  for (const end of ['last', 'first'] as const)
    for (;;) {
      const shorter = shortened(best.segments, end);
      if (!shorter) break;
      const fitted = fittedTo(shorter);
      const { flight } = fitted;
      const left = count - flight.without.length;
      const fewer = left - (count - best.flight.without.length);
      const share = (squares(best.flight) - squares(flight)) / Math.max(1, -2 * fewer);
      const degrees = 2 * left - 6 - 4 * flight.contacts.length;
      const own = squares(flight) / degrees;
      if (!(degrees > 0 && share > Math.max(TRACKS.loner.squares * own, TRACKS.loner.pixels ** 2))) break;
      best = fitted;
    }
  return best;
}

/**
 * Segments without one point at an end, or without the segment there if it becomes too short; undefined if that would
 * be the only segment.
 */
function shortened(segments: readonly Segment[], end: 'first' | 'last'): Segment[] | undefined {
  const at = end === 'first' ? 0 : segments.length - 1;
  const { from, to } = segments[at];
  if (to - from > TRACKS.fewestOfFlight)
    return segments.map((segment, k) => {
      if (k !== at) return segment;
      return end === 'first' ? { from: from + 1, to } : { from, to: to - 1 };
    });
  return segments.length > 1 ? segments.filter((_, k) => k !== at) : undefined;
}
