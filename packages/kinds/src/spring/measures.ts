import { ballMeasures, cameraMeasures, lengthMeasures, type Measures, movingFilmMeasures } from '@gradsim/kinds/define';

/** Measurements of a ball on a spring. */
export const measures = {
  ...movingFilmMeasures,
  ...ballMeasures,
  mass: {
    what: 'Mass of the ball with its hook, kg; null to find it, if the stiffness is known.',
    type: 'positive',
    quantity: 'mass',
    default: null,
    isFirst: true,
  },
  stiffness: {
    what: 'Stiffness of the spring, N/m, if known; null to find it, if the mass is known.',
    type: 'positive',
    default: null,
  },
  springMass: {
    what: 'Mass of the spring, kg, of which a third moves with the ball.',
    type: 'tolerance',
    quantity: 'mass',
    default: 0,
  },
  massTolerance: {
    what: 'Standard deviation of measured masses and of the stiffness, as a part of each; 0 of exact ones.',
    type: 'tolerance',
    quantity: 'part',
    default: 0.01,
  },
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
