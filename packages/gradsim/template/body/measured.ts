import type { Measured } from './body.ts';

/** Measurements of recording and scene: fill them in, and leave null what you do not know. */
export const measured: Measured = {
  /** CSV of tracked poses of the centre of mass: time, x, y, z in m, and the quaternion qx, qy, qz, qw. */
  poses: './poses.csv',
  /** The body, of several in the column body of the CSV. */
  body: null,
  /** Frames a second, if the CSV has no times. */
  frameRate: null,
  /** Size of the body, m, if it is a box: three sides. */
  size: [0.1, 0.1, 0.1],
  /** Shape of another body, m: .obj, .stl, .gltf or .glb, from its centre of mass; its vertices touch. */
  mesh: null,
  /** Mass, kg. */
  mass: 0.37,
  /** Moments of inertia about its axes, kg m^2; null: those of the shape, homogeneous. */
  inertia: null,
  /** Gravity in the tracker's axes, m/s^2. */
  gravity: [0, 0, -9.81],
  /** Direction away from the floor. */
  up: [0, 0, 1],
  /** Distance of the floor from the origin in that direction, m. */
  floor: 0,
  /** Standard deviation of tracked positions from a rigid body, m; null: the scatter between frames. */
  positionNoise: null,
  /** The same of orientations, degrees. */
  angleNoise: null,
};
