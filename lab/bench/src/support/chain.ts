import { Link } from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';

/** Adds a chain of rods, each 10 cm long, slightly curved; hinge axes alternate from joint to joint. */
export function addChain(scene: Scene, links: number): void {
  let parent: number | undefined;
  for (let k = 0; k < links; k++)
    parent = scene.add(Link, {
      ...(parent === undefined ? {} : { parent }),
      joint: 'revolute',
      axis: k % 2 === 0 ? [1, 0, 0.2] : [0, 0, 1],
      anchor: k === 0 ? [0, 0, 0] : [0, -0.1, 0],
      mass: 0.2,
      centre: [0, -0.05, 0],
      inertia: [2e-4, 0, 0, 0, 2e-5, 0, 0, 0, 2e-4],
      coordinate: 0.1,
      damping: 0.01,
    });
}
