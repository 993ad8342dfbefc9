import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Model, SimulationOptions } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';

/** Boxes tossed onto the ground side by side, each with a different spin. They slide, tumble and come to rest. */
export function tossedBoxes(count: number): Model {
  const scene = createScene([rigid(), contact()]);
  const mesh = box({ size: [0.2, 0.2, 0.2] });
  for (let k = 0; k < count; k++) {
    const body = scene.add(Body, {
      mesh,
      density: 500,
      position: [0.4 * k, 0.8, 0],
      orientation: [0.1, 0.2, 0.3, 0.9],
      velocity: [0, 1, 1.5],
      angularVelocity: [3 + 0.01 * k, 1, -2],
    });
    scene.attach(body, contactOf(Body), { ke: 5e3, kd: 10, kf: 40, mu: 0.4 });
  }
  scene.add(HalfSpace, {});
  return buildModel(scene);
}

/** Options for the gradients of tossed boxes: their outputs and parameters. */
export const TOSSED = {
  parameters: [
    'bodies.position',
    'bodies.velocity',
    'bodies.angularVelocity',
    'bodies.density',
    'bodies.ke',
    'bodies.kd',
    'bodies.kf',
    'bodies.mu',
    'world.gravity',
  ],
  outputs: ['bodies.position', 'bodies.orientation'],
  frameRate: 30,
} as const satisfies Partial<SimulationOptions>;

/** Adjoints of the outputs for a number of boxes. */
export function tossedSeeds(boxes: number): Record<string, number[]> {
  const weights = (count: number): number[] => Array.from({ length: count }, (_, k) => 1 - (k % 5) / 3);
  return { 'bodies.position': weights(3 * boxes), 'bodies.orientation': weights(4 * boxes) };
}
