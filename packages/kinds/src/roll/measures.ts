import {
  ballMeasures,
  cameraMeasures,
  gravityMeasures,
  lengthMeasures,
  type Measures,
  movingFilmMeasures,
} from '@gradsim/kinds/define';

/** Measurements of a ball that rolls. */
export const measures = {
  ...movingFilmMeasures,
  ...ballMeasures,
  angle: {
    what: 'Angle of the incline, degrees, 0 of a level one; null to find it from the film, of a camera that was held level to angleTolerance.',
    type: 'tolerance',
    quantity: 'angle',
    default: null,
    isFirst: true,
  },
  factor: {
    what: 'Inertia factor I / (m r^2), if known: 0.4 of a solid ball, 0.667 of a hollow one, more in a groove; null to find it.',
    type: 'positive',
    default: null,
  },
  friction: {
    what: 'Rolling friction as a part of the force that presses the ball on, if known.',
    type: 'tolerance',
    default: null,
    unknown: 'rolling friction',
  },
  ...gravityMeasures,
  ...lengthMeasures,
  ...cameraMeasures,
} as const satisfies Measures;
