import { type Measures, movingFilmMeasures, placedCameraMeasures } from '@gradsim/kinds/define';

/** Measurements of a slide. */
export const measures = {
  ...movingFilmMeasures,
  size: {
    what: 'Size of the box, m: along the incline, away from it, and across.',
    type: 'vector',
    quantity: 'length',
    isFirst: true,
  },
  angle: { what: 'Angle of the incline, degrees.', type: 'positive', quantity: 'angle', isFirst: true },
  point: {
    what: 'A point of the incline, m.',
    type: 'vector',
    default: [0, 0, 0],
  },
  gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
  corners: {
    what: 'Corners of a box on the incline, marked in a frame: number, x, y of each, px; then eye and target stay null.',
    type: 'numbers',
    default: null,
  },
  reference: {
    what: 'Size of the marked box, m: along the incline, away from it (0 for a sheet), across; null: the box that slides.',
    type: 'vector',
    default: null,
  },
  ...placedCameraMeasures,
  fieldOfView: {
    ...placedCameraMeasures.fieldOfView,
    what: 'Vertical field of view of the camera, degrees; null if its file has it, or corners are marked, and nobody knows it.',
    unless: ['camera', 'corners'],
  },
  eye: { ...placedCameraMeasures.eye, unless: ['camera', 'corners'] },
  target: { ...placedCameraMeasures.target, unless: ['camera', 'corners'] },
} as const satisfies Measures;
