import { expect, it } from 'vitest';
import type { Column } from '../../src/departures/patterns.ts';
import { edgeColumns, pictureColumns } from '../../src/departures/picture-columns.ts';

// Two cameras' pictures of 3 x 2 pixels in tiles of 2: each tile is full, the right one half padding.
const GRID = { width: 3, height: 2, tile: 2 };
/** Number of pixels of both cameras' pictures, including padding. */
const ELEMENTS = 2 * 2 * 4;
const elementAt = (x: number, y: number): number => Math.floor(x / 2) * 4 + y * 2 + (x % 2);
const picture = (of: (x: number, y: number) => number): Float32Array => {
  const values = new Float32Array(ELEMENTS);
  for (let camera = 0; camera < 2; camera++)
    for (let y = 0; y < GRID.height; y++)
      for (let x = 0; x < GRID.width; x++) values[8 * camera + elementAt(x, y)] = of(x, y);
  return values;
};
const valueAt = ({ fill }: Column, element: number, tangents: readonly Float32Array[] = []): number => {
  const to = new Float64Array(1);
  const derivatives = tangents.map((tangent) => Float64Array.of(tangent[element]));
  fill(to, 0, { at: Uint32Array.of(element), count: 1 }, derivatives);
  return to[0];
};
/** A film of one frame, with derivatives at all pixels. */
const filmOf = (shown: Float32Array, tangents: readonly Float32Array[] = []) => ({
  positions: [Uint32Array.from(shown.keys())],
  columns: [tangents],
  modelOutput: [shown],
});
const columnsOf = (shown: Float32Array, tangents: readonly Float32Array[] = []) => {
  const columns = pictureColumns({ elements: ELEMENTS }, GRID, filmOf(shown, tangents), tangents.length);
  return (kind: string, x: number, y: number, camera = 0): number =>
    valueAt(columns.find((column) => column.kind === kind)!, 8 * camera + elementAt(x, y), tangents);
};

it('pattern columns of a shifted, scaled, rotated or distorted linear picture equal its derivative, in each camera about its own centre', () => {
  const at = columnsOf(picture((x) => 5 * x));
  for (const camera of [0, 1]) {
    expect(at('across', 1, 0, camera)).toBe(5);
    expect(at('down', 1, 0, camera)).toBe(0);
    // At an edge the neighbour is the pixel itself.
    expect(at('scale', 2, 1, camera)).toBe(2.5);
    expect(at('turn', 1, 1, camera)).toBe(2.5);
    expect(at('lens', 2, 1, camera)).toBeCloseTo(2.5 * ((1 + 0.25) / 1.5 ** 2), 6);
  }
});

it('pattern columns are 0 at padding pixels', () => {
  const [across] = pictureColumns({ elements: ELEMENTS }, GRID, filmOf(picture((x, y) => x + y)), 0);
  expect([5, 7, 13, 15].map((padding) => valueAt(across, padding))).toEqual([0, 0, 0, 0]);
});

it('columns of the right or lower half of a picture are the derivatives by an unknown there, and 0 in the other half', () => {
  const at = columnsOf(
    picture(() => 0),
    [picture((x, y) => (x === 0 ? 3 : 1) * (y === 0 ? 1 : 2))],
  );
  expect([0, 1, 2].map((x) => at('right half', x, 0))).toEqual([0, 1, 1]);
  expect([0, 1].map((y) => at('lower half', 1, y))).toEqual([0, 2]);
});

it('edges of a picture that grow and soften change it towards what stands out, and by its Laplacian', () => {
  const shown = picture((x) => [0, 1, 4][x]);
  const [wide, soft] = edgeColumns({ elements: ELEMENTS }, GRID, [shown], new Float32Array(ELEMENTS));
  // Central differences; at the rim of the picture the neighbour is the pixel itself.
  expect([0, 1, 2].map((x) => valueAt(wide, elementAt(x, 0)))).toEqual([0.5, 2, 1.5]);
  expect([0, 1, 2].map((x) => valueAt(soft, elementAt(x, 0)))).toEqual([1, 2, -3]);
  // A dark thing before a bright background stands out downwards.
  const [dark] = edgeColumns({ elements: ELEMENTS }, GRID, [shown], new Float32Array(ELEMENTS).fill(5));
  expect(valueAt(dark, elementAt(1, 0))).toBe(-2);
});
