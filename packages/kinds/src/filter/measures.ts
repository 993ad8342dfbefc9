import { lensMeasures, type Measures, markedMeasures, movingFilmMeasures } from '@gradsim/kinds/define';

/** Measurements of a coffee filter that falls. */
export const measures = {
  ...movingFilmMeasures,
  ...markedMeasures,
  gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
  ...lensMeasures,
} as const satisfies Measures;
