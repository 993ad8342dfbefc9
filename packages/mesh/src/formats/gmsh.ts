import { GradsimError } from '@gradsim/base';
import type { TetMesh } from '../mesh.ts';
import { decimal } from './numbers.ts';

/** Gmsh's number for the element type tetrahedron with four nodes. */
const TETRAHEDRON = 4;

/**
 * Reads the tetrahedra of a Gmsh mesh, ASCII, version 2.2 or 4.1. Points, lines and triangles are ignored, and nodes
 * that belong to no tetrahedron are dropped.
 *
 * @param name of the file, for messages.
 *
 * @throws GradsimError naming the section when the file is binary, of another version, truncated, has no tetrahedra,
 * has more or fewer numbers or nodes than it declares, a node twice, or an element with a node that does not exist.
 *
 * @example
 * const liver = parseGmsh(await (await fetch('liver.msh')).text(), 'liver.msh');
 */
export function parseGmsh(text: string, name = 'MSH'): TetMesh {
  const [version, kind] = section(name, text, 'MeshFormat');
  if (kind !== 0)
    throw new GradsimError('mesh/format-not-supported', `${name} is a binary Gmsh file.`, {
      field: name,
      hint: 'Save it as ASCII.',
    });
  if (version !== 2.2 && version !== 4.1)
    throw new GradsimError(
      'mesh/format-not-supported',
      `${name} has Gmsh's format ${version}; 2.2 and 4.1 can be read.`,
      { field: name },
    );
  const nodes = new Cursor(name, 'Nodes', section(name, text, 'Nodes'));
  const elements = new Cursor(name, 'Elements', section(name, text, 'Elements'));
  const points = version === 2.2 ? nodesOf22(nodes) : nodesOf41(nodes);
  nodes.end();
  const tets = version === 2.2 ? tetsOf22(elements) : tetsOf41(elements);
  elements.end();
  if (tets.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', `${name} has no tetrahedra of four nodes.`, { field: name });
  const numbers = new Map<number, number>();
  const positions: number[] = [];
  const own = tets.map((tag, k) => {
    const known = numbers.get(tag);
    if (known !== undefined) return known;
    const point = points.get(tag);
    if (!point)
      throw new GradsimError(
        'mesh/no-such-vertex',
        `${name}: tetrahedron ${Math.floor(k / 4)} names node ${tag}, which section $Nodes does not have.`,
      );
    positions.push(...point);
    numbers.set(tag, numbers.size);
    return numbers.size - 1;
  });
  return { name, positions: Float64Array.from(positions), tets: Uint32Array.from(own) };
}

/** Returns all numbers in a section of the file. */
function section(name: string, text: string, title: string): number[] {
  const start = text.indexOf(`$${title}`);
  const end = text.indexOf(`$End${title}`);
  if (start < 0)
    throw new GradsimError('mesh/file-damaged', `${name} has no section $${title}; it is no Gmsh mesh, or cut short.`, {
      field: name,
    });
  if (end < start)
    throw new GradsimError('mesh/file-damaged', `${name} is cut short: section $${title} does not end.`, {
      field: name,
    });
  const words = text
    .slice(start + title.length + 1, end)
    .trim()
    .split(/\s+/);
  return words.map(decimal);
}

/** Sequential reader of the numbers in a section. */
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
      throw new GradsimError(
        'mesh/file-damaged',
        `${this.#name}: section $${this.#title} has fewer numbers than it says, or something that is none, after number ${this.#at}; it may be cut short.`,
      );
    this.#at += count;
    return values;
  }
  one(): number {
    return this.take(1)[0];
  }
  /** Reads the next number as a count: a whole number of at least 0. */
  count(): number {
    return this.whole(this.one());
  }
  whole(count: number): number {
    if (!Number.isInteger(count) || count < 0)
      throw new GradsimError(
        'mesh/file-invalid',
        `${this.#name}: section $${this.#title} has ${count} as a number of things (number ${this.#at} of the section).`,
        { hint: 'It must be whole.' },
      );
    return count;
  }
  /** Checks the number of things found against the number that a header declares. @throws when they differ. */
  agree(said: number, found: number, what: string): void {
    if (said !== found)
      throw new GradsimError(
        'mesh/file-invalid',
        `${this.#name}: section $${this.#title} says that it has ${said} ${what}, but has ${found}.`,
      );
  }
  /** Checks that all numbers of the section have been read. @throws when some are left. */
  end(): void {
    if (this.#at < this.#values.length)
      throw new GradsimError(
        'mesh/file-invalid',
        `${this.#name}: section $${this.#title} has ${this.#values.length - this.#at} numbers more than it says.`,
      );
  }
  /** Returns the number of nodes of an element type. @throws for an unknown type. */
  nodesOf(type: number): number {
    const count = NODES[type];
    if (count === undefined)
      throw new GradsimError(
        'mesh/format-not-supported',
        `${this.#name}: section $${this.#title} has elements of Gmsh's type ${type}, which cannot be read.`,
        { hint: 'Save linear elements.' },
      );
    return count;
  }
}

function nodesOf22(cursor: Cursor): Map<number, number[]> {
  const points = new Map<number, number[]>();
  const count = cursor.count();
  for (let k = 0; k < count; k++) points.set(cursor.one(), cursor.take(3));
  cursor.agree(count, points.size, 'nodes of different numbers');
  return points;
}

function nodesOf41(cursor: Cursor): Map<number, number[]> {
  const points = new Map<number, number[]>();
  const [blocks, all] = cursor.take(4).map((number) => cursor.whole(number));
  for (let b = 0; b < blocks; b++) {
    const [dimension, , isParametric] = cursor.take(3);
    const parameters = isParametric ? cursor.whole(dimension) : 0;
    const tags = cursor.take(cursor.count());
    for (const tag of tags) points.set(tag, cursor.take(3 + parameters).slice(0, 3));
  }
  cursor.agree(all, points.size, 'nodes of different numbers');
  return points;
}

function tetsOf22(cursor: Cursor): number[] {
  const tets: number[] = [];
  const count = cursor.count();
  for (let k = 0; k < count; k++) {
    const [, type] = cursor.take(2);
    cursor.take(cursor.count());
    const nodes = cursor.take(cursor.nodesOf(type));
    if (type === TETRAHEDRON) tets.push(...nodes);
  }
  return tets;
}

function tetsOf41(cursor: Cursor): number[] {
  const tets: number[] = [];
  const [blocks, all] = cursor.take(4).map((number) => cursor.whole(number));
  let found = 0;
  for (let b = 0; b < blocks; b++) {
    const [, , type] = cursor.take(3);
    const count = cursor.count();
    found += count;
    for (let k = 0; k < count; k++) {
      const [, ...nodes] = cursor.take(1 + cursor.nodesOf(type));
      if (type === TETRAHEDRON) tets.push(...nodes);
    }
  }
  cursor.agree(all, found, 'elements');
  return tets;
}

/**
 * Number of nodes by element type: lines, triangles, quadrangles, tetrahedra, hexahedra, prisms, pyramids, their
 * quadratic forms, and points.
 */
const NODES: Readonly<Record<number, number>> = {
  1: 2,
  2: 3,
  3: 4,
  4: 4,
  5: 8,
  6: 6,
  7: 5,
  8: 3,
  9: 6,
  10: 9,
  11: 10,
  12: 27,
  13: 18,
  14: 14,
  15: 1,
  16: 8,
  17: 20,
  18: 15,
  19: 13,
};
