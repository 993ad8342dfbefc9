import { refuseUnknownOptions } from '@gradsim/core';

import type { FilmCamera } from '../camera.ts';
import { hullOf } from '../outlines/hull.ts';
import { middleOf, reachesOf } from '../outlines/reach.ts';
import type { SeenOutline } from '../outlines/targets.ts';
import type { Flight } from './flight.ts';
import { leastSquares } from './least-squares.ts';
import type { V3 } from './path.ts';
import { type BoxState, freelyTurned, halfTurnsOf, type Quaternion, rotated, times, turnBy } from './turning.ts';

/** What is known of a box that flies and turns. */
export interface TumbleOptions {
  /** Of the box, along its axes, m. */
  readonly size: readonly number[];
  /** How its middle flies, from its track. */
  readonly flight: Flight;
  /** Frames a second. */
  readonly frameRate: number;
  /** The frame after the last that flies. Default: that of the flight's first contact, or the last outline. */
  readonly end?: number;
  /** Whether gravity may be another than that of the flight. Default false. */
  readonly falls?: boolean;
  /** The fastest turn that is looked for, rad/s. Default 16. */
  readonly fastest?: number;
}

/** A way of turning that shows the outlines that were seen. */
export interface Tumble {
  /** At frame 0, as a quaternion (x, y, z, w). */
  readonly orientation: readonly number[];
  /** At frame 0, in world axes, rad/s. */
  readonly angularVelocity: readonly number[];
  /** Of the box's middle at frame 0, m and m/s: outlines of a known size tell how far away it is better than a fall. */
  readonly position: readonly number[];
  readonly velocity: readonly number[];
  /** Gravity less that of the flight, m/s^2. */
  readonly fall: number;
  /** Root mean square by which reaches of outlines are off, pixels. */
  readonly residual: number;
}

/**
 * How a box that tumbles so is and moves, frame by frame.
 *
 * @param known size of the box, m; gravity, m/s^2, downwards; frames a second, and how many.
 */
export function statesOfTumble(
  { position, velocity, orientation, angularVelocity }: Tumble,
  known: {
    readonly size: readonly number[];
    readonly gravity: number;
    readonly frameRate: number;
    readonly frames: number;
  },
): BoxState[] {
  const { moments } = boxOf(known.size);
  return Array.from({ length: known.frames }, (_, frame) => {
    const time = frame / known.frameRate;
    const turned = freelyTurned({ orientation, spin: angularVelocity }, time, moments);
    const fallen = [0, -known.gravity * time, 0];
    return {
      position: position.map((c, k) => c + velocity[k] * time + (fallen[k] * time) / 2),
      velocity: velocity.map((c, k) => c + fallen[k]),
      orientation: turned.orientation,
      angularVelocity: turned.spin,
    };
  });
}

/** Orientations all around, of which a quarter are others than by a half turn, and how many of the best of these are spun. */
const ORIENTATIONS = 2400;
const SPUN = 50;
/** Spins that are tried turn it by so much more or less to either end, rad. */
const SPIN_STEP = 0.6;
/** So many of all these are near to the outlines at both ends. */
const NEAR = 1500;
/** The best of all these are refined, and at most so many are given. */
const REFINED = 24;
const MOST = 4;
/** Of what is nearest, those are as good that are off by so many times as much. */
const ALIKE = 1.6;
/** Frames that the first look takes. */
const LOOKS = 7;

/**
 * How a box turns in flight, from its outlines: orientations are tried all around, and spins, by how far the box's outline then
 * reaches in 24 directions; the best are refined by least squares over all frames of the flight, by Euler's equations for a box
 * that is the same all through. What an outline leaves open is given as several answers, the nearest first: seen from far, a box
 * and its mirror image front to back look alike all along. Half turns about the box's axes change nothing and are left out.
 *
 * ```ts
 * const flight = startOfFlight(film.tracks[0], camera);
 * const [best, other] = startsOfTumble(outlinesIn(film), camera, { size: [0.1, 0.06, 0.04], flight, frameRate: film.frameRate });
 * ```
 * @throws for sizes that are not above 0, and fewer than 5 outlines in flight.
 */
