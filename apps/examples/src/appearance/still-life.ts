import type { Scene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, icosphere } from '@gradsim/mesh';
import { Body } from '@gradsim/rigid';

/** A mesh with vertex colours that vary along all three axes, so that every displacement changes the picture. */
function paintedSmoothly(mesh: TriangleMesh): TriangleMesh {
  const { positions } = mesh;
  const largest = positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { ...mesh, colors: positions.map((x) => 0.55 + (0.4 * x) / largest), colorsOn: 'vertices' };
}

/** Adds objects at several depths that partly hide one another: two boxes and a ball, painted or white. */
export function addStillLife(scene: Scene, look: 'painted' | 'white'): void {
  const ball = icosphere({ radius: 0.35, subdivisions: 2 });
  const things: readonly (readonly [TriangleMesh, readonly number[], readonly number[]])[] = [
    [box({ size: [0.9, 0.5, 0.6] }), [-0.35, 0, -0.5], [0, 0.3, 0, 0.95]],
    [ball, [0.45, 0.15, 0.2], [0, 0, 0, 1]],
    [box({ size: [0.35, 0.8, 0.35] }), [-0.15, 0.1, 0.75], [0.1, -0.2, 0.1, 0.97]],
  ];
  for (const [mesh, position, orientation] of things) {
    const white = { ...mesh, colors: new Float64Array(mesh.positions.length).fill(0.9) };
    scene.add(Body, {
      mesh: look === 'white' ? white : paintedSmoothly(mesh),
      mass: 1,
      position,
      orientation,
    });
  }
}
