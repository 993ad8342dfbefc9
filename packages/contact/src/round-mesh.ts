import { mean, norm, vectorAt } from '@gradsim/base';
import type { BuildContext } from '@gradsim/core';
import type { BodiesThatTouch } from '@gradsim/dynamics';
import { contactOf } from './components.ts';
import { hasContactByElement } from './touching.ts';

/**
 * Minimum number of vertices of a mesh that counts as a ball; one with fewer counts as a body with corners: an
 * icosahedron has 12, a dodecahedron 20.
 */
const MIN_VERTICES = 24;
/**
 * Maximum of (largest - smallest) / mean distance of a ball's vertices from its centre of mass; an ellipsoid with axes
 * 1 : 1.15 just passes.
 */
const MAX_RADIUS_SPREAD = 0.15;
/**
 * Maximum angle from any direction to the nearest vertex of a ball, rad; a cylinder with vertices at its rims only has
 * a larger one.
 */
const MAX_VERTEX_GAP = (32 * Math.PI) / 180;
/** Number of directions in which the angle to the nearest vertex is tested. */
const TEST_DIRECTIONS = 200;

/**
 * Returns the mean vertex distance, m, of a mesh that is nearly a ball: many vertices, in all directions, at nearly the
 * same distance from the centre of mass. Null for other meshes.
 * @param positions of the vertices relative to the centre of mass, m, as x, y, z of one vertex after another.
 */
function radiusOfBall(positions: ArrayLike<number>): number | null {
  const count = positions.length / 3;
  if (count < MIN_VERTICES) return null;
  const distances = Array.from({ length: count }, (_, k) => norm(vectorAt(positions, k)));
  const middle = mean(distances);
  const spread = distances.reduce((a, d) => Math.max(a, d), 0) - distances.reduce((a, d) => Math.min(a, d), middle);
  if (!(spread <= MAX_RADIUS_SPREAD * middle)) return null;
  for (let n = 0; n < TEST_DIRECTIONS; n++) {
    // Evenly over the sphere, along a spiral of the golden angle.
    const y = 1 - (2 * n + 1) / TEST_DIRECTIONS;
    const [across, angle] = [Math.sqrt(1 - y * y), n * Math.PI * (3 - Math.sqrt(5))];
    const [x, z] = [across * Math.cos(angle), across * Math.sin(angle)];
    let nearest = -1;
    for (let k = 0; k < count; k++) {
      const along = x * positions[3 * k] + y * positions[3 * k + 1] + z * positions[3 * k + 2];
      nearest = Math.max(nearest, along / distances[k]);
    }
    if (nearest < Math.cos(MAX_VERTEX_GAP)) return null;
  }
  return middle;
}

/**
 * Warns of bodies that touch half-spaces with the vertices of a mesh that is nearly a ball: height and lever arm of the
 * contact depend on which vertex is lowest, so derivatives through a bounce jump from one vertex to the next.
 */
export function warnOfBalls(context: BuildContext, bodies: BodiesThatTouch): void {
  const { scene, model, entities } = context;
  const { component, meshOf } = bodies;
  if (!meshOf) return;
  const touching = hasContactByElement(context, component);
  for (const [k, body] of entities(component).entries()) {
    const mesh = touching[k] ? meshOf(context, body) : undefined;
    const radius = mesh && radiusOfBall(mesh.positions);
    if (!mesh || !radius) continue;
    model.addWarning(
      `${scene.describe(body)}: the ${mesh.positions.length / 3} vertices of its mesh lie nearly at one distance from its centre of mass, about ${Number(radius.toPrecision(3))} m, ` +
        `and ${contactOf(component).name} touches with single vertices: which one depends on the least change of spin, and derivatives through a touch hang on it. ` +
        'Give it a ContactSphere instead, or impacts with `impactOf`.',
    );
  }
}
