import type { Model } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { massProperties, SignedDistance, signedVolume } from '@gradsim/mesh';
import { DirectionalLight, OrbitCamera, render } from '@gradsim/render';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import type { PictureSettings } from '../scenes/renderers.ts';
import { PUSH_SECONDS } from '../scenes/tossed.ts';

/** Model of a body of a given mass, kg, that rotates in free flight and is pushed at a point off its centre. */
export function tumblingModel(
  { positions, triangles, name }: TriangleMesh,
  mass: number,
  { renderer, size }: PictureSettings,
): Model {
  const scene = createScene([
    rigid({ massFromShape: true }),
    render({ width: size, height: size, normals: 'vertex' }),
    renderer({ softness: (1.5 / size) ** 2, depthSoftness: 1e-3, near: 1, far: 20 }),
  ]);
  const body = scene.add(Body, {
    mesh: { positions, triangles, name },
    mass,
    position: [-0.6, 1.3, 0],
    velocity: [0.3, 1.5, 0],
    angularVelocity: [2, 4, 1],
  });
  const impulse = [1, 1.5, 0.2];
  scene.add(BodyPush, {
    body,
    force: impulse.map((j) => j / PUSH_SECONDS),
    point: [0.05, 0.02, 0.1],
    start: 0,
    end: PUSH_SECONDS,
  });
  scene.add(OrbitCamera, {
    target: [0, 1.1, 0],
    distance: 5,
    elevation: 0.2,
    azimuth: 0.3,
    fieldOfView: 0.6,
  });
  scene.add(DirectionalLight, { direction: [0.5, 1, 0.7], color: [0.7, 0.7, 0.7] });
  return buildModel(scene);
}

/** True shape in the film: amplitudes of the modes, m; for each function over the surface in turn, along x, y and z. */
export const TRUE_SHAPE = [0.09, -0.01, 0.02, 0.01, -0.06, 0.03, -0.02, 0.01, -0.05, 0.02, 0.015, -0.01];

/** A ball whose vertices are displaced by modes of the given amplitudes. */
export function deform(
  ball: TriangleMesh,
  modes: readonly ArrayLike<number>[],
  amounts: ArrayLike<number>,
): TriangleMesh {
  const positions = ball.positions.map((x, k) => modes.reduce((sum, mode, m) => sum + (amounts[m] ?? 0) * mode[k], x));
  return { ...ball, positions, name: 'the shape' };
}

/** A mesh with all its positions multiplied by `times`. */
export const scaleMesh = (mesh: TriangleMesh, times: number): TriangleMesh => ({
  ...mesh,
  positions: mesh.positions.map((x) => x * times),
});

/**
 * Sentence for the report with the error of the estimated shape; both shapes are moved to their centres of mass first.
 */
export function tumblingNote(target: TriangleMesh, found: TriangleMesh): string {
  if (!(signedVolume(found) > 0))
    return 'The shape that was found is turned inside out, which no body is: the search has gone astray, and so has the mass.';
  const [own, other] = [found, target].map((mesh) => massProperties(mesh, { mass: 1 }).centerOfMass);
  const surface = new SignedDistance(target);
  let sum = 0;
  for (let k = 0; k < found.positions.length; k += 3)
    sum += Math.abs(surface.at([0, 1, 2].map((c) => found.positions[k + c] - own[c] + other[c])));
  const distance = (3 * sum) / found.positions.length;
  return `Mean distance of the vertices from the true surface: ${distance.toExponential(2)} m.`;
}
