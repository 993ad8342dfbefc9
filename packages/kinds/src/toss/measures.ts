import { filmMeasures, gravityMeasures, type Measures, placedCameraMeasures } from '@gradsim/kinds/define';

/** Measurements of a toss. */
export const measures = {
  ...filmMeasures,
  size: { what: 'Size of the box, m: its three sides.', type: 'vector', quantity: 'length', isFirst: true },
  ...gravityMeasures,
  ...placedCameraMeasures,
} as const satisfies Measures;
