import type { TetMesh } from './grid.ts';

/** Gmsh's number for tetrahedra of four nodes. */
const TETRAHEDRON = 4;

/**
 * Reads the tetrahedra of a Gmsh mesh, ASCII, version 2.2 or 4.1; points, lines and triangles are passed over, and so
 * are nodes that no tetrahedron has.
 *
 * ```ts
 * const liver = readGmsh(await readFile('liver.msh', 'utf8'), 'liver.msh');
 * ```
 * @param name of the file, for messages.
 * @throws when the file is binary, of another version, cut short, has no tetrahedra, or an element names no node.
 */
export function readGmsh(text: string, name = 'the .msh file'): TetMesh {
  const [version, kind] = section(name, text, 'MeshFormat');
  if (kind !== 0) throw new Error(`${name} is a binary Gmsh file; save it as ASCII.`);
  if (version !== 2.2 && version !== 4.1)
    throw new Error(`${name} has Gmsh's format ${version}; 2.2 and 4.1 can be read.`);
  const nodes = new Cursor(name, 'Nodes', section(name, text, 'Nodes'));
  const elements = new Cursor(name, 'Elements', section(name, text, 'Elements'));
  const points = version === 2.2 ? nodesOf22(nodes) : nodesOf41(nodes);
  const tets = version === 2.2 ? tetsOf22(elements) : tetsOf41(elements);
  if (tets.length === 0) throw new Error(`${name} has no tetrahedra of four nodes.`);
  const numbers = new Map<number, number>();
  const positions: number[] = [];
  const own = tets.map((tag, k) => {
    const known = numbers.get(tag);
    if (known !== undefined) return known;
    const point = points.get(tag);
    if (!point)
      throw new Error(
        `${name}: tetrahedron ${Math.floor(k / 4)} names node ${tag}, which section $Nodes does not have.`,
      );
    positions.push(...point);
    numbers.set(tag, numbers.size);
    return numbers.size - 1;
  });
  return { positions, tets: own };
}

/** The numbers of a section. */
function section(name: string, text: string, title: string): number[] {
  const start = text.indexOf(`$${title}`);
  const end = text.indexOf(`$End${title}`);
  if (start < 0) throw new Error(`${name} has no section $${title}; it is no Gmsh mesh, or cut short.`);
  if (end < start) throw new Error(`${name} is cut short: section $${title} does not end.`);
  const words = text
    .slice(start + title.length + 1, end)
    .trim()
    .split(/\s+/);
  return words.map(Number);
}

/** Takes numbers of a section one after another. */
class Cursor {
  readonly #name: string;
  readonly #title: string;
  readonly #values: readonly number[];
  #at = 0;

  constructor(name: string, title: string, values: readonly number[]) {
    this.#name = name;
    this.#title = title;
    this.#values = values;
  }
  take(count: number): number[] {
    const values = this.#values.slice(this.#at, this.#at + count);
    if (values.length < count || !values.every(Number.isFinite))
      throw new Error(
        `${this.#name}: section $${this.#title} has fewer numbers than it says, or something that is none (after ${this.#at}).`,
      );
    this.#at += count;
    return values;
  }
  one(): number {
    return this.take(1)[0];
  }
}

function nodesOf22(cursor: Cursor): Map<number, number[]> {
  const points = new Map<number, number[]>();
  const count = cursor.one();
  for (let k = 0; k < count; k++) points.set(cursor.one(), cursor.take(3));
  return points;
}

function nodesOf41(cursor: Cursor): Map<number, number[]> {
  const points = new Map<number, number[]>();
  const [blocks] = cursor.take(4);
  for (let b = 0; b < blocks; b++) {
    const [dimension, , isParametric, count] = cursor.take(4);
    const tags = cursor.take(count);
    for (const tag of tags) points.set(tag, cursor.take(3 + (isParametric ? dimension : 0)).slice(0, 3));
  }
  return points;
}

function tetsOf22(cursor: Cursor): number[] {
  const tets: number[] = [];
  const count = cursor.one();
  for (let k = 0; k < count; k++) {
    const [, type, tags] = cursor.take(3);
    cursor.take(tags);
    const nodes = cursor.take(nodesPerElement(type));
    if (type === TETRAHEDRON) tets.push(...nodes);
  }
  return tets;
}

function tetsOf41(cursor: Cursor): number[] {
  const tets: number[] = [];
  const [blocks] = cursor.take(4);
  for (let b = 0; b < blocks; b++) {
    const [, , type, count] = cursor.take(4);
    for (let k = 0; k < count; k++) {
      const [, ...nodes] = cursor.take(1 + nodesPerElement(type));
      if (type === TETRAHEDRON) tets.push(...nodes);
    }
  }
  return tets;
}

/** Of lines, triangles, quadrangles, tetrahedra, hexahedra, prisms, pyramids, their quadratic forms, and points. */
const NODES: Readonly<Record<number, number>> = {
  ...{ 1: 2, 2: 3, 3: 4, 4: 4, 5: 8, 6: 6, 7: 5, 8: 3 },
  ...{ 9: 6, 10: 9, 11: 10, 12: 27, 13: 18, 14: 14, 15: 1, 16: 8, 17: 20, 18: 15, 19: 13 },
};

function nodesPerElement(type: number): number {
  const count = NODES[type];
  if (count === undefined)
    throw new Error(`Gmsh's element type ${type} cannot be read; save linear elements.`);
  return count;
}
