import {
  ballMeasures,
  cameraMeasures,
  lengthMeasures,
  type Measures,
  movingFilmMeasures,
  worldMeasures,
} from '@gradsim/kinds/define';

/** Measurements of a pendulum. */
export const measures = {
  ...movingFilmMeasures,
  length: {
    what: "Length from the pivot to the ball's centre, m; null if a length is marked, and nobody measured it.",
    type: 'positive',
    quantity: 'length',
    unless: ['ends'],
    isFirst: true,
  },
  ...ballMeasures,
  gravity: {
    what: 'Gravity, m/s^2, if known; null to estimate it.',
    type: 'positive',
    quantity: 'acceleration',
    default: null,
  },
  ...worldMeasures,
  pivot: {
    what: 'Position of the pivot, m, if the camera is known: then wrong lengths are detected.',
    type: 'vector',
    quantity: 'place',
    default: null,
  },
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
