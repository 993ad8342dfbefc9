import { GradsimError } from '@gradsim/core';
import { type Circle, givenLength } from '@gradsim/film';
import type { MeasuredBy } from '@gradsim/kinds/define';
import { ballInertia } from '@gradsim/mesh';
import type { Check, GivenSpec, NamedValues, ParameterSpec, Posterior } from '@gradsim/optim';
import type { measures } from './measures.ts';

export const [CONE, RATE, AZIMUTH, WIDENS] = ['angle of the cone', 'angular velocity', 'azimuth', 'widening'];
const RADIANS = Math.PI / 180;
/** Ratio of the axes of its ellipse below which a ball does not go round in a circle. Judged. */
const MIN_AXIS_RATIO = 0.7;

/** Length and angle of a conical pendulum, and the gravity that turns it: length or gravity given, or both. */
interface Cone {
  /** Values at which the search starts, m, degrees and m/s^2. */
  readonly length: number;
  readonly angle: number;
  readonly pull: number;
  readonly parameters: readonly ParameterSpec[];
  readonly given: readonly GivenSpec[];
}

/**
 * Length and angle by the circle from the track, and gravity by g = w^2 l cos a.
 * @throws where neither length nor gravity was measured, and for a circle that is wider than the string is long.
 */
export function coneOf(measured: MeasuredBy<typeof measures>, { around, rate, damping }: Circle): Cone {
  const { length: known, gravity } = measured;
  if (known === null && gravity === null)
    throw new GradsimError('kinds/one-of-two', 'conical: length and gravity are both null.', {
      field: 'length',
      hint: 'A film shows one period: give the length of the string to find gravity, or gravity to find the length.',
    });
  const length = known ?? Math.hypot(around, gravity! / rate ** 2);
  if (!(around < length))
    throw new GradsimError(
      'kinds/wide-circle',
      `conical: the circle has a radius of ${around.toFixed(3)} m, and the string a length of ${length} m.`,
      { field: 'length', hint: 'The string is longer than the radius of its circle. Is the radius of the ball right?' },
    );
  const angle = Math.asin(around / length);
  return {
    length,
    angle: angle / RADIANS,
    pull: gravity ?? rate ** 2 * length * Math.cos(angle),
    parameters: [
      ...(known === null ? [{ name: 'length', initial: length, transform: 'log', unit: 'm' } as const] : []),
      { name: CONE, initial: angle / RADIANS, scale: 2, unit: 'degrees' },
      { name: RATE, initial: rate, scale: 0.1, unit: 'rad/s' },
      { name: WIDENS, initial: -damping * Math.tan(angle), scale: 0.1, unit: 'rad/s' },
    ],
    given: known === null ? [] : [givenLength('length', known, measured)],
  };
}

/** Orientation of the string, from straight down, at values: about the vertical, after it has leaned out. */
export function orientationOf(v: NamedValues): number[] {
  const [lean, turn] = [(-v[CONE] * RADIANS) / 2, v[AZIMUTH] / 2];
  const [s, c, sy, cy] = [Math.sin(lean), Math.cos(lean), Math.sin(turn), Math.cos(turn)];
  return [cy * s, sy * c, -sy * s, cy * c];
}

/** Angular velocity of the string in its own axes at values, without a spin about itself. */
export const spinOf = (v: NamedValues): number[] => [-v[WIDENS], 0, v[RATE] * Math.sin(v[CONE] * RADIANS)];

/** Height of the hook above the ball at values, m. */
export const heightOf = (v: NamedValues): number => v.length * Math.cos(v[CONE] * RADIANS);

/**
 * Moment of inertia about the hook of a body of mass 1 that swings as the ball does, kg m^2. The motion follows from it over
 * mass times distance of the centre: the body has its centre half way down, and a half of the moment, in place of a ball, whose
 * moment about the string is so small that it would need small steps.
 */
export const momentOf = (length: number, radius: number): number => (length ** 2 + ballInertia(radius)[0]) / 2;

/** Inertia tensor of that body about its centre, the same about all axes. */
export const inertiaOf = (length: number, radius: number): number[] =>
  Array.from({ length: 9 }, (_, at) => (at % 4 === 0 ? momentOf(length, radius) - (length / 2) ** 2 : 0));

/** Check that the ball goes round in about a circle: a swing in a plane obeys the same equations. */
export const roundCheck = (measured: MeasuredBy<typeof measures>): Check<Posterior> => ({
  kind: 'check',
  rank: 55,
  isCritical: true,
  find: ({ names, values }) => {
    const at = (name: string): number => values[names.indexOf(name)];
    const length = measured.length ?? at('length');
    const cone = at(CONE) * RADIANS;
    const frequency = Math.sqrt((measured.gravity ?? at('gravity')) / length / Math.cos(cone));
    // Of the ellipse of a small swing with this place and velocity: sum of the squares and product of its half axes.
    const [far, along, outwards] = [
      Math.sin(cone),
      (Math.sin(cone) * at(RATE)) / frequency,
      (Math.cos(cone) * at(WIDENS)) / frequency,
    ];
    const [squares, product] = [far ** 2 + along ** 2 + outwards ** 2, Math.abs(far * along)];
    const ratio = (squares - Math.sqrt(Math.max(0, squares ** 2 - 4 * product ** 2))) / (2 * product);
    if (ratio > MIN_AXIS_RATIO) return null;
    return {
      note: `The ball does not go round in a circle: one way it swings ${ratio.toFixed(2)} times as far as the other. If it swings in a plane, that is the kind pendulum, by gradsim new pendulum.`,
    };
  },
});
