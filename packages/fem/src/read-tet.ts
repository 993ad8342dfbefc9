import type { TetMesh } from './grid.ts';

/**
 * Reads a `.tet` file: lines `v x y z` and `t a b c d`, indices from 0; other lines (comments, links) are passed over.
 *
 * The format has no counts, so a file cut short between two lines shows by vertices that no tetrahedron has. One that
 * lacks only tetrahedra whose vertices are in others too cannot be told from a whole file.
 *
 * ```ts
 * const gear = readTet(await readFile('gear.tet', 'utf8'), 'gear.tet');
 * ```
 * @param name of the file, for messages.
 * @param options `dropUnused` leaves vertices out that are in no tetrahedron, for files that are known to be whole.
 * @throws with the line's number when a line is cut short, a number is none, an index names no vertex, or a vertex is in
 * no tetrahedron.
 */
export function readTet(
  text: string,
  name = 'the .tet file',
  { dropUnused = false }: { dropUnused?: boolean } = {},
): TetMesh {
  const positions: number[] = [];
  const tets: number[] = [];
  const lineOf: number[] = [];
  const lineOfVertex: number[] = [];
  text.split(/\r?\n/).forEach((line, k) => {
    const [kind, ...words] = line.trim().split(/\s+/);
    if (kind !== 'v' && kind !== 't') return;
    const wanted = kind === 'v' ? 3 : 4;
    const numbers = words.map(Number);
    if (numbers.length !== wanted || !numbers.every(Number.isFinite))
      throw new Error(`${name}, line ${k + 1}: "${line.trim()}" must be ${kind} and ${wanted} numbers.`);
    if (kind === 'v') {
      positions.push(...numbers);
      lineOfVertex.push(k + 1);
    } else {
      tets.push(...numbers);
      lineOf.push(k + 1);
    }
  });
  requireMesh(name, { positions, tets }, (element) => `line ${lineOf[element]}`);
  const used = new Set(tets);
  const kept = lineOfVertex.map((_, vertex) => vertex).filter((vertex) => used.has(vertex));
  if (kept.length === lineOfVertex.length) return { positions, tets };
  if (!dropUnused) {
    const unused = lineOfVertex.findIndex((_, vertex) => !used.has(vertex));
    throw new Error(
      `${name}, line ${lineOfVertex[unused]}: vertex ${unused} is in no tetrahedron; the file may be cut short. If it is whole, read it with { dropUnused: true }.`,
    );
  }
  const numbers = new Map(kept.map((vertex, k) => [vertex, k]));
  return {
    positions: kept.flatMap((vertex) => positions.slice(3 * vertex, 3 * vertex + 3)),
    tets: tets.map((vertex) => numbers.get(vertex)!),
  };
}

/** @throws when there are no elements, or an index names no vertex. */
function requireMesh(name: string, { positions, tets }: TetMesh, where: (element: number) => string): void {
  const count = positions.length / 3;
  if (tets.length === 0) throw new Error(`${name} has no tetrahedra; it may be cut short.`);
  for (let k = 0; k < tets.length; k++) {
    if (Number.isInteger(tets[k]) && tets[k] >= 0 && tets[k] < count) continue;
    const element = Math.floor(k / 4);
    throw new Error(
      `${name}, ${where(element)}: tetrahedron ${element} names vertex ${tets[k]}; there are ${count}, numbered from 0.`,
    );
  }
}
