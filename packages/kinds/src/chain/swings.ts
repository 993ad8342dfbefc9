import { Link } from '@gradsim/articulated';
import { GradsimError } from '@gradsim/core';
import { givenLength, type Swing } from '@gradsim/film';
import type { MeasuredBy } from '@gradsim/kinds/define';
import type { GivenSpec, NamedValues, ParameterSpec, TieSpec } from '@gradsim/optim';
import type { measures } from './measures.ts';
import { RODS } from './rods.ts';

/**
 * Squared angular frequencies of the slowest swings of a chain that bends freely, in g / l: a quarter of the squared zeros of
 * the Bessel function J0 (D. Bernoulli, 1733).
 */
const SQUARED_FREQUENCIES = [1.445796, 7.61782, 18.721752];
/** Terms of the series of J0: 1e-9 up to its third zero. */
const TERMS = 24;

/** Deflection of a swing at a part of the length from the free end, of 1 there: J0(2 sqrt(w^2 u)), w^2 in g / l. */
function deflection(square: number, part: number): number {
  let [term, sum] = [1, 1];
  for (let k = 1; k < TERMS; k++) {
    term *= (-square * part) / k ** 2;
    sum += term;
  }
  return sum;
}

/** Angles of the rods from straight down in each swing, from the upper end on, where the free end is 1 length to the side. */
const ANGLES = SQUARED_FREQUENCIES.map((square) => {
  let [place, aside] = [1, 0];
  return RODS.map((part) => {
    const before = aside;
    place -= part;
    aside = deflection(square, place);
    return (aside - before) / part;
  });
});

const [SWING, RATE] = ['swing', 'rate'];

/** Unknowns of the chain's swings, its length and gravity. */
interface Swings {
  /** Values at which the search starts, m and m/s^2. */
  readonly length: number;
  readonly pull: number;
  readonly parameters: readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
}

/** Distance of the middle from straight below the upper end in the slowest swing, in that of the free end: of J0, its mean. */
const MIDDLE = 0.431754;

/** Ratio of the slope of the straight line nearest to the chain in that swing to the angle of its middle. */
export const LEAN = 1.15;

/**
 * Length and gravity of a chain: one of them given, or both.
 * @param swing of its middle about a point half of a length above it.
 * @throws where neither was measured.
 */
export function swingsOf(measured: MeasuredBy<typeof measures>, swing: Swing): Swings {
  const { length: known, gravity } = measured;
  if (known === null && gravity === null)
    throw new GradsimError('kinds/one-of-two', 'chain: length and gravity are both null.', {
      field: 'length',
      hint: 'A film shows one period: give the length of the chain to find gravity, or gravity to find the length.',
    });
  // The period shows the gravity of a point at the swing's length; a chain's is by the first of its frequencies.
  const square = (swing.pull ?? 2 * 9.81) / swing.length;
  const length = known ?? (SQUARED_FREQUENCIES[0] * gravity!) / square;
  const far = swing.length / length / MIDDLE;
  const start = { angle: far * swing.angle, rate: far * swing.rate };
  return {
    length,
    pull: gravity ?? (square * length) / SQUARED_FREQUENCIES[0],
    parameters: [
      ...(known === null ? [{ name: 'length', initial: length, transform: 'log', unit: 'm' } as const] : []),
      ...SQUARED_FREQUENCIES.flatMap((_, k): ParameterSpec[] => [
        { name: `${SWING} ${k + 1}`, initial: k === 0 ? start.angle : 0, scale: 0.05, unit: 'rad' },
        { name: `${RATE} ${k + 1}`, initial: k === 0 ? start.rate : 0, scale: 0.2, unit: 'rad/s' },
      ]),
    ],
    given: known === null ? [] : [givenLength('length', known, measured)],
  };
}

/** Ties of the angles between each rod and the one above, rad, and of their rates, rad/s. */
export const swingTies: readonly TieSpec[] = [
  { field: Link.coordinate, elements: [...ANGLES[0].keys()], compute: (v) => between(v, SWING) },
  { field: Link.rate, elements: [...ANGLES[0].keys()], compute: (v) => between(v, RATE) },
];

function between(v: NamedValues, what: string): number[] {
  const angles = RODS.map((_, rod) => ANGLES.reduce((sum, own, k) => sum + v[`${what} ${k + 1}`] * own[rod], 0));
  return angles.map((angle, rod) => angle - (angles[rod - 1] ?? 0));
}

/** Period of the slowest swing, s, where it is small. */
export const periodOf = (length: number, pull: number): number =>
  (2 * Math.PI) / Math.sqrt((SQUARED_FREQUENCIES[0] * pull) / length);