export function startsOfTumble(
  outlines: readonly (SeenOutline | null | undefined)[],
  camera: FilmCamera,
  options: TumbleOptions,
): Tumble[] {
  refuseUnknownOptions<TumbleOptions>('startsOfTumble', options, {
    size: 0,
    flight: 0,
    frameRate: 0,
    end: 0,
    falls: 0,
    fastest: 0,
  });
  const { size, flight, frameRate, falls = false, fastest = 16 } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new Error(`startsOfTumble: size is (${size.join(', ')}); give three lengths above 0, in metres.`);
  const contact = flight.contacts[0]?.time;
  // A frame whose shutter may have been open at the contact shows both sides of it.
  const end = options.end ?? (contact === undefined ? outlines.length : Math.floor(contact * frameRate - 0.5));
  const seen = outlines.slice(0, end).flatMap((one, frame): Look[] => {
    if (!one?.reaches) return [];
    const time = frame / frameRate;
    return [{ time, x: one.x, y: one.y, reaches: one.reaches, position: flight.at(time).position }];
  });
  if (seen.length < 5)
    throw new Error(
      `startsOfTumble: ${seen.length} outlines are seen before frame ${end}; it takes 5 of a box in flight.`,
    );
  const box = boxOf(size);
  const off = (looks: readonly Look[], at: (look: Look) => Quaternion): number[] =>
    looks.flatMap((look) => offBy(box, look, at(look), camera));
  const middle = seen[seen.length >> 1];
  const some = spread(seen, LOOKS);
  const near = orientations(ORIENTATIONS)
    .filter(isFirstOfHalfTurns)
    .map((orientation) => ({ orientation, squares: sum(offBy(box, middle, orientation, camera)) }))
    .sort((a, b) => a.squares - b.squares)
    .slice(0, SPUN);
  const span = seen[seen.length - 1].time - seen[0].time;
  const tried = near.flatMap(({ orientation }) =>
    spins(fastest, (2 * SPIN_STEP) / span).map((spin) => ({ orientation, spin })),
  );
  const nearest = (of: readonly Spun[], looks: readonly Look[]): (Spun & { squares: number })[] =>
    of
      .map(({ orientation, spin }) => ({
        orientation,
        spin,
        squares: sum(off(looks, ({ time }) => times(turnBy(spin, time - middle.time), orientation))),
      }))
      .sort((a, b) => a.squares - b.squares);
  const spun = nearest(nearest(tried, [seen[0], seen[seen.length - 1]]).slice(0, NEAR), some);
  // On a few frames first, since most of these end in a false minimum.
  const rough = apart(spun, span / 2).map((one) => refined(one, some, false));
  return distinct(distinct(rough).map(({ middle: one }) => refined(one, seen, true))).map(
    ({ middle: _, ...tumble }) => tumble,
  );

  /** @param flies whether its flight is refined as well. */
  function refined({ orientation, spin }: Spun, looks: readonly Look[], flies: boolean): Tumble & { middle: Spun } {
    const stateOf = (values: readonly number[]): Spun => ({
      orientation: times(turnBy(values.slice(0, 3), 1), orientation),
      spin: values.slice(3, 6),
    });
    const residuals = (values: readonly number[]): number[] => {
      const state = stateOf(values);
      const moved = (look: Look): Look =>
        flies
          ? {
              ...look,
              position: look.position.map(
                (c, k) =>
                  c +
                  values[6 + k] +
                  values[9 + k] * look.time -
                  (k === 1 && falls ? (values[12] * look.time ** 2) / 2 : 0),
              ),
            }
          : look;
      return looks.flatMap((look) => {
        const turned = freelyTurned(state, look.time - middle.time, box.moments).orientation;
        return offBy(box, moved(look), turned, camera, flies);
      });
    };
    const start = [0, 0, 0, ...spin, ...(flies ? Array<number>(falls ? 7 : 6).fill(0) : [])];
    const scales = start.map((_, k) => [0.05, 0.5, 0.02, 0.1, 0.5][Math.floor(k / 3)]);
    const { values, squares } = leastSquares(residuals, start, scales);
    const first = freelyTurned(stateOf(values), -middle.time, box.moments);
    const at = flight.at(0);
    const plus = (v: V3, from: number): number[] => v.map((c, k) => c + (flies ? values[from + k] : 0));
    return {
      orientation: first.orientation,
      angularVelocity: first.spin,
      middle: stateOf(values),
      position: plus(at.position, 6),
      velocity: plus(at.velocity, 9),
      fall: flies && falls ? values[12] : 0,
      residual: Math.sqrt(squares / (looks.length * seen[0].reaches.length)),
    };
  }

  /** The nearest of all, and of those near to one of them by a turn at either end only the nearest. */
  function apart(sorted: readonly Spun[], seconds: number): Spun[] {
    const kept: Spun[] = [];
    for (const one of sorted) {
      const isNear = kept.some(
        (other) =>
          angleBetween(one.orientation, other.orientation) < 0.35 &&
          Math.hypot(...one.spin.map((c, k) => c - other.spin[k])) * seconds < 0.5,
      );
      if (!isNear) kept.push(one);
      if (kept.length === REFINED) break;
    }
    return kept;
  }
}

