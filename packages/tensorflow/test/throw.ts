import type { Device } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { createOperation } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';

/** Number of frames of a throw, the start included. */
export const FRAMES = 4;

/**
 * Creates the operation of a ball's flight through air for one second: from its velocity and drag to its path and its
 * final velocity.
 */
export function thrown(device: Device, worlds?: number) {
  const scene = createScene([rigid()]);
  scene.add(Body, { mesh: icosphere({ radius: 0.04, subdivisions: 1 }), mass: 0.15, drag: 0.1 });
  return createOperation(buildModel(scene), {
    device,
    frames: FRAMES,
    frameRate: FRAMES - 1,
    substeps: 16,
    worlds,
    inputs: { velocity: 'bodies.velocity', drag: 'bodies.drag' },
    outputs: { path: 'bodies.position', last: { field: 'bodies.velocity', frames: 'last' } },
  });
}
