import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { TetMesh } from '../mesh.ts';
import { parseDecimal } from './numbers.ts';

/** Options of {@link parseGmsh}. */
export interface GmshOptions {
  /** Receives what of a file is read in part, a sentence each. Default: `console.warn`. */
  readonly onWarning?: (text: string) => void;
}

/**
 * Reads the tetrahedra of a Gmsh mesh, ASCII, version 2.2 or 4.1. Points, lines and faces are ignored, and nodes that
 * belong to no tetrahedron are dropped. Of tetrahedra with nodes on their edges too, such as those of ten nodes, the
 * four corners are read, which `onWarning` is told: quadratic soft bodies have nodes in the middle of edges again.
 *
 * @param name of the file, for messages.
 *
 * @throws GradsimError naming the section when the file is binary, of another version, truncated, has no tetrahedra or
 * other volumes too, has more or fewer numbers or nodes than it declares, a node twice, or an element with a node that
 * does not exist.
 *
 * @example
 * const liver = parseGmsh(await (await fetch('liver.msh')).text(), 'liver.msh');
 */
export function parseGmsh(
  text: string,
  name = 'MSH',
  { onWarning = (text) => console.warn(text), ...others }: GmshOptions = {},
): TetMesh {
  refuseUnknownOptions<GmshOptions>('parseGmsh', others, { onWarning: true });
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
  const nodes = new WordCursor(name, 'Nodes', section(name, text, 'Nodes'));
  const elements = new WordCursor(name, 'Elements', section(name, text, 'Elements'));
  const points = version === 2.2 ? nodesOf22(nodes) : nodesOf41(nodes);
  nodes.end();
  const all = version === 2.2 ? elementsOf22(elements) : elementsOf41(elements);
  elements.end();
  refuseOtherVolumes(name, all);
  const volumes = all.filter(({ type }) => KINDS[type].shape === 'tetrahedron');
  if (volumes.length === 0)
    throw new GradsimError('mesh/nothing-in-mesh', `${name} has no tetrahedra.`, { field: name });
  const tets = volumes.flatMap(({ nodes }) => nodes.slice(0, 4));
  warnOfMidEdgeNodes(name, volumes, points, onWarning);
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
  return words.map(parseDecimal);
}

/** Sequential reader of the numbers in a section. */
class WordCursor {
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
  takeNumber(): number {
    return this.take(1)[0];
  }
  /** Reads the next number as a count: a whole number of at least 0. */
  count(): number {
    return this.requireCount(this.takeNumber());
  }
  requireCount(count: number): number {
    if (!Number.isInteger(count) || count < 0)
      throw new GradsimError(
        'mesh/file-invalid',
        `${this.#name}: section $${this.#title} has ${count} as a number of things (number ${this.#at} of the section).`,
        { hint: 'It must be whole.' },
      );
    return count;
  }
  /** Checks the number of things found against the number that a header declares. @throws when they differ. */
  checkCount(said: number, found: number, what: string): void {
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
    const kind = KINDS[type];
    if (!kind)
      throw new GradsimError(
        'mesh/format-not-supported',
        `${this.#name}: section $${this.#title} has elements of Gmsh's type ${type}, which cannot be read.`,
        { hint: 'Save linear elements (in Gmsh, Mesh.ElementOrder = 1).' },
      );
    return kind.nodes;
  }
}

/** An element of a file: its type, as Gmsh numbers it, and the numbers of its nodes, corners first. */
interface Element {
  readonly type: number;
  readonly nodes: readonly number[];
}