/** A frame: when it is of, how far the outline reaches, and where the box's middle is. */
interface Look {
  readonly time: number;
  readonly x: number;
  readonly y: number;
  readonly reaches: readonly number[];
  readonly position: V3;
}

/** An orientation in the middle of the flight, and a spin, rad/s in world axes. */
interface Spun {
  readonly orientation: Quaternion;
  readonly spin: V3;
}

function boxOf(size: readonly number[]) {
  const signs = [-0.5, 0.5];
  const corners = signs.flatMap((x) => signs.flatMap((y) => signs.map((z) => [x * size[0], y * size[1], z * size[2]])));
  const [a, b, c] = size.map((side) => side * side);
  return { corners, moments: [b + c, a + c, a + b] };
}

/** A middle is known so many times as well as a single reach is. */
const MIDDLE = 3;

/** What each reach is off, and where that is asked for the middle, pixels. */
function offBy(
  { corners }: ReturnType<typeof boxOf>,
  look: Look,
  orientation: Quaternion,
  camera: FilmCamera,
  hasMiddle = false,
): number[] {
  const { position, reaches } = look;
  const shown = corners.map((corner) => camera.project(rotated(orientation, corner).map((c, k) => c + position[k])));
  const line = hullOf(shown);
  const { x, y } = middleOf(line);
  const off = reachesOf([line], x, y).map((reach, k) => reach - reaches[k]);
  return hasMiddle ? [...off, MIDDLE * (x - look.x), MIDDLE * (y - look.y)] : off;
}

/** Without those that are much worse, or the same but for a half turn about an axis of the box. */
function distinct<T extends Tumble>(found: readonly T[]): T[] {
  const kept: T[] = [];
  const [best] = [...found].sort((a, b) => a.residual - b.residual);
  for (const one of [...found].sort((a, b) => a.residual - b.residual)) {
    if (one.residual > ALIKE * best.residual + 0.2) break;
    const isKnown = kept.some(
      (other) =>
        Math.hypot(...one.angularVelocity.map((c, k) => c - other.angularVelocity[k])) < 1 &&
        halfTurnsOf(one.orientation).some((turned) => angleBetween(turned, other.orientation) < 0.2),
    );
    if (!isKnown) kept.push(one);
    if (kept.length === MOST) break;
  }
  return kept;
}

const angleBetween = (a: Quaternion, b: Quaternion): number =>
  2 * Math.acos(Math.min(1, Math.abs(a.reduce((total, c, k) => total + c * b[k], 0))));

/** Rotations evenly all around: a spiral over the sphere of quaternions. Source: M. Alexa, Super-Fibonacci Spirals, 2022. */
function orientations(count: number): Quaternion[] {
  const [phi, psi] = [Math.SQRT2, 1.533751168755204];
  return Array.from({ length: count }, (_, k) => {
    const s = k + 0.5;
    const [r, R] = [Math.sqrt(s / count), Math.sqrt(1 - s / count)];
    const [a, b] = [(2 * Math.PI * s) / phi, (2 * Math.PI * s) / psi];
    return [r * Math.sin(a), r * Math.cos(a), R * Math.sin(b), R * Math.cos(b)];
  });
}

/** Of a quaternion and those after half turns about the axes, the components trade places: one has the largest last. */
const isFirstOfHalfTurns = (q: Quaternion): boolean => q.every((component) => Math.abs(component) <= Math.abs(q[3]));

/** A grid within a ball. */
function spins(fastest: number, step: number): V3[] {
  const count = Math.ceil(fastest / step);
  const steps = Array.from({ length: 2 * count + 1 }, (_, k) => (k - count) * step);
  return steps
    .flatMap((x) => steps.flatMap((y) => steps.map((z) => [x, y, z])))
    .filter((spin) => Math.hypot(...spin) <= fastest);
}

/** So many of a list, evenly. */
const spread = <T>(all: readonly T[], count: number): T[] =>
  all.length <= count
    ? [...all]
    : Array.from({ length: count }, (_, k) => all[Math.round((k * (all.length - 1)) / (count - 1))]);

const sum = (off: readonly number[]): number => off.reduce((total, o) => total + o * o, 0);
