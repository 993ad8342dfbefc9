import { dot, norm, scale, upperMedian } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { TrackPoint } from '@gradsim/video';
import type { FilmCamera } from '../film-camera.ts';
import { seenBall } from '../outlines/seen-ball.ts';
import { TRACKS } from '../tuning/tracks.ts';
import { leastSquares } from './least-squares.ts';
import { type Forces, type Path, type State, stateOnPath, statesAlong, type V3 } from './path.ts';
import type { Segment } from './segments.ts';
import { unknownsInSight } from './sight.ts';

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
  /** Size of gravity, m/s^2, and drag, 1/m: as given, or those that fit the track best. */
  readonly gravity: number;
  readonly drag: number;
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

/** Quantities of a flight that are known beside its points. */
export interface KnownFlight extends Forces {
  /** Radius of a ball, m. */
  readonly radius?: number | undefined;
  /** True if only the direction of gravity is known, and its usual size. */
  readonly isGravityFree: boolean;
}

/** Fits a flight with given contacts to the points of a track. */
export function fitFlight(
  points: readonly TrackPoint[],
  segments: readonly Segment[],
  camera: FilmCamera,
  known: KnownFlight,
): Flight {
  const [begin, ...bounces] = segments.map(({ from, to }) => points.slice(from, to));
  const usual = guess(begin, bounces, camera, known);
  const hasArea = points.every(({ area }) => area !== undefined);
  // A picture shows a flight up to its scale, so areas tell either the radius or gravity.
  const shown = hasArea ? radiusOf(begin, usual, camera, known) : undefined;
  const isRadiusFree = shown !== undefined && known.radius === undefined;
  const isPullFree = shown !== undefined && known.radius !== undefined && known.isGravityFree;
  const usualPull = norm(known.gravity);
  const pullNear = isPullFree ? inRange((usualPull * known.radius) / shown) : usualPull;
  const free = isRadiusFree ? [shown] : isPullFree ? [pullNear] : [];
  const radiusIn = (values: readonly number[]): number | undefined => (isRadiusFree ? values.at(-1) : known.radius);
  const forcesIn = (values: readonly number[]): Forces =>
    isPullFree ? { ...known, gravity: scale(known.gravity, values.at(-1)! / usualPull) } : known;
  const first = isPullFree ? guess(begin, bounces, camera, forcesIn(free)) : usual;
  const pathIn = (values: readonly number[]): Path => pathOf(values, first.time, bounces.length);
  const frame = shortestStep(points);
  // The shutter may be open at a contact, and a frame then shows both sides of it.
  const flying = [begin, ...bounces].flat();
  const awayFrom = ({ contacts }: Path) =>
    flying.filter((p) => contacts.every(({ time }) => Math.abs(p.time - time) >= frame / 2));
  const scales = [
    ...UNIT_VECTORS.map(() => TRACKS.length),
    ...UNIT_VECTORS.map(() => TRACKS.speed),
    ...bounces.flatMap(() => [frame, ...UNIT_VECTORS.map(() => TRACKS.speed)]),
    ...free,
  ];
  let kept = awayFrom(first);
  let values = [...valuesOf(first), ...free];
  let deviations: readonly number[] = [];
  for (let round = 0; round < 2; round++) {
    const residuals = (tried: readonly number[]): number[] => {
      const [path, radius, forces] = [pathIn(tried), radiusIn(tried), forcesIn(tried)];
      const times = kept.map(({ time }) => time);
      return statesAlong(path, times, forces).flatMap(({ position }, k) =>
        residualsOf(kept[k], position, radius, camera),
      );
    };
    ({ values, deviations } = leastSquares(residuals, values, scales, SUFFICIENT_GAIN));
    kept = awayFrom(pathIn(values));
  }
  const [path, radius, forces] = [pathIn(values), radiusIn(values), forcesIn(values)];
  const pull = isPullFree ? values.at(-1)! : usualPull;
  if (isPullFree && pull !== inRange(pull))
    return fitFlight(points, segments, camera, {
      ...known,
      gravity: scale(known.gravity, inRange(pull) / usualPull),
      isGravityFree: false,
    });
  const off = kept.map((p) => {
    const seen = seenAt(stateOnPath(path, p.time, forces).position, radius, camera);
    return (seen.x - p.x) ** 2 + (seen.y - p.y) ** 2;
  });
  return {
    time: path.time,
    position: path.position,
    velocity: path.velocity,
    radius,
    gravity: pull,
    drag: known.drag,
    contacts: path.contacts.map(({ time, velocity }) => contactOf(path, time, velocity, forces)),
    residual: Math.sqrt(off.reduce((sum, square) => sum + square, 0) / off.length),
    deviations: { position: deviations.slice(0, 3), velocity: deviations.slice(3, 6) },
    without: points.filter((p) => !kept.includes(p)).map((p) => p.frame),
    at: (when) => stateOnPath(path, when, forces),
  };
}

