import { dot, linearLeastSquares, norm, subtract, type Vector, vectorOf } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';

/** A position at its time, s and m as they are read. */
export interface TimedPosition {
  readonly time: number;
  readonly position: readonly number[];
}

/** Least number of positions from whose parabola an acceleration is believed. */
const MIN_POSITIONS = 6;
/** Difference from gravity, as a part of it, that other forces and errors of a tracker explain. */
const EXPLAINED_DIFFERENCE = 0.3;
/** Standard errors that a difference must have to count. */
const MIN_SIGNIFICANCE = 5;
/** Factors by which units are mistaken, to what is right. */
const MISTAKEN_UNITS: Readonly<Record<string, number>> = { mm: 1e-3, cm: 1e-2, in: 0.0254 };
/** Metres that are read as millimetres, since a heading or an export names them so. */
const METRES_AS_MM = 1e3;

/**
 * Refuses a motion that does not fall with gravity at its beginning, but would with positions in another unit, on another
 * clock, or with gravity along another axis. What nothing of this explains passes: there are other forces.
 *
 * @throws GradsimError saying what fits, and how to say it.
 */
export function refuseOtherFall(name: string, positions: readonly TimedPosition[], given: readonly number[]): void {
  const gravity = vectorOf((c) => given[c]);
  const size = norm(gravity);
  if (size === 0) return;
  let doubted: Vector | undefined;
  for (
    let count = MIN_POSITIONS;
    count <= positions.length;
    count = Math.min(2 * count, Math.max(positions.length, count + 1))
  ) {
    const { acceleration, error } = fitParabola(positions.slice(0, count));
    if (norm(subtract(acceleration, gravity)) <= EXPLAINED_DIFFERENCE * size + MIN_SIGNIFICANCE * error) return;
    const isSure = MIN_SIGNIFICANCE * error < EXPLAINED_DIFFERENCE * norm(acceleration);
    if (isSure && doubted === undefined && explanationOf(acceleration, gravity) !== undefined) doubted = acceleration;
  }
  const explanation = doubted && explanationOf(doubted, gravity);
  if (!explanation) return;
  throw new GradsimError(
    'poses/not-a-fall',
    `${name} begins with an acceleration of (${doubted!.map((a) => Number(a.toPrecision(3))).join(', ')}) m/s^2, and gravity is (${gravity.join(', ')}): ${explanation.description}.`,
    { field: explanation.field, hint: explanation.hint },
  );
}

interface Explanation {
  readonly description: string;
  readonly field: string;
  readonly hint: string;
}

/** What turns an acceleration into that of gravity: a unit of length, a rate of the clock, or an axis. */
function explanationOf(acceleration: Vector, gravity: Vector): Explanation | undefined {
  const size = norm(gravity);
  const own = norm(acceleration);
  const isAlong = dot(acceleration, gravity) > (1 - EXPLAINED_DIFFERENCE / 2) * own * size;
  const isNear = (of: number): boolean => Math.abs(of / size - 1) <= EXPLAINED_DIFFERENCE;
  if (isNear(own)) {
    const axis = acceleration.findIndex((a) => Math.abs(a) > (1 - EXPLAINED_DIFFERENCE / 2) * own);
    if (axis < 0 || isAlong) return undefined;
    const sign = Math.sign(acceleration[axis]);
    const along = [0, 1, 2].map((c) => (c === axis ? sign * size : 0));
    const up = [0, 1, 2].map((c) => (c === axis ? -sign : 0));
    return {
      description: `it falls along ${sign < 0 ? '-' : ''}${'xyz'[axis]}`,
      field: 'gravity',
      hint: `Give gravity=${along.join(',')} and up=${up.join(',')}, in the axes of the tracker.`,
    };
  }
  const unit = Object.entries(MISTAKEN_UNITS).find(([, factor]) => isNear(own * factor));
  if (unit)
    return {
      description: `positions seem to be in ${unit[0]}`,
      field: 'x',
      hint: `Name the unit in the headings: x [${unit[0]}], y [${unit[0]}], z [${unit[0]}].`,
    };
  if (isNear(own * METRES_AS_MM))
    return {
      description: 'positions are 1000 times too small, as metres are that were read as mm',
      field: 'x',
      hint: 'Correct the unit in the headings or in the settings of the export: x [m], y [m], z [m].',
    };
  // Time t of the table is c t' of the motion: accelerations come out 1/c^2 of what they are.
  const clock = Math.sqrt(size / own);
  const whole = Math.round(clock > 1 ? clock : 1 / clock);
  if (!isAlong || whole < 3 || Math.abs((clock > 1 ? clock : 1 / clock) / whole - 1) > EXPLAINED_DIFFERENCE / 2)
    return undefined;
  const isSlow = clock > 1;
  return {
    description: `time is ${whole} times too ${isSlow ? 'long, as in slow motion' : 'short'}, or gravity is another`,
    field: 'time',
    hint: 'Give the times or the frame rate of the recording, or gravity as it is there.',
  };
}

/** Acceleration of a parabola through positions, by least squares, and its standard error of one component. */
function fitParabola(seen: readonly TimedPosition[]): { readonly acceleration: Vector; readonly error: number } {
  const length = seen[seen.length - 1].time - seen[0].time;
  const rows = seen.map(({ time }) => {
    const t = (time - seen[0].time) / length;
    return [1, t, (t * t) / 2];
  });
  const fits = [0, 1, 2].map((c) =>
    linearLeastSquares(
      rows,
      seen.map(({ position }) => position[c]),
    ),
  ) as number[][];
  let squares = 0;
  seen.forEach(({ position }, k) => {
    fits.forEach((fit, c) => {
      squares += (position[c] - fit.reduce((sum, x, i) => sum + x * rows[k][i], 0)) ** 2;
    });
  });
  const scatter = Math.sqrt(squares / Math.max(3 * (seen.length - 3), 1));
  // Standard error of the second derivative of a parabola through n evenly spaced values of scatter 1 over unit time.
  const error = scatter * Math.sqrt(720 / seen.length);
  return {
    acceleration: vectorOf((c) => fits[c][2] / (length * length)),
    error: error / (length * length),
  };
}
