/**
 * The edges that two triangles share, as hinges: four vertices each, opposite ones first, (x1, x2, x3, x4). The first
 * triangle has x3, x4 in this order around it.
 *
 * ```ts
 * const hinges = findHinges([0, 1, 2, 2, 1, 3]); // one: 0, 3, 1, 2
 * ```
 * @param triangles three vertices each, all turning the same way.
 * @throws when an edge has three triangles, or two neighbours turn opposite ways, with their numbers.
 */
export function findHinges(triangles: ArrayLike<number>): Uint32Array {
  const edges = new Map<string, { triangle: number; opposite: number; from: number }>();
  const closed = new Map<string, number>();
  const hinges: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [from, to, opposite] = [0, 1, 2].map((step) => triangles[t + ((k + step) % 3)]);
      const key = from < to ? `${from} ${to}` : `${to} ${from}`;
      const triangle = t / 3;
      const first = edges.get(key);
      if (!first) {
        edges.set(key, { triangle, opposite, from });
        continue;
      }
      const between = `the edge of vertices ${key.replace(' ', ' and ')}`;
      if (closed.has(key))
        throw new Error(
          `triangle ${triangle} is the third at ${between}, after ${first.triangle} and ${closed.get(key)}; an edge has at most two.`,
        );
      if (first.from === from)
        throw new Error(
          `triangles ${first.triangle} and ${triangle} turn opposite ways at ${between}; swap two vertices of one of them.`,
        );
      closed.set(key, triangle);
      hinges.push(first.opposite, opposite, to, from);
    }
  }
  return Uint32Array.from(hinges);
}

/** A triangle mesh: points, x, y, z each, and three vertices a triangle. */
export interface SheetMesh {
  readonly positions: ArrayLike<number>;
  readonly triangles: ArrayLike<number>;
}

/**
 * A rectangular sheet in the plane of x and z, facing up (y), of `columns` x `rows` cells with two triangles each,
 * numbered along x, then z.
 *
 * ```ts
 * const sheet = sheetGrid({ columns: 20, rows: 20, size: [1, 1], origin: [0, 1, 0] });
 * ```
 * @throws when a number of cells is no whole number of at least 1, or a size is not above 0.
 */
export function sheetGrid(options: {
  columns: number;
  rows: number;
  /** Along x and z, m. */
  size: readonly [number, number];
  /** The corner of least x and z. Default the world's origin. */
  origin?: readonly [number, number, number];
}): SheetMesh {
  const { columns, rows, size, origin = [0, 0, 0] } = options;
  for (const [name, count] of [['columns', columns] as const, ['rows', rows] as const]) {
    if (!Number.isInteger(count) || count < 1)
      throw new Error(`sheetGrid: ${name} is ${count}; it must be a whole number of at least 1.`);
  }
  size.forEach((length, axis) => {
    if (!(length > 0)) throw new Error(`sheetGrid: size[${axis}] is ${length}; it must be above 0.`);
  });
  const positions: number[] = [];
  for (let z = 0; z <= rows; z++)
    for (let x = 0; x <= columns; x++)
      positions.push(origin[0] + (x * size[0]) / columns, origin[1], origin[2] + (z * size[1]) / rows);
  const triangles: number[] = [];
  for (let z = 0; z < rows; z++) {
    for (let x = 0; x < columns; x++) {
      const corner = x + (columns + 1) * z;
      const below = corner + columns + 1;
      triangles.push(corner, below, corner + 1, corner + 1, below, below + 1);
    }
  }
  return { positions, triangles };
}
