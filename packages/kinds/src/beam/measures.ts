import { filmMeasures, type Measures, placedCameraMeasures } from '@gradsim/kinds/define';

/** Measurements of a beam. */
export const measures = {
  ...filmMeasures,
  background: { what: 'A picture of the scene without the beam.', type: 'file' },
  length: { what: 'Length of the beam from its clamp, m.', type: 'positive', quantity: 'length' },
  thickness: {
    what: 'Thickness in the direction of its swing, up and down, m.',
    type: 'positive',
    quantity: 'length',
  },
  width: { what: 'Width across that, m.', type: 'positive', quantity: 'length' },
  density: { what: 'Density, kg/m^3.', type: 'positive', quantity: 'density' },
  gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
  clamp: {
    what: 'Point at which its middle line leaves the clamp, m.',
    type: 'vector',
    default: [0, 0, 0],
  },
  ...placedCameraMeasures,
} as const satisfies Measures;
