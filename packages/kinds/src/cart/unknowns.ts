import { Link } from '@gradsim/articulated';
import type { ParameterSpec, Usual } from '@gradsim/optim';

/** Friction at which a search starts that sees it by the turn of a cart alone. */
export const USUAL_FRICTION = 0.01;
/** Friction of carts that run freely on wheels. A scale that is wrong is taken for friction. */
const ROLLS: Usual = {
  range: [0, 0.05],
  of: "a cart's",
  question:
    'Does it run on wheels? A box that slides is seen by gradsim new slide. Is the marked length right, and the angle of the track?',
};

/** The unknown acceleration along the track, m/s^2, and the angle of that in the picture, by its name. */
export const accelerationUnknowns = (initial: number, [angle, degrees]: readonly [string, number]): ParameterSpec[] => [
  { name: 'acceleration', field: Link.drive, initial, scale: 0.1, unit: 'm/s^2' },
  { name: angle, initial: degrees, scale: 2, unit: 'degrees' },
];

/** The unknown friction, which is above 0. */
export const frictionUnknown = (initial: number): ParameterSpec => ({
  name: 'friction',
  initial,
  transform: 'log',
  usual: ROLLS,
});
