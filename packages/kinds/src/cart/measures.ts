import { cameraMeasures, type Measures, movingFilmMeasures } from '@gradsim/kinds/define';

const { eye: _eye, target: _target, ...lens } = cameraMeasures;

/** Measurements of a cart. */
export const measures = {
  ...movingFilmMeasures,
  ends: {
    what: 'Two ends of a length along the track where the near side of the cart runs, marked in the film: x, y of each, px.',
    type: 'numbers',
    isFirst: true,
  },
  span: {
    what: 'Distance between the marked ends, m.',
    type: 'positive',
    quantity: 'length',
    isFirst: true,
  },
  angle: {
    what: 'Angle of the track, degrees, 0 of a level one, to find friction; null to find the acceleration.',
    type: 'tolerance',
    quantity: 'angle',
    default: null,
    isFirst: true,
  },
  gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
  ...lens,
} as const satisfies Measures;
