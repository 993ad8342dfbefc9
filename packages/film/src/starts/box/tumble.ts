import { evenIndices, multiplyQuaternions, rotationAbout } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { FilmCamera } from '../../film-camera.ts';
import type { ObservedOutline } from '../../outlines/observed.ts';
import { BOX } from '../../tuning/box.ts';
import type { Flight } from '../fit-flight.ts';
import { leastSquares } from '../least-squares.ts';
import type { V3 } from '../path.ts';
import { boxOutline } from './outline.ts';
import { angleBetween, isFirstOfHalfTurns, orientations, spins } from './rotations.ts';
import { freelyTurned, halfTurnsOf, type Quaternion, type RotationState } from './turning.ts';

/** Options of {@link startsOfTumble}. */
export interface TumbleOptions {
  /** Size of the box along its axes, m. */
  readonly size: readonly number[];
  /** Flight of the box's middle, from its track. */
  readonly flight: Flight;
  /** Times of the film's frames, s, as `times` of a film. */
  readonly times: readonly number[];
  /**
   * First frame after the flight. Default: the frame of the flight's first contact, or the one after the last outline.
   */
  readonly end?: number;
  /** True if gravity is fitted too, so that it may differ from the flight's. Default false. */
  readonly falls?: boolean;
  /** Maximum angular speed that is tried, rad/s. Default 16. */
  readonly fastest?: number;
}

/** A rotation that fits the observed outlines. */
export interface Tumble {
  /** Orientation at frame 0, a unit quaternion (x, y, z, w). */
  readonly orientation: readonly number[];
  /** Angular velocity at frame 0, a vector in world axes, rad/s. */
  readonly angularVelocity: readonly number[];
  /**
   * Position and velocity of the box's middle at frame 0, m and m/s: the outlines of a box of known size determine its
   * distance better than its fall does.
   */
  readonly position: readonly number[];
  readonly velocity: readonly number[];
  /** Difference between the fitted gravity and the flight's, m/s^2. */
  readonly fall: number;
  /** Root mean square error of the outlines' reaches, px. */
  readonly residual: number;
}

/** Returns the first frame whose shutter may have been open at a contact. */
function firstAtContact(times: readonly number[], contact: number): number {
  const after = times.findIndex((time) => time > contact);
  const last = after < 0 ? times.length - 1 : after;
  const [from, to] = [times[last - 1], times[last]];
  return Math.floor(last - 1 + (contact - from) / (to - from) - 0.5);
}

/**
 * Orientation and angular velocity of a box in flight, from its outlines: orientations and angular velocities over the
 * whole range are compared by the reaches of the box's outline in 24 directions; the best are refined by least squares
 * over all frames of the flight, with Euler's equations for a box of uniform density. If outlines do not decide between
 * several rotations, all are returned, the best first: from far away, a box and its mirror image, front to back, have
 * equal outlines throughout. Rotations that differ by half turns about the box's axes are returned once.
 *
 * ```ts
 * const flight = startOfFlight(film.tracks[0], camera);
 * const [best, other] = startsOfTumble(observedOutlines(film), camera, { size: [0.1, 0.06, 0.04], flight, times: film.times });
 * ```
 * @throws for sizes that are not above 0, and fewer than 5 outlines in flight.
 */
export function startsOfTumble(
  outlines: readonly (ObservedOutline | null | undefined)[],
  camera: FilmCamera,
  options: TumbleOptions,
): Tumble[] {
  refuseUnknownOptions<TumbleOptions>('startsOfTumble', options, {
    size: 0,
    flight: 0,
    times: 0,
    end: 0,
    falls: 0,
    fastest: 0,
  });
  const { size, flight, times, falls = false, fastest = BOX.tumble.fastest } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new GradsimError('film/option-out-of-range', `startsOfTumble: size is (${size.join(', ')}).`, {
      field: 'size',
      hint: 'Give three lengths above 0, in metres.',
    });
  const contact = flight.contacts[0]?.time;
  // A frame whose shutter may have been open at the contact shows both sides of it.
  const end = options.end ?? (contact === undefined ? outlines.length : firstAtContact(times, contact));
  const seen = outlines.slice(0, end).flatMap((one, frame): OutlineLook[] => {
    if (!one?.reaches) return [];
    const time = times[frame];
    return [{ time, x: one.x, y: one.y, reaches: one.reaches, position: flight.at(time).position }];
  });
  if (seen.length < BOX.flight.fewest)
    throw new GradsimError(
      'film/track-too-short',
      `startsOfTumble: ${seen.length} outlines are seen before frame ${end}.`,
      { hint: `It takes ${BOX.flight.fewest} of a box in flight.` },
    );
  const search = { size, camera, flight, falls, looks: seen, middleTime: seen[seen.length >> 1].time };
  const some = evenIndices(seen.length, BOX.tumble.looks).map((k) => seen[k]);
  // On a few frames first, since most of these end in a false minimum.
  const rough = apart(nearestSpins(search, some, fastest), (search.looks[seen.length - 1].time - seen[0].time) / 2).map(
    (start) => refined(search, start, some, false),
  );
  return distinct(distinct(rough).map((one) => refined(search, one.middle, seen, true))).map(
    ({ middle: _, ...tumble }) => tumble,
  );
}

