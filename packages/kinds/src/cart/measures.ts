import { lensMeasures, type Measures, markedMeasures, movingFilmMeasures } from '@gradsim/kinds/define';

/** Measurements of a cart. */
export const measures = {
  ...movingFilmMeasures,
  ends: {
    what: 'Two ends of a length along the track where the near side of the cart runs, marked in the film: x, y of each, px.',
    type: 'numbers',
    isFirst: true,
  },
  span: markedMeasures.span,
  angle: {
    what: 'Angle of the track, degrees, 0 of a level one, to find friction; null to find the acceleration.',
    type: 'tolerance',
    quantity: 'angle',
    default: null,
    isFirst: true,
  },
  gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
  ...lensMeasures,
} as const satisfies Measures;
