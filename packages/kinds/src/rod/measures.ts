import { lensMeasures, type Measures, markedMeasures, movingFilmMeasures, worldMeasures } from '@gradsim/kinds/define';

/** Measurements of a rod or plate that swings. */
export const measures = {
  ...movingFilmMeasures,
  background: { what: 'A picture of the scene without the rod, which hides what is behind its pivot.', type: 'file' },
  length: {
    what: 'Distance from the pivot to the centre of mass, m: of a uniform rod that hangs from its end, half of its length.',
    type: 'positive',
    quantity: 'length',
    isFirst: true,
  },
  ...markedMeasures,
  gyration: {
    what: 'Radius of gyration about the centre of mass, m, to find gravity: of a rod its length over the root of 12; null to find it.',
    type: 'positive',
    quantity: 'length',
    default: null,
    unknown: 'radius of gyration',
  },
  gravity: {
    what: 'Gravity, m/s^2; null to find it, by the radius of gyration.',
    type: 'positive',
    quantity: 'acceleration',
    default: 9.81,
    isOptional: true,
  },
  ...worldMeasures,
  ...lensMeasures,
} as const satisfies Measures;