/** Gain in the sum of squares of residuals of standard deviation 1 below which a flight is only a start for what fits better. */
const SUFFICIENT_GAIN = 1e-4;

/** The size of gravity, m/s^2, or the nearest that a search may start from. */
const inRange = (pull: number): number => Math.min(Math.max(pull, TRACKS.gravities[0]), TRACKS.gravities[1]);

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
  known: Forces,
): Path {
  const time = begin[0].time;
  const fallen = (t: number): V3 => known.gravity.map((g) => (g * t * t) / 2);
  const unknowns = unknownsInSight(begin, camera, (when) => {
    const t = when - time;
    return {
      constantPart: fallen(t),
      derivatives: [...UNIT_VECTORS, ...UNIT_VECTORS.map((axis) => axis.map((c) => c * t))],
    };
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
    const { position, velocity } = stateOnPath(path, contact, known);
    const leaving = unknownsInSight(after, camera, (when) => {
      const t = when - contact;
      return {
        constantPart: fallen(t).map((c, k) => c + position[k]),
        derivatives: UNIT_VECTORS.map((axis) => axis.map((c) => c * t)),
      };
    });
    path = { ...path, contacts: [...path.contacts, { time: contact, velocity: leaving ?? velocity }] };
    last = after.at(-1)!;
  }
  return path;
}

const UNIT_VECTORS: readonly V3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

/** Radius, m, for which a ball on this path has the areas of the track: the median over the points. */
function radiusOf(points: readonly TrackPoint[], path: Path, camera: FilmCamera, known: Forces): number {
  const radii = points.map(({ time, area }) => {
    const { position } = stateOnPath(path, time, known);
    const small = 1e-3;
    return small * Math.sqrt(area! / seenBall(camera, position, small).area);
  });
  return upperMedian(radii);
}

function seenAt(position: V3, radius: number | undefined, camera: FilmCamera): { x: number; y: number; area?: number } {
  if (radius !== undefined) return seenBall(camera, position, radius);
  const [x, y] = camera.project(position);
  return { x, y };
}

/** Residuals of a point's position and area, in standard deviations. */
function residualsOf(point: TrackPoint, position: V3, radius: number | undefined, camera: FilmCamera): number[] {
  const seen = seenAt(position, radius, camera);
  const off = [(seen.x - point.x) / TRACKS.place, (seen.y - point.y) / TRACKS.place];
  if (seen.area === undefined || point.area === undefined) return off;
  // A rim with the same error all around.
  const rim = 2 * TRACKS.place * Math.sqrt(Math.PI / point.area);
  return [...off, Math.log(seen.area / point.area) / Math.max(point.areaError ?? 0, rim)];
}

function contactOf(path: Path, time: number, after: V3, known: Forces): Contact {
  const earlier = { ...path, contacts: path.contacts.filter((contact) => contact.time < time) };
  const { position, velocity: before } = stateOnPath(earlier, time, known);
  return { time, position, before, after, restitution: -dot(after, known.gravity) / dot(before, known.gravity) };
}
