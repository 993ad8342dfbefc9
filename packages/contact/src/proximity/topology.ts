import type { BuildContext } from '@gradsim/core';
import { Surfaces } from '@gradsim/core';

/** The surfaces of particles that can touch: those of cloth and soft bodies whose particles all have contact. */
export interface TouchingSurfaces {
  /** Three particles each, the first opposite of the longest edge, in the order of the first ones. */
  readonly corners: Uint32Array;
  /** For every particle, its triangles: those that name it first. */
  readonly firstTriangle: Uint32Array;
  readonly triangleCount: Uint32Array;
  /** For every particle, the connected piece of surface that it belongs to. */
  readonly piece: Uint32Array;
  /** Names a triangle in messages. */
  readonly describe: (triangle: number) => string;
}

/**
 * @param touches for every particle, whether it has contact.
 * @param rest positions in the rest shape, three numbers a particle.
 */
export function touchingSurfaces(
  { model }: BuildContext,
  touches: readonly boolean[],
  rest: ArrayLike<number>,
): TouchingSurfaces {
  const found: { corners: number[]; name: string }[] = [];
  for (const surface of model.offered(Surfaces)) {
    if (surface.domain !== 'particles') continue;
    const { triangles, describe } = surface;
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [triangles[t], triangles[t + 1], triangles[t + 2]];
      if (!corners.every((corner) => touches[corner])) continue;
      found.push({
        corners: shortestReach(corners, rest),
        name: describe?.(t / 3) ?? `triangle ${t / 3} of a surface`,
      });
    }
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
    piece: pieces(
      touches.length,
      found.map(({ corners }) => corners),
    ),
    describe: (triangle) => found[triangle].name,
  };
}

/** Turns a triangle so that its first corner is the one from which the others are least far. */
function shortestReach(corners: number[], rest: ArrayLike<number>): number[] {
  const apart = (i: number, j: number): number =>
    Math.hypot(...[0, 1, 2].map((axis) => rest[3 * i + axis] - rest[3 * j + axis]));
  const turns = [0, 1, 2].map((k) => [corners[k], corners[(k + 1) % 3], corners[(k + 2) % 3]]);
  const reach = ([a, b, c]: number[]): number => Math.max(apart(a, b), apart(a, c));
  return turns.reduce((best, turn) => (reach(turn) < reach(best) ? turn : best));
}

/** Numbers of connected pieces: for each particle, the least particle of its piece. */
function pieces(count: number, triangles: readonly number[][]): Uint32Array {
  const parent = Uint32Array.from({ length: count }, (_, k) => k);
  const root = (k: number): number => {
    let at = k;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  };
  for (const [a, ...others] of triangles) {
    for (const other of others) {
      const [x, y] = [root(a), root(other)];
      parent[Math.max(x, y)] = Math.min(x, y);
    }
  }
  return parent.map((_, k) => root(k));
}
