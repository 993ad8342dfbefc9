import {
  ballMeasures,
  cameraMeasures,
  lengthMeasures,
  type Measures,
  movingFilmMeasures,
  worldMeasures,
} from '@gradsim/kinds/define';

/** Measurements of a conical pendulum. */
export const measures = {
  ...movingFilmMeasures,
  length: {
    what: "Length of the string from its hook to the ball's centre, m, to find gravity; null to find it, by gravity.",
    type: 'positive',
    quantity: 'length',
    default: null,
    isFirst: true,
  },
  ...ballMeasures,
  gravity: {
    what: 'Gravity, m/s^2, to find the length; null to find it.',
    type: 'positive',
    quantity: 'acceleration',
    default: null,
  },
  ...worldMeasures,
  ...lengthMeasures,
  ends: {
    ...lengthMeasures.ends,
    what: 'Two ends of a length in the upright plane through the hook that faces the camera: x, y of each, px.',
  },
  ...cameraMeasures,
} as const satisfies Measures;
