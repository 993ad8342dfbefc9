import {
  cameraMeasures,
  lengthMeasures,
  type Measures,
  movingFilmMeasures,
  worldMeasures,
} from '@gradsim/kinds/define';

/** What is measured for a ball. */
export const measures = {
  ...movingFilmMeasures,
  radius: {
    what: 'Radius of the ball, m; null if a length is marked, and nobody measured it.',
    type: 'positive',
    quantity: 'length',
    unless: ['ends'],
    isFirst: true,
  },
  gravity: {
    what: 'Gravity, m/s^2; null to estimate it as well.',
    type: 'positive',
    quantity: 'acceleration',
    default: 9.81,
    isOptional: true,
  },
  ...worldMeasures,
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
