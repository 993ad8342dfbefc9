import { lengthMeasures, movingFilmMeasures } from '@gradsim/kinds';
import type { ShownKind } from '../../../packages/gradsim/src/studio/kind-file.ts';

/** Kind without a model: its measures are the options of `gradsim track`. */
export const TRACK: ShownKind = {
  name: 'track only',
  version: 1,
  title: 'Anything else: follow it',
  finds:
    'place, speed, acceleration and energy of what moves, and fits formulas that you type; no kind of motion is assumed',
  answers: [],
  meaning: {},
  marked: 'such as a metre rule or a door',
  drawing: `
    <path class="ground" d="M12 6V82H152"/>
    <path class="path" d="M20 74C50 6 80 6 100 52S128 70 146 20"/>
    <circle class="thing" cx="36" cy="44" r="4"/><circle class="thing" cx="62" cy="24" r="4"/>
    <circle class="thing" cx="88" cy="34" r="4"/><circle class="thing" cx="112" cy="61" r="4"/>
    <circle class="thing" cx="140" cy="34" r="7"/>
    <text x="2" y="14">y</text><text x="140" y="80">x</text>`,
  measures: {
    ...movingFilmMeasures,
    size: {
      what: 'Diameter of the thing, m; empty if a length is marked in the film.',
      type: 'positive',
      quantity: 'length',
      unless: ['ends'],
      isFirst: true,
    },
    mass: {
      what: 'Mass of the thing, kg, for its energies.',
      type: 'positive',
      quantity: 'mass',
      default: null,
      isFirst: true,
    },
    ...lengthMeasures,
    lengthTolerance: {
      what: 'Standard deviation of the known length, as a part of it: 0.01 is 1 %.',
      type: 'tolerance',
      quantity: 'part',
      default: 0.01,
    },
    axis: {
      what: 'Angle of the x axis, degrees counter-clockwise from the right.',
      type: 'number',
      quantity: 'turn',
      default: 0,
    },
    gravity: {
      what: 'Acceleration of free fall, m/s^2, for the potential energy.',
      type: 'positive',
      quantity: 'acceleration',
      default: 9.81,
    },
    window: {
      what: 'Number of points, odd, through which speeds and accelerations are found; empty: as many as noise allows.',
      type: 'positive',
      default: null,
    },
    markError: {
      what: 'Standard error of a click on the thing, px; empty: that of a hand, by the size of the picture.',
      type: 'positive',
      default: null,
    },
    marksAlone: {
      what: 'yes if only your clicks on the thing count, and it is not followed by itself.',
      type: ['no', 'yes'],
      default: 'no',
    },
    // By clicks on the film, and beside the graphs.
    origin: { what: 'Place of the origin, px.', type: 'numbers', default: null },
    marks: { what: 'Clicks on the thing: frame, x, y of each, px.', type: 'numbers', default: null },
    fit: { what: 'Formulas that are fitted, between semicolons.', type: 'text', default: null },
    start: { what: 'Values at which their searches start.', type: 'text', default: null },
  },
};

/** Measures that the form has no field for. */
export const SET_ELSEWHERE: readonly string[] = ['origin', 'marks', 'fit', 'start'];
