import { filmMeasures, lensMeasures, type Measures, markedMeasures } from '@gradsim/kinds/define';

/** Measurements of two things that collide. */
export const measures = {
  ...filmMeasures,
  seen: {
    what: 'Seen from the side, meeting on a level line, or from above, meeting anyhow.',
    type: ['side', 'above'],
    default: 'side',
    isFirst: true,
  },
  ends: {
    what: 'Two ends of a length along the line on which they move, or in the plane, marked in the film: x, y of each, px.',
    type: 'numbers',
    isFirst: true,
  },
  span: markedMeasures.span,
  mass: {
    what: 'Mass of the first, kg, which is the faster one before they touch; null if nobody weighed it.',
    type: 'positive',
    quantity: 'mass',
    default: null,
    isFirst: true,
  },
  secondMass: {
    what: 'Mass of the second, kg; null to find it, or the ratio of both masses.',
    type: 'positive',
    quantity: 'mass',
    default: null,
    unknown: 'mass of the second',
    isFirst: true,
  },
  massTolerance: {
    what: 'Standard deviation of measured masses, as a part of each: 0.01 is 1 %.',
    type: 'tolerance',
    quantity: 'part',
    default: 0.01,
  },
  ...lensMeasures,
} as const satisfies Measures;