/** @throws for volumes that are no tetrahedra: without them, the body would have holes. */
function refuseOtherVolumes(name: string, elements: readonly Element[]): void {
  const counts = new Map<string, number>();
  for (const { type } of elements) {
    const { shape } = KINDS[type];
    if (VOLUME_SHAPES.includes(shape)) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  const others = [...counts].filter(([shape]) => shape !== 'tetrahedron');
  if (others.length === 0) return;
  const listed = others.map(([shape, count]) => countOfShape(count, shape)).join(', ');
  throw new GradsimError('mesh/format-not-supported', `${name} has ${listed}; of volumes, tetrahedra can be read.`, {
    field: name,
    hint: 'Fill it with tetrahedra: in Gmsh, without Recombine, Transfinite Volume or Layers.',
  });
}

/** Warns of tetrahedra with more nodes than corners, and says how far those of ten lie from straight edges. */
function warnOfMidEdgeNodes(
  name: string,
  volumes: readonly Element[],
  points: ReadonlyMap<number, readonly number[]>,
  onWarning: (text: string) => void,
): void {
  const counts = new Map<number, number>();
  for (const { nodes } of volumes) if (nodes.length > 4) counts.set(nodes.length, (counts.get(nodes.length) ?? 0) + 1);
  if (counts.size === 0) return;
  let most = 0;
  for (const { nodes } of volumes)
    if (nodes.length === 10)
      EDGES.forEach(([i, j], k) => {
        const [a, b, middle] = [nodes[i], nodes[j], nodes[4 + k]].map((tag) => points.get(tag));
        if (!a || !b || !middle) return;
        const off = Math.hypot(...middle.map((x, axis) => x - (a[axis] + b[axis]) / 2));
        most = Math.max(most, off / Math.hypot(...a.map((x, axis) => x - b[axis])));
      });
  const listed = [...counts]
    .map(([size, count]) => `${countOfShape(count, 'tetrahedron')} of ${size} nodes`)
    .join(' and ');
  const straight = counts.has(10)
    ? `, on straight edges: those of the file are up to ${Number((100 * most).toPrecision(2))} % of an edge away from there`
    : '';
  onWarning(
    `${name}: ${listed} read by the four corners alone. A soft body with \`elements: 'quadratic'\` has nodes in the middle of edges again${straight}.`,
  );
}

function nodesOf22(cursor: WordCursor): Map<number, number[]> {
  const points = new Map<number, number[]>();
  const count = cursor.count();
  for (let k = 0; k < count; k++) points.set(cursor.takeNumber(), cursor.take(3));
  cursor.checkCount(count, points.size, 'nodes of different numbers');
  return points;
}

function nodesOf41(cursor: WordCursor): Map<number, number[]> {
  const points = new Map<number, number[]>();
  const [blocks, all] = cursor.take(4).map((number) => cursor.requireCount(number));
  for (let b = 0; b < blocks; b++) {
    const [dimension, , isParametric] = cursor.take(3);
    const parameters = isParametric ? cursor.requireCount(dimension) : 0;
    const tags = cursor.take(cursor.count());
    for (const tag of tags) points.set(tag, cursor.take(3 + parameters).slice(0, 3));
  }
  cursor.checkCount(all, points.size, 'nodes of different numbers');
  return points;
}

function elementsOf22(cursor: WordCursor): Element[] {
  const elements: Element[] = [];
  const count = cursor.count();
  for (let k = 0; k < count; k++) {
    const [, type] = cursor.take(2);
    cursor.take(cursor.count());
    elements.push({ type, nodes: cursor.take(cursor.nodesOf(type)) });
  }
  return elements;
}

function elementsOf41(cursor: WordCursor): Element[] {
  const elements: Element[] = [];
  const [blocks, all] = cursor.take(4).map((number) => cursor.requireCount(number));
  for (let b = 0; b < blocks; b++) {
    const [, , type] = cursor.take(3);
    const count = cursor.count();
    for (let k = 0; k < count; k++) elements.push({ type, nodes: cursor.take(1 + cursor.nodesOf(type)).slice(1) });
  }
  cursor.checkCount(all, elements.length, 'elements');
  return elements;
}

/** Corners at both ends of the edges of a tetrahedron, in the order of the nodes five to ten. */
const EDGES = [
  [0, 1],
  [1, 2],
  [2, 0],
  [3, 0],
  [2, 3],
  [1, 3],
] as const;

const VOLUME_SHAPES: readonly string[] = ['tetrahedron', 'hexahedron', 'prism', 'pyramid'];
const countOfShape = (count: number, shape: string): string =>
  `${count} ${count === 1 ? shape : shape.endsWith('hedron') ? shape.replace(/on$/, 'a') : `${shape}s`}`;

/** Element types by shape: number of each, and its nodes; corners come first. Source: the reference manual of Gmsh. */
const TYPES = {
  point: { 15: 1 },
  line: { 1: 2, 8: 3, 26: 4, 27: 5, 28: 6 },
  triangle: { 2: 3, 9: 6, 20: 9, 21: 10, 22: 12, 23: 15, 24: 15, 25: 21 },
  quadrangle: { 3: 4, 10: 9, 16: 8, 36: 16, 37: 25, 38: 36 },
  tetrahedron: { 4: 4, 11: 10, 29: 20, 30: 35, 31: 56, 71: 84, 72: 120, 73: 165, 74: 220, 75: 286 },
  hexahedron: { 5: 8, 12: 27, 17: 20, 92: 64, 93: 125 },
  prism: { 6: 6, 13: 18, 18: 15, 90: 40, 91: 75 },
  pyramid: { 7: 5, 14: 14, 19: 13, 118: 30, 119: 55 },
} as const;
const KINDS: Readonly<Record<number, { readonly shape: string; readonly nodes: number }>> = Object.fromEntries(
  Object.entries(TYPES).flatMap(([shape, of]) => Object.entries(of).map(([type, nodes]) => [type, { shape, nodes }])),
);
