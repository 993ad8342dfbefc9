import type { BuildContext } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { longestEdge, triangleArea } from '@gradsim/mesh';
import { restPositionOf } from '@gradsim/particles';
import { Hinge, Triangle } from './components.ts';

/**
 * Ratio of a triangle's area to the square of its longest edge below which it counts as flat: single precision could
 * not hold it.
 */
const MIN_AREA_RATIO = 1e-6;

/**
 * Returns the longest edge of each triangle in its rest shape, m. @throws when a triangle has no area in its rest
 * shape.
 */
export function longestRestEdges({ scene, entities }: BuildContext): number[] {
  return entities(Triangle).map((entity) => {
    const corners = Array.from(scene.get(entity, Triangle, 'vertices'), (p) => restPositionOf(scene, p));
    const [area, longest] = [triangleArea(corners), longestEdge(corners)];
    if (2 * area > MIN_AREA_RATIO * longest ** 2) return longest;
    throw new GradsimError(
      'cloth/degenerate-triangle',
      `has no area in its rest shape (${area.toPrecision(3)} m^2, longest edge ${longest.toPrecision(3)} m).`,
      { element: scene.describe(entity), hint: 'Move one of its vertices.' },
    );
  });
}

/** @throws when a hinge names one particle twice. */
export function checkHinges({ scene, entities }: BuildContext): void {
  entities(Hinge).forEach((entity) => {
    const vertices = Array.from(scene.get(entity, Hinge, 'vertices'));
    const twice = vertices.find((vertex, k) => vertices.indexOf(vertex) !== k);
    if (twice === undefined) return;
    throw new GradsimError(
      'cloth/degenerate-hinge',
      `hinges.vertices names ${scene.describe(twice)} twice; a hinge has four particles.`,
      { field: 'hinges.vertices', element: scene.describe(entity) },
    );
  });
}
