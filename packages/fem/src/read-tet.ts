import type { TetMesh } from './grid.ts';

/**
 * Reads a `.tet` file: lines `v x y z` and `t a b c d`, indices from 0; other lines (comments, links) are passed over.
 *
 * ```ts
 * const gear = readTet(await readFile('gear.tet', 'utf8'), 'gear.tet');
 * ```
 * @param name of the file, for messages.
 * @throws with the line's number when a line is cut short, a number is none, or an index names no vertex.
 */
export function readTet(text: string, name = 'the .tet file'): TetMesh {
  const positions: number[] = [];
  const tets: number[] = [];
  const lineOf: number[] = [];
  text.split(/\r?\n/).forEach((line, k) => {
    const [kind, ...words] = line.trim().split(/\s+/);
    if (kind !== 'v' && kind !== 't') return;
    const wanted = kind === 'v' ? 3 : 4;
    const numbers = words.map(Number);
    if (numbers.length !== wanted || !numbers.every(Number.isFinite))
      throw new Error(`${name}, line ${k + 1}: "${line.trim()}" must be ${kind} and ${wanted} numbers.`);
    if (kind === 'v') positions.push(...numbers);
    else {
      tets.push(...numbers);
      lineOf.push(k + 1);
    }
  });
  requireMesh(name, { positions, tets }, (element) => `line ${lineOf[element]}`);
  return { positions, tets };
}

/** @throws when there are no elements, or an index names no vertex. */
export function requireMesh(
  name: string,
  { positions, tets }: TetMesh,
  where: (element: number) => string,
): void {
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
