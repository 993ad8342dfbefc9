import { dot, upperMedian } from '@gradsim/base';
import { described, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Track, TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../camera.ts';
import { seenBall } from '../outlines/seen-ball.ts';
import { TRACKS } from '../tuning/tracks.ts';
import { leastSquares } from './least-squares.ts';
import { along, type Forces, type Path, type State, type V3 } from './path.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { unknownsInSight } from './sight.ts';
import { wholePoints } from './tracks.ts';

/** Options of {@link startOfFlight}. */
export interface FlightOptions {
  /** Acceleration of gravity, a vector, m/s^2. Default [0, -9.81, 0]. */
  readonly gravity?: readonly number[];
  /** Radius of a ball, m: then its area in the picture determines its distance. Without a radius only its fall does. */
  readonly radius?: number;
  /**
   * Drag coefficient: deceleration by the air divided by the square of the speed, 1/m, as the `drag` of a body. Default
   * 0.
   */
  readonly drag?: number;
  /**
   * Greatest number of contacts that are searched: points after them are not used. False to search none, and to use all
   * points. Default: no limit.
   */
  readonly contacts?: number | false;
}

/** Contact, treated as an instantaneous change of velocity. */
export interface Contact {
  /** Time, s, on the clock of the track. */
  readonly time: number;
  readonly position: V3;
  /** Velocities immediately before and after the contact, m/s. */
  readonly before: V3;
  readonly after: V3;
  /** Coefficient of restitution: minus the ratio of the velocity components along gravity, after to before. */
  readonly restitution: number;
}

/** A flight that fits a track. */
export interface Flight extends State {
  /** Time of its first point, s, on the clock of the track; `position` and `velocity` refer to it. */
  readonly time: number;
  /** Radius of the ball, m: as given, or estimated from the areas of the track. */
  readonly radius: number | undefined;
  readonly contacts: readonly Contact[];
  /** Root mean square distance between track and fit, px. */
  readonly residual: number;
  /** Standard deviations of position, m, and velocity, m/s, from the scatter of the track; infinite if undetermined. */
  readonly deviations: State;
  /**
   * Frames whose points were left out: within half a frame of a contact, in a piece at either end that is too short, or
   * after the last contact that was searched.
   */
  readonly without: readonly number[];
  /** State at any time, s; also before the first point. */
  at(time: number): State;
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
  const { gravity = [0, -9.81, 0], drag = 0, radius, contacts = Number.POSITIVE_INFINITY } = options;
  const known = { gravity, drag, radius };
  if (gravity.length !== 3 || ![...gravity, drag].every(Number.isFinite) || drag < 0)
    throw new GradsimError(
      'film/option-out-of-range',
      `startOfFlight: gravity is (${gravity.join(', ')}) and drag ${drag}.`,
      { field: 'gravity', hint: 'They must be 3 numbers and one of at least 0.' },
    );
  if (radius !== undefined && !(radius > 0))
    throw new GradsimError('film/option-out-of-range', `startOfFlight: radius is ${described(radius)}.`, {
      field: 'radius',
      hint: 'It must be above 0, in metres.',
    });
  if (contacts !== false && !(contacts >= 0))
    throw new GradsimError('film/option-out-of-range', `startOfFlight: contacts is ${described(contacts)}.`, {
      field: 'contacts',
      hint: 'It must be a number of contacts, or false.',
    });
  const points = thinned(wholePoints(track, 'a flight', TRACKS.fewest));
  const fitted = (some: readonly Segment[]): Flight => fit(points, some, camera, known);
  const flight =
    contacts === false
      ? fitted([{ from: 0, to: points.length }])
      : withoutLoners(points.length, segmentsOf(points).slice(0, contacts + 1), fitted);
  // Against gravity, only behind a camera.
  if (camera.axes(flight.position)[2] < 0)
    throw new GradsimError(
      'film/bends-upwards',
      `The track ${track.name} bends upwards in the picture, as nothing does that flies freely.`,
      { hint: 'If the film is upside down, turn it by 180 degrees; if another thing is meant, choose that.' },
    );
  return flight;
}

/** At most `TRACKS.most` points of a track, evenly. */
function thinned(points: readonly TrackPoint[]): TrackPoint[] {
  const every = Math.ceil(points.length / TRACKS.most);
  return points.filter((_, k) => k % every === 0);
}

/**
 * Drops points at either end of a track that belong to another flight. A contact close to an end makes no visible
 * corner, and the few points beyond it distort the whole fit: points are dropped as long as that reduces the squared
 * residuals by far more than the dropped points' share.
 */
function withoutLoners(
  count: number,
  segments: readonly Segment[],
  fitted: (segments: readonly Segment[]) => Flight,
): Flight {
  const squares = (flight: Flight): number => flight.residual ** 2 * (count - flight.without.length);
  let best = { segments, flight: fitted(segments) };
  for (const end of ['last', 'first'] as const)
    for (;;) {
      const shorter = shortened(best.segments, end);
      if (!shorter) break;
      const flight = fitted(shorter);
      const left = count - flight.without.length;
      const fewer = left - (count - best.flight.without.length);
      const share = (squares(best.flight) - squares(flight)) / Math.max(1, -2 * fewer);
      const degrees = 2 * left - 6 - 4 * flight.contacts.length;
      const own = squares(flight) / degrees;
      if (!(degrees > 0 && share > Math.max(TRACKS.loner.squares * own, TRACKS.loner.pixels ** 2))) break;
      best = { segments: shorter, flight };
    }
  return best.flight;
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

type Known = Forces & Pick<FlightOptions, 'radius'>;

function fit(points: readonly TrackPoint[], segments: readonly Segment[], camera: FilmCamera, known: Known): Flight {
  const [begin, ...bounces] = segments.map(({ from, to }) => points.slice(from, to));
  const first = guess(begin, bounces, camera, known);
  const hasArea = points.every(({ area }) => area !== undefined);
  const radius = known.radius ?? (hasArea ? radiusOf(begin, first, camera, known) : undefined);
  const isRadiusFree = known.radius === undefined && radius !== undefined;
  const radiusIn = (values: readonly number[]): number | undefined => (isRadiusFree ? values.at(-1) : radius);
  const pathIn = (values: readonly number[]): Path => pathOf(values, first.time, bounces.length);
  const frame = shortestStep(points);
  // The shutter may be open at a contact, and a frame then shows both sides of it.
  const flying = [begin, ...bounces].flat();
  const awayFrom = ({ contacts }: Path) =>
    flying.filter((p) => contacts.every(({ time }) => Math.abs(p.time - time) >= frame / 2));
  const scales = [
    ...UNIT.map(() => TRACKS.length),
    ...UNIT.map(() => TRACKS.speed),
    ...bounces.flatMap(() => [frame, ...UNIT.map(() => TRACKS.speed)]),
    ...(isRadiusFree ? [radius] : []),
  ];
  let kept = awayFrom(first);
  let values = [...valuesOf(first), ...(isRadiusFree ? [radius] : [])];
  let deviations: readonly number[] = [];
  for (let round = 0; round < 2; round++) {
    const residuals = (tried: readonly number[]): number[] => {
      const [path, r] = [pathIn(tried), radiusIn(tried)];
      return kept.flatMap((point) => residualsOf(point, along(path, point.time, known).position, r, camera));
    };
    ({ values, deviations } = leastSquares(residuals, values, scales));
    kept = awayFrom(pathIn(values));
  }
  const path = pathIn(values);
  const off = kept.map((p) => {
    const seen = shown(along(path, p.time, known).position, radiusIn(values), camera);
    return (seen.x - p.x) ** 2 + (seen.y - p.y) ** 2;
  });
  return {
    time: path.time,
    position: path.position,
    velocity: path.velocity,
    radius: radiusIn(values),
    contacts: path.contacts.map(({ time, velocity }) => contactOf(path, time, velocity, known)),
    residual: Math.sqrt(off.reduce((sum, square) => sum + square, 0) / off.length),
    deviations: { position: deviations.slice(0, 3), velocity: deviations.slice(3, 6) },
    without: points.filter((p) => !kept.includes(p)).map((p) => p.frame),
    at: (when) => along(path, when, known),
  };
}

/** Values of a path's unknowns as a flat list. */
const valuesOf = ({ position, velocity, contacts }: Path): number[] => [
  ...position,
  ...velocity,
  ...contacts.flatMap((contact) => [contact.time, ...contact.velocity]),
];

const pathOf = (values: readonly number[], time: number, contacts: number): Path => ({
  time,
  position: values.slice(0, 3),
  velocity: values.slice(3, 6),
  contacts: Array.from({ length: contacts }, (_, k) => ({
    time: values[6 + 4 * k],
    velocity: values.slice(7 + 4 * k, 10 + 4 * k),
  })),
});

const shortestStep = (points: readonly TrackPoint[]): number =>
  Math.min(...points.slice(1).map((p, k) => (p.time - points[k].time) / (p.frame - points[k].frame)));

/**
 * Path by linear least squares, neglecting drag: the first flight, then each further flight from the end point of the
 * one before.
 */
function guess(
  begin: readonly TrackPoint[],
  bounces: readonly (readonly TrackPoint[])[],
  camera: FilmCamera,
  known: Known,
): Path {
  const time = begin[0].time;
  const fallen = (t: number): V3 => known.gravity.map((g) => (g * t * t) / 2);
  const unknowns = unknownsInSight(begin, camera, (when) => {
    const t = when - time;
    return { at: fallen(t), by: [...UNIT, ...UNIT.map((axis) => axis.map((c) => c * t))] };
  });
  if (!unknowns)
    throw new GradsimError(
      'film/track-undetermined',
      'The track does not determine a flight: its points are too few, or do not move.',
    );
  let path: Path = { ...pathOf(unknowns, time, 0), contacts: [] };
  let last = begin.at(-1)!;
  for (const after of bounces) {
    const contact = (last.time + after[0].time) / 2;
    const { position, velocity } = along(path, contact, known);
    const leaving = unknownsInSight(after, camera, (when) => {
      const t = when - contact;
      return { at: fallen(t).map((c, k) => c + position[k]), by: UNIT.map((axis) => axis.map((c) => c * t)) };
    });
    path = { ...path, contacts: [...path.contacts, { time: contact, velocity: leaving ?? velocity }] };
    last = after.at(-1)!;
  }
  return path;
}

const UNIT: readonly V3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Radius, m, for which a ball on this path has the areas of the track: the median over the points. */
function radiusOf(points: readonly TrackPoint[], path: Path, camera: FilmCamera, known: Known): number {
  const radii = points.map(({ time, area }) => {
    const { position } = along(path, time, known);
    const small = 1e-3;
    return small * Math.sqrt(area! / seenBall(camera, position, small).area);
  });
  return upperMedian(radii);
}

function shown(position: V3, radius: number | undefined, camera: FilmCamera): { x: number; y: number; area?: number } {
  if (radius !== undefined) return seenBall(camera, position, radius);
  const [x, y] = camera.project(position);
  return { x, y };
}

/** Residuals of a point's position and area, in standard deviations. */
function residualsOf(point: TrackPoint, position: V3, radius: number | undefined, camera: FilmCamera): number[] {
  const seen = shown(position, radius, camera);
  const off = [(seen.x - point.x) / TRACKS.place, (seen.y - point.y) / TRACKS.place];
  if (seen.area === undefined || point.area === undefined) return off;
  // A rim with the same error all around.
  const rim = 2 * TRACKS.place * Math.sqrt(Math.PI / point.area);
  return [...off, Math.log(seen.area / point.area) / Math.max(point.areaError ?? 0, rim)];
}

function contactOf(path: Path, time: number, after: V3, known: Known): Contact {
  const earlier = { ...path, contacts: path.contacts.filter((contact) => contact.time < time) };
  const { position, velocity: before } = along(earlier, time, known);
  return { time, position, before, after, restitution: -dot(after, known.gravity) / dot(before, known.gravity) };
}