/** Data of a frame: its time, s, the outline's middle and reaches, px, and the position of the box's middle, m. */
interface OutlineLook {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly reaches: readonly number[];
  readonly position: V3;
}

interface Search {
  readonly size: V3;
  readonly camera: FilmCamera;
  readonly flight: Flight;
  /** True if gravity is fitted too. */
  readonly falls: boolean;
  readonly looks: readonly OutlineLook[];
  /** Time of the frame in the middle of the flight, at which orientations are tried, s. */
  readonly middleTime: number;
}

/** Rotation at the middle of the flight, and how much farther from the camera the box is than its flight says, a fraction. */
interface Turning extends RotationState {
  readonly farther: number;
}

/** Rotations at the middle of the flight whose outlines best match those of some frames, the best first. */
function nearestSpins(search: Search, some: readonly OutlineLook[], fastest: number): Turning[] {
  const { looks: seen, middleTime } = search;
  const { orientations: count, spun, spinStep, near } = BOX.tumble;
  const [first, here, last] = [seen[0], seen[seen.length >> 1], seen[seen.length - 1]];
  const alike = orientations(count)
    .filter(isFirstOfHalfTurns)
    .map((orientation) => ({ orientation, ...matched(search, [here], () => orientation) }))
    .sort((a, b) => a.squares - b.squares)
    .slice(0, spun);
  const tried = alike.flatMap(({ orientation }) =>
    spins(fastest, (2 * spinStep) / (last.time - first.time)).map((angularVelocity) => ({
      orientation,
      angularVelocity,
    })),
  );
  const nearest = (turnings: readonly RotationState[], looks: readonly OutlineLook[]) =>
    turnings
      .map(({ orientation, angularVelocity }) => ({
        orientation,
        angularVelocity,
        ...matched(search, looks, ({ time }) =>
          multiplyQuaternions(rotationAbout(angularVelocity, time - middleTime), orientation),
        ),
      }))
      .sort((a, b) => a.squares - b.squares);
  return nearest(nearest(tried, [first, last]).slice(0, near), some);
}

/**
 * Squared residuals of the reaches in some frames, px^2, of a box at the distance that suits them best: the area of a box that
 * turns tells its flight only a rough distance, and at a wrong one another rotation matches best.
 */
function matched(
  { size, camera }: Search,
  looks: readonly OutlineLook[],
  orientationAt: (look: OutlineLook) => Quaternion,
): { readonly squares: number; readonly farther: number } {
  let [own, both, given] = [0, 0, 0];
  for (const look of looks) {
    const { reaches } = boxOutline(size, { position: look.position, orientation: orientationAt(look) }, camera.project);
    for (let k = 0; k < reaches.length; k++) {
      own += reaches[k] ** 2;
      both += reaches[k] * look.reaches[k];
      given += look.reaches[k] ** 2;
    }
  }
  const most = BOX.tumble.mostLarger;
  const larger = Math.min(Math.max(both / own, 1 / most), most);
  return { squares: given - 2 * larger * both + larger ** 2 * own, farther: 1 / larger - 1 };
}

