import { OBJECTS } from '../scenes/objects.ts';
import type { Toss } from '../scenes/tossed.ts';

/** Toss of the sample film, with the true values that the experiment's estimates are compared with. */
export const SAMPLE: Toss = {
  mesh: OBJECTS.box,
  mass: 2.4,
  material: { ke: 320, kd: 6, kf: 25, mu: 0.45 },
  position: [-1.3, 1.1, 0],
  orientation: [0.18, 0.1, 0.27, 0.94],
  velocity: [0.3, 0.2, 0],
  angularVelocity: [0.8, 0.4, -0.6],
  impulse: [3, 2.2, 0.4],
  pushPoint: [0, 0.06, 0.03],
  camera: { target: [0.1, 0.6, 0], distance: 6, elevation: 0.3, azimuth: 0.25 },
  size: 96,
};

/**
 * Softness of the film's outlines (`sigma` of SoftRas: squared distance in device coordinates): about half a pixel, as
 * a lens makes them.
 */
export const SAMPLE_SOFTNESS = 3e-5;
