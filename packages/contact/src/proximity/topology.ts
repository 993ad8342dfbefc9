import { connectedPieces } from '@gradsim/base';
import type { BuildContext } from '@gradsim/core';
import { GradsimError, Surfaces } from '@gradsim/core';
import { PointsThatTouch } from '@gradsim/dynamics';
import { hasContactByElement } from '../touching.ts';

/** Surfaces between points that can touch: triangles whose corners all have contact. */
export interface TouchingSurfaces {
  /**
   * Three point indices per triangle, one triangle after another. The first corner is opposite the longest edge in the
   * rest shape; triangles are sorted by their first corner.
   */
  readonly corners: Uint32Array;
  /**
   * Index of the first triangle of which a point is the first corner, per point; `triangleCount` is how many follow it,
   * itself included.
   */
  readonly firstTriangle: Uint32Array;
  readonly triangleCount: Uint32Array;
  /** Index of the connected piece of surface that a point belongs to, per point. */
  readonly piece: Uint32Array;
  /** Returns a triangle's name for error messages. */
  readonly describe: (triangle: number) => string;
}

/**
 * Collects the surfaces that plugins offer between points of one component.
 * @throws when there are any and the plugin that offers the points does not offer their rest positions.
 */
export function touchingSurfaces(context: BuildContext, { component, rest }: PointsThatTouch): TouchingSurfaces {
  const { scene, model, entities } = context;
  const touches = hasContactByElement(context, component);
  const offered = model.offered(Surfaces).filter(({ position }) => position.domain === component.domain);
  const found = offered.flatMap(({ triangles, describe }) =>
    Array.from({ length: triangles.length / 3 }, (_, t) => ({
      corners: [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]],
      name: describe?.(t) ?? `triangle ${t} of a surface`,
    })).filter(({ corners }) => corners.every((corner) => touches[corner])),
  );
  if (found.length > 0) {
    if (!rest)
      throw new GradsimError(
        'contact/no-rest-shape',
        `surfaceContact: ${found[0].name} lies between ${component.name}, whose plugin offers them as ${PointsThatTouch.name} without \`rest\`, where they lie in the rest shape.`,
      );
    const positions = entities(component).map((entity) => rest.positionOf(scene, entity));
    for (const triangle of found) triangle.corners = nearestCornersFirst(triangle.corners, positions);
  }
  found.sort((s, t) => s.corners[0] - t.corners[0]);
  const firstTriangle = new Uint32Array(touches.length);
  const triangleCount = new Uint32Array(touches.length);
  found.forEach(({ corners: [owner] }, t) => {
    if (triangleCount[owner]++ === 0) firstTriangle[owner] = t;
  });
  return {
    corners: Uint32Array.from(found.flatMap(({ corners }) => corners)),
    firstTriangle,
    triangleCount,
    piece: connectedPieces(
      touches.length,
      found.map(({ corners }) => corners),
    ),
    describe: (triangle) => found[triangle].name,
  };
}

/**
 * Returns a triangle's corners, cyclically permuted so that the largest distance of the other two corners from the
 * first one is smallest, in the rest shape.
 */
function nearestCornersFirst(corners: number[], rest: readonly ArrayLike<number>[]): number[] {
  const apart = (i: number, j: number): number => Math.hypot(...[0, 1, 2].map((axis) => rest[i][axis] - rest[j][axis]));
  const turns = [0, 1, 2].map((k) => [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]]);
  const reach = ([a, b, c]: number[]): number => Math.max(apart(a, b), apart(a, c));
  return turns.reduce((best, turn) => (reach(turn) < reach(best) ? turn : best));
}