/** Best rotations that are distinct: of rotations close to each other throughout the flight, only the best is kept. */
function apart(sorted: readonly Turning[], seconds: number): Turning[] {
  const { apart: least, refined: most } = BOX.tumble;
  const kept: Turning[] = [];
  for (const one of sorted) {
    const isNear = kept.some(
      (other) =>
        angleBetween(one.orientation, other.orientation) < least.middle &&
        distance(one.angularVelocity, other.angularVelocity) * seconds < least.ends,
    );
    if (!isNear) kept.push(one);
    if (kept.length === most) break;
  }
  return kept;
}

/**
 * Refines a rotation and the box's distance by least squares over some frames.
 * @param flies true if all of the box's flight is refined as well.
 */
function refined(
  { size, camera, flight, falls, looks: seen, middleTime }: Search,
  { orientation, angularVelocity, farther }: Turning,
  looks: readonly OutlineLook[],
  flies: boolean,
): Tumble & { readonly middle: Turning } {
  const at = flight.at(0);
  const away = at.position.map((c, k) => c - camera.position[k]);
  /** Differences of position, velocity and gravity of a box that is farther away by this fraction. */
  const shiftBy = (by: number): number[] => [
    ...away.map((c) => by * c),
    ...at.velocity.map((v) => by * v),
    by * flight.gravity,
  ];
  const shiftOf = (values: readonly number[]): readonly number[] => (flies ? values.slice(6) : shiftBy(values[6]));
  const turningOf = (values: readonly number[]): RotationState => ({
    orientation: multiplyQuaternions(rotationAbout(values.slice(0, 3)), orientation),
    angularVelocity: values.slice(3, 6),
  });
  const residuals = (values: readonly number[]): number[] => {
    const turning = turningOf(values);
    const shift = shiftOf(values);
    return looks.flatMap((look) => {
      const { time } = look;
      const position = look.position.map(
        (c, k) => c + shift[k] + shift[3 + k] * time - (k === 1 ? ((shift[6] ?? 0) * time ** 2) / 2 : 0),
      );
      const turned = freelyTurned(turning, time - middleTime, size).orientation;
      return residualsOf({ size, camera }, { ...look, position }, turned, flies);
    });
  };
  const start = [0, 0, 0, ...angularVelocity, ...(flies ? shiftBy(farther).slice(0, falls ? 7 : 6) : [farther])];
  const { scales, distance, gain } = BOX.tumble;
  const { values, squares } = leastSquares(
    residuals,
    start,
    start.map((_, k) => (!flies && k === 6 ? distance : scales[Math.floor(k / 3)])),
    gain,
  );
  const shift = shiftOf(values);
  return {
    ...freelyTurned(turningOf(values), -middleTime, size),
    middle: { ...turningOf(values), farther: flies ? 0 : values[6] },
    position: at.position.map((c, k) => c + shift[k]),
    velocity: at.velocity.map((c, k) => c + shift[3 + k]),
    fall: shift[6] ?? 0,
    residual: Math.sqrt(squares / (looks.length * seen[0].reaches.length)),
  };
}

/** Residuals of a frame's reaches and, on request, of the outline's middle, px. */
function residualsOf(
  { size, camera }: Pick<Search, 'size' | 'camera'>,
  look: OutlineLook,
  orientation: Quaternion,
  hasMiddle = false,
): number[] {
  const { position, reaches } = look;
  const seen = boxOutline(size, { position, orientation }, camera.project);
  const off = seen.reaches.map((reach, k) => reach - reaches[k]);
  return hasMiddle ? [...off, BOX.tumble.middle * (seen.x - look.x), BOX.tumble.middle * (seen.y - look.y)] : off;
}

/**
 * Best solutions: without those much worse than the best, and without those equal to a better one up to a half rotation
 * about an axis of the box.
 */
function distinct<T extends Tumble>(found: readonly T[]): T[] {
  const { alike, same, most } = BOX.tumble;
  const kept: T[] = [];
  const sorted = [...found].sort((a, b) => a.residual - b.residual);
  for (const one of sorted) {
    if (one.residual > alike.times * sorted[0].residual + alike.pixels) break;
    const isKnown = kept.some(
      (other) =>
        distance(one.angularVelocity, other.angularVelocity) < same.spin &&
        halfTurnsOf(one.orientation).some((turned) => angleBetween(turned, other.orientation) < same.turn),
    );
    if (!isKnown) kept.push(one);
    if (kept.length === most) break;
  }
  return kept;
}

const distance = (a: V3, b: V3): number => Math.hypot(...a.map((c, k) => c - b[k]));
