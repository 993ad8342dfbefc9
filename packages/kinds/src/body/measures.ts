import type { Measures } from '@gradsim/kinds/define';

/** Measurements of a tracked body. */
export const measures = {
  poses: {
    what: 'CSV of tracked poses of the centre of mass: time, x, y, z in m, and the quaternion qx, qy, qz, qw.',
    type: 'data',
    option: '--poses FILE',
  },
  body: { what: 'The body, of several in the column body of the CSV.', type: 'text', default: null },
  frameRate: { what: 'Frames a second, if the CSV has no times.', type: 'positive', default: null },
  size: {
    what: 'Size of the body, m, if it is a box: three sides.',
    type: 'vector',
    quantity: 'length',
    unless: ['mesh'],
  },
  mesh: {
    what: 'Shape of another body, m: .obj, .stl, .gltf or .glb, from its centre of mass; its vertices touch.',
    type: 'data',
    default: null,
  },
  mass: { what: 'Mass, kg.', type: 'positive' },
  inertia: {
    what: 'Moments of inertia about its axes, kg m^2; null: those of the shape, homogeneous.',
    type: 'vector',
    default: null,
  },
  gravity: { what: "Gravity in the tracker's axes, m/s^2.", type: 'vector', default: [0, 0, -9.81] },
  up: { what: 'Direction away from the floor.', type: 'vector', default: [0, 0, 1] },
  floor: { what: 'Distance of the floor from the origin in that direction, m.', type: 'number', default: 0 },
  positionNoise: {
    what: 'Standard deviation of tracked positions from a rigid body, m; null: the scatter between frames.',
    type: 'positive',
    default: null,
  },
  angleNoise: { what: 'The same of orientations, degrees.', type: 'positive', default: null },
} as const satisfies Measures;
