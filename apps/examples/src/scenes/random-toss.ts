import { OBJECTS } from './objects.ts';
import type { Toss } from './tossed.ts';

type Random = () => number;
const between = (random: Random, low: number, high: number): number => low + (high - low) * random();
const vector = (random: Random, size: number): number[] => [0, 1, 2].map(() => between(random, -size, size));

/** Random unit quaternion, uniformly distributed over rotations (K. Shoemake, 1992). */
export function randomRotation(random: Random): number[] {
  const [a, b, c] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  return [
    Math.sqrt(1 - a) * Math.sin(b),
    Math.sqrt(1 - a) * Math.cos(b),
    Math.sqrt(a) * Math.sin(c),
    Math.sqrt(a) * Math.cos(c),
  ];
}

/**
 * Draws a toss: mass 1 to 6 kg, ke 150 to 500 N/m, kd 1 to 20 and kf 5 to 60 N s/m, mu 0.2 to 1. The paper's ranges are
 * wider: 1 to 500 for ke, kd and kf.
 */
export function randomToss(random: Random, shape: string, size: number): Toss {
  return {
    mesh: OBJECTS[shape],
    mass: between(random, 1, 6),
    material: {
      ke: between(random, 150, 500),
      kd: between(random, 1, 20),
      kf: between(random, 5, 60),
      mu: between(random, 0.2, 1),
    },
    position: [between(random, -1, -0.5), between(random, 0.9, 1.3), between(random, -0.3, 0.3)],
    orientation: randomRotation(random),
    velocity: [between(random, 0, 0.6), between(random, -0.3, 0.3), between(random, -0.3, 0.3)],
    angularVelocity: vector(random, 1),
    impulse: [between(random, 2, 4), between(random, 1, 3), between(random, -1, 1)],
    pushPoint: vector(random, 0.1),
    camera: {
      target: [0, 0.7, 0],
      distance: 7,
      elevation: between(random, 0.2, 0.4),
      azimuth: between(random, -0.3, 0.3),
    },
    size,
  };
}
