import { lensMeasures, type Measures, movingFilmMeasures } from '@gradsim/kinds/define';

/** Measurements of a disc that spins and slows down. */
export const measures = {
  ...movingFilmMeasures,
  radius: {
    what: 'Radius of the circle on which the mark goes round, m, to the middle of the mark: scales its speed, and not what is found.',
    type: 'positive',
    quantity: 'length',
    isFirst: true,
  },
  dry: {
    what: 'Deceleration by dry friction of the axle, the same at any speed, rad/s^2, if known; 0 leaves it out; null to find it.',
    type: 'tolerance',
    default: null,
    unknown: 'dry friction',
  },
  viscous: {
    what: 'Deceleration by viscous friction, as of oil, as a part of the angular velocity, 1/s, if known; 0 leaves it out; null to find it.',
    type: 'tolerance',
    default: null,
    unknown: 'viscous friction',
  },
  air: {
    what: 'Deceleration by air, as a part of the squared angular velocity, 1/rad, if known; 0 leaves it out; null to find it.',
    type: 'tolerance',
    default: null,
    unknown: 'air friction',
  },
  inertia: {
    what: 'Moment of inertia of the disc, kg m^2, to find the torque of friction: half of mass times radius squared of a uniform one. Its error is not counted.',
    type: 'positive',
    default: null,
    isFirst: true,
  },
  ...lensMeasures,
} as const satisfies Measures;
