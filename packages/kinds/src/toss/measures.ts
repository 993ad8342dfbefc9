import { filmMeasures, type Measures, placedCameraMeasures, worldMeasures } from '@gradsim/kinds/define';

/** What is measured for a toss. */
export const measures = {
  ...filmMeasures,
  size: { what: 'Size of the box, m: its three sides.', type: 'vector', quantity: 'length', isFirst: true },
  gravity: {
    what: 'Gravity, m/s^2; null to estimate it as well.',
    type: 'positive',
    quantity: 'acceleration',
    default: 9.81,
    isOptional: true,
  },
  ...worldMeasures,
  ...placedCameraMeasures,
} as const satisfies Measures;
