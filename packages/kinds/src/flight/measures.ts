import {
  ballMeasures,
  cameraMeasures,
  lengthMeasures,
  type Measures,
  massMeasures,
  movingFilmMeasures,
  worldMeasures,
} from '@gradsim/kinds/define';

/** Measurements of a ball that flies. */
export const measures = {
  ...movingFilmMeasures,
  ...ballMeasures,
  ...massMeasures,
  gravity: {
    what: 'Gravity, m/s^2, if known; null to estimate it.',
    type: 'positive',
    quantity: 'acceleration',
    default: null,
  },
  ...worldMeasures,
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
