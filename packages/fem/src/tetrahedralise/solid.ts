import { Joined } from './joined.ts';

/** A surface of triangles that encloses a solid: `TriangleMesh` of `@gradsim/mesh`, or plain arrays. */
export interface ClosedMesh {
  /** x, y, z of every vertex, m. */
  readonly positions: ArrayLike<number>;
  /** Three vertices a triangle, counter-clockwise seen from outside. */
  readonly triangles: ArrayLike<number>;
  /** Names the mesh in messages. */
  readonly name?: string;
}

/** What {@link checkSolid} found out on the way. */
export interface Solid {
  /** m^3. */
  readonly volume: number;
  /** How many parts of the surface, joined by no vertex, face outwards: those that face inwards are walls of cavities. */
  readonly bodies: number;
}

/**
 * @throws when arrays have a wrong length, a position is not finite, a triangle names a vertex that is not there or
 * one twice, an edge has not exactly two triangles that run along it in opposite directions, or the volume is not
 * positive.
 */
export function checkSolid(mesh: ClosedMesh): Solid {
  const { positions, triangles, name = 'the mesh' } = mesh;
  const fail = (what: string): never => {
    throw new Error(`tetrahedralise: ${name} ${what}`);
  };
  if (positions.length % 3 !== 0 || triangles.length % 3 !== 0)
    fail(`has ${positions.length} coordinates and ${triangles.length} corners; both must be multiples of 3.`);
  if (triangles.length === 0) fail('has no triangles.');
  const points = positions.length / 3;
  for (let k = 0; k < positions.length; k++) {
    if (!Number.isFinite(positions[k]))
      fail(`has ${positions[k]} as ${'xyz'[k % 3]} of vertex ${Math.floor(k / 3)}; it must be finite.`);
  }
  for (let k = 0; k < triangles.length; k++) {
    const t = Math.floor(k / 3);
    if (!Number.isInteger(triangles[k]) || triangles[k] < 0 || triangles[k] >= points)
      fail(`has ${points} vertices, but triangle ${t} names vertex ${triangles[k]}.`);
    if (triangles[k] === triangles[3 * t + ((k + 1) % 3)])
      fail(`has triangle ${t} with vertex ${triangles[k]} twice; weld the mesh, which drops such triangles.`);
  }
  checkEdges(triangles, points, fail);
  const volumes = volumesOfParts(mesh);
  const volume = volumes.reduce((sum, v) => sum + v, 0);
  if (!(volume > 0)) fail(`is inside out: it encloses ${volume} m^3. Turn its triangles round.`);
  return { volume, bodies: volumes.filter((v) => v > 0).length };
}

function checkEdges(triangles: ArrayLike<number>, points: number, fail: (what: string) => never): void {
  /** The triangles that run along an edge from its first to its second vertex. */
  const along = new Map<number, number[]>();
  for (let k = 0; k < triangles.length; k++) {
    const t = Math.floor(k / 3);
    const key = triangles[k] * points + triangles[3 * t + ((k + 1) % 3)];
    const there = along.get(key);
    if (there) there.push(t);
    else along.set(key, [t]);
  }
  for (const [key, there] of along) {
    const [from, to] = [Math.floor(key / points), key % points];
    const back = along.get(to * points + from) ?? [];
    if (there.length === 1 && back.length === 1) continue;
    const all = [...there, ...back];
    const edge = `the edge of vertices ${from} and ${to}`;
    if (all.length === 1)
      fail(
        `is open: ${edge} belongs to triangle ${all[0]} alone. Close the hole, or weld equal vertices of the mesh.`,
      );
    if (all.length > 2)
      fail(`has ${all.length} triangles (${all.join(', ')}) at ${edge}; a solid has exactly two.`);
    fail(`has triangles ${all.join(' and ')} turning opposite ways at ${edge}; swap two corners of one.`);
  }
}

/** The signed volume of each part of the surface: a sum over tetrahedra from the first vertex (divergence theorem). */
function volumesOfParts({ positions, triangles }: ClosedMesh): number[] {
  const vertices = new Joined(positions.length / 3);
  for (let k = 0; k < triangles.length; k++) vertices.join(triangles[k - (k % 3)], triangles[k]);
  const first = 3 * triangles[0];
  const at = (vertex: number, axis: number): number => positions[3 * vertex + axis] - positions[first + axis];
  const volumes = new Map<number, number>();
  for (let k = 0; k < triangles.length; k += 3) {
    const [a, b, c] = [triangles[k], triangles[k + 1], triangles[k + 2]];
    const six =
      at(a, 0) * (at(b, 1) * at(c, 2) - at(b, 2) * at(c, 1)) +
      at(a, 1) * (at(b, 2) * at(c, 0) - at(b, 0) * at(c, 2)) +
      at(a, 2) * (at(b, 0) * at(c, 1) - at(b, 1) * at(c, 0));
    const part = vertices.partOf(a);
    volumes.set(part, (volumes.get(part) ?? 0) + six / 6);
  }
  return [...volumes.values()];
}
