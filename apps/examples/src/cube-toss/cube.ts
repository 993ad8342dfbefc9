import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';

/** The cube: m, kg. */
export const CUBE = { width: 0.1, mass: 0.4 } as const;
/** As trackers have it, z is up. */
export const GRAVITY = [0, 0, -9.81];

/** What the sample was made with. */
export const TRUTH = { mu: 0.22, restitution: 0.35, duration: 0.016 } as const;
type Material = Readonly<Record<keyof typeof TRUTH, number>>;
export const SAMPLE = {
  start: {
    position: [0.2, -0.1, 0.16],
    orientation: [0.2, -0.4, 0.3, 0.84],
    velocity: [-1.1, 0.5, 0.2],
    angularVelocity: [2, -4, 3],
  },
  ...{ frames: 90, frameRate: 120 },
  /** Standard deviations of what was tracked, m and rad. */
  noise: { position: 0.0004, orientation: 0.004 },
} as const;

/** A cube that starts somewhere, above a table. */
export function cubeModel(
  start: Readonly<Record<keyof typeof SAMPLE.start, readonly number[]>>,
  material: Material,
): Model {
  const { width, mass } = CUBE;
  const scene = createScene([rigid(), contact()]);
  const cube = scene.add(Body, { mesh: box({ size: [width, width, width] }), mass, ...start }, 'cube');
  scene.attach(cube, contactOf(Body), material);
  scene.add(HalfSpace, { normal: [0, 0, 1] });
  scene.add(Gravity, { acceleration: GRAVITY });
  return buildModel(scene);
}
