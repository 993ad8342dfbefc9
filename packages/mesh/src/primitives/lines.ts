import { GradsimError, refuseUnknownOptions } from '@gradsim/base';
import type { LineMesh } from '../mesh.ts';
import { checkCount, checkElementCount, checkLengths, checkList } from './dimensions.ts';

/**
 * A line of evenly spaced vertices from one point to another, each joined to the next.
 *
 * @param options `reach` also joins each vertex to the following ones up to that many places away, for a chain of
 * springs that resists bending.
 *
 * @example
 * const rope = chain({ from: [0, 1, 0], to: [1, 1, 0], segments: 10 }); // 11 vertices
 */
export function chain({
  from = [-0.5, 0, 0],
  to = [0.5, 0, 0],
  segments = 1,
  reach = 1,
  ...others
}: {
  from?: readonly [number, number, number];
  to?: readonly [number, number, number];
  segments?: number;
  reach?: number;
} = {}): LineMesh {
  refuseUnknownOptions('chain', others, { from: true, to: true, segments: true, reach: true });
  checkList('chain', 'from', from, 3);
  checkList('chain', 'to', to, 3);
  checkCount('chain', 'segments', segments, 1);
  checkCount('chain', 'reach', reach, 1);
  checkElementCount('chain', 'lines', Math.min(reach, segments) * segments);
  [...from, ...to].forEach((x, k) => {
    if (!Number.isFinite(x))
      throw new GradsimError('mesh/not-finite', `chain: ${k < 3 ? 'from' : 'to'} holds ${x}.`, {
        hint: 'Both must be points of finite numbers.',
      });
  });
  const positions = Float64Array.from({ length: 3 * (segments + 1) }, (_, k) => {
    const [part, axis] = [Math.floor(k / 3) / segments, k % 3];
    return from[axis] + part * (to[axis] - from[axis]);
  });
  const lines: number[] = [];
  for (let apart = 1; apart <= Math.min(reach, segments); apart++)
    for (let k = 0; k + apart <= segments; k++) lines.push(k, k + apart);
  return { name: 'chain', positions, lines: Uint32Array.from(lines) };
}

/**
 * A rectangular net of lines in the plane y = 0 about the origin: the sides and diagonals of cells. Vertices are
 * numbered along x, then z.
 *
 * @example
 * const trampoline = net({ size: [2, 2], segments: [8, 8] });
 */
export function net({
  size = [1, 1],
  segments = [1, 1],
  ...others
}: {
  size?: readonly [number, number];
  segments?: readonly [number, number];
} = {}): LineMesh {
  refuseUnknownOptions('net', others, { size: true, segments: true });
  checkList('net', 'size', size, 2);
  checkList('net', 'segments', segments, 2);
  checkLengths('net', { 'size x': size[0], 'size z': size[1] });
  checkCount('net', 'segments along x', segments[0], 1);
  checkCount('net', 'segments along z', segments[1], 1);
  checkElementCount('net', 'lines', 4 * segments[0] * segments[1]);
  return joinedCells('net', [size[0], 0, size[1]], [segments[0], 0, segments[1]]);
}

/**
 * A box-shaped lattice of lines about the origin: the edges and all diagonals of cells. Vertices are numbered along x,
 * then y, then z.
 *
 * @example
 * const jelly = lattice({ size: [0.2, 0.1, 0.1], cells: [4, 2, 2] });
 */
export function lattice({
  size = [1, 1, 1],
  cells = [1, 1, 1],
  ...others
}: {
  size?: readonly [number, number, number];
  cells?: readonly [number, number, number];
} = {}): LineMesh {
  refuseUnknownOptions('lattice', others, { size: true, cells: true });
  checkList('lattice', 'size', size, 3);
  checkList('lattice', 'cells', cells, 3);
  checkLengths('lattice', { 'size x': size[0], 'size y': size[1], 'size z': size[2] });
  cells.forEach((count, axis) => {
    checkCount('lattice', `cells along ${'xyz'[axis]}`, count, 1);
  });
  checkElementCount('lattice', 'lines', 13 * cells[0] * cells[1] * cells[2]);
  return joinedCells('lattice', size, cells);
}

/**
 * Offsets to half of the 26 neighbours of a lattice point: one of each opposite pair, so that each line is made once.
 */
const FORWARD_NEIGHBOURS = [-1, 0, 1]
  .flatMap((dz) => [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [dx, dy, dz] as const)))
  .filter(([dx, dy, dz]) => dz > 0 || (dz === 0 && (dy > 0 || (dy === 0 && dx > 0))));

/**
 * Creates a lattice of cells about the origin, all corners of a cell joined to each other; flat along an axis with 0
 * cells.
 */
function joinedCells(name: string, size: readonly number[], cells: readonly number[]): LineMesh {
  const [nx, ny, nz] = cells.map((count) => count + 1);
  const positions: number[] = [];
  const lines: number[] = [];
  const at = (x: number, y: number, z: number): number => x + nx * (y + ny * z);
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++) {
      for (let x = 0; x < nx; x++) {
        [x, y, z].forEach((k, axis) => {
          positions.push(cells[axis] === 0 ? 0 : (k / cells[axis] - 0.5) * size[axis]);
        });
        for (const [dx, dy, dz] of FORWARD_NEIGHBOURS) {
          const [u, v, w] = [x + dx, y + dy, z + dz];
          if (u < 0 || u >= nx || v < 0 || v >= ny || w < 0 || w >= nz) continue;
          lines.push(at(x, y, z), at(u, v, w));
        }
      }
    }
  }
  return { name, positions: Float64Array.from(positions), lines: Uint32Array.from(lines) };
}
