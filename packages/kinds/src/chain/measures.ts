import { lensMeasures, type Measures, markedMeasures, movingFilmMeasures, worldMeasures } from '@gradsim/kinds/define';

/** Measurements of a chain that swings. */
export const measures = {
  ...movingFilmMeasures,
  background: {
    what: 'A picture of the scene without the chain, which hides what is behind its upper end.',
    type: 'file',
  },
  length: {
    what: 'Length from where it hangs to its free end, m, to find gravity; null to find it, by gravity.',
    type: 'positive',
    quantity: 'length',
    default: null,
    isFirst: true,
  },
  ...markedMeasures,
  gravity: {
    what: 'Gravity, m/s^2, to find the length; null to find it.',
    type: 'positive',
    quantity: 'acceleration',
    default: null,
  },
  ...worldMeasures,
  ...lensMeasures,
} as const satisfies Measures;
