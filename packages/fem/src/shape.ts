import type { BuildContext, Entity } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import { longestEdge, tetVolume } from '@gradsim/mesh';
import { restPositionOf } from '@gradsim/particles';
import { cornerDeterminants } from './quadratic-shape.ts';
import { QuadraticTet } from './quadratic-tet.ts';
import { Tet } from './tet.ts';

/**
 * Ratio of an element's volume to the cube of its longest edge below which it counts as flat: single precision could
 * not hold it.
 */
const MIN_VOLUME_RATIO = 1e-6 / 6;

/**
 * @throws when an element is inverted or flat in its rest shape; of quadratic elements, each corner is checked. Points
 * between the corners are inverted only if a mid-edge node is displaced by about half an edge's length.
 */
export function checkRestShapes({ scene, entities }: BuildContext): void {
  const refuse = (entity: Entity, volume: number, least: number): void => {
    if (volume > least) return;
    const isFlat = volume >= -least;
    const what = isFlat ? 'flat' : 'inverted';
    const mend = isFlat ? 'move a vertex out of the plane of the others' : 'swap two of its vertices';
    throw new GradsimError(
      'fem/inverted-element',
      `is ${what} in its rest shape, with volume ${volume.toPrecision(3)} m^3; ${mend}.`,
      { element: scene.describe(entity) },
    );
  };
  entities(Tet).forEach((entity) => {
    const corners = Array.from(scene.get(entity, Tet, 'vertices'), (p) => restPositionOf(scene, p));
    refuse(entity, tetVolume(corners), MIN_VOLUME_RATIO * longestEdge(corners) ** 3);
  });
  entities(QuadraticTet).forEach((entity) => {
    const nodes = Array.from(scene.get(entity, QuadraticTet, 'nodes'), (p) => restPositionOf(scene, p));
    const corners = nodes.slice(0, 4);
    const least = MIN_VOLUME_RATIO * longestEdge(corners) ** 3;
    refuse(entity, tetVolume(corners), least);
    cornerDeterminants(nodes).forEach((determinant, corner) => {
      if (determinant / 6 > least) return;
      throw new GradsimError(
        'fem/inverted-element',
        `is turned over at its corner ${corner} in its rest shape, det dx/dxi is ${determinant.toPrecision(3)} m^3.`,
        { element: scene.describe(entity), hint: 'Put the nodes of its edges nearer to their middles.' },
      );
    });
  });
}
