import type { FunctionLoss } from '@gradsim/optim';
import { edgeLengthLoss, laplacian, normalConsistency, smoothModes } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

const random = randomNumbers(seedOfRun('surfaces', 3));

/**
 * Vertices of a cube of side 2 centred on the origin, flat; `SIDES`: two triangles a side, counterclockwise from
 * outside.
 */
const CUBE = Array.from({ length: 24 }, (_, k) => ((Math.floor(k / 3) >> (k % 3)) & 1 ? 1 : -1));
const SIDES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
];
/** Four triangles around vertex 0 in one plane, as vertex numbers. */
const FAN = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1];

type SurfaceLoss = FunctionLoss<never, 'field'>;
const KINDS: readonly (readonly [string, (triangles: readonly number[]) => SurfaceLoss])[] = [
  ['laplacian', (triangles) => laplacian('bodies.shape', triangles)],
  ['edgeLengthLoss', (triangles) => edgeLengthLoss('bodies.shape', triangles)],
  ['edgeLengthLoss of a given length', (triangles) => edgeLengthLoss('bodies.shape', triangles, { length: 1.3 })],
  ['normalConsistency', (triangles) => normalConsistency('bodies.shape', triangles)],
];

async function at(loss: SurfaceLoss, points: ArrayLike<number>) {
  const field = Float64Array.from(points);
  const run = { frames: 1, frameRate: 1, substeps: 1, shapes: { field: [1, field.length / 3, 3] as const } };
  const { value, gradient } = await loss.evaluate({ field }, run);
  return { value, gradient: Float64Array.from(gradient.field) };
}

describe('a loss of a surface', () => {
  it.each(KINDS)('%s has a gradient that agrees with central differences, on a distorted cube', async (_, make) => {
    const loss = make(SIDES);
    // With a vertex of no triangle.
    const points = Float64Array.from([...CUBE, 3, 3, 3], (x) => x + 0.6 * (random() - 0.5));
    const { gradient } = await at(loss, points);
    const step = 1e-5;
    for (let k = 0; k < points.length; k++) {
      const [less, more] = [points.slice(), points.slice()];
      less[k] -= step;
      more[k] += step;
      const difference = ((await at(loss, more)).value - (await at(loss, less)).value) / (2 * step);
      expect(Math.abs(gradient[k] - difference)).toBeLessThan(1e-8);
    }
    expect([...gradient.slice(-3)]).toEqual([0, 0, 0]);
  });

  it('has the value of its formula on a cube and on a fan of four triangles', async () => {
    // Edges: 12 of length 2, 6 diagonals of length 2 sqrt 2. The surface turns by a right angle at each of the 12.
    expect((await at(edgeLengthLoss('x.y', SIDES), CUBE)).value).toBeCloseTo(12 * 4 + 6 * 8, 12);
    expect((await at(edgeLengthLoss('x.y', SIDES, { length: 2 }), CUBE)).value).toBeCloseTo(
      6 * (2 * Math.SQRT2 - 2) ** 2,
      12,
    );
    expect((await at(normalConsistency('x.y', SIDES), CUBE)).value).toBeCloseTo(12, 12);
    // The middle of a fan is the mean of its neighbours, and each of those neighbours the middle and two others.
    const flat = [0, 0, 0, 1, 0, 0, 0, 1, 0, -1, 0, 0, 0, -1, 0];
    expect((await at(normalConsistency('x.y', FAN), flat)).value).toBeCloseTo(0, 12);
    const raised = [0, 0, 0.5, ...flat.slice(3)];
    const ofMiddle = 0.5 ** 2;
    const ofRim = 4 * (1 + (0.5 / 3) ** 2);
    expect((await at(laplacian('x.y', FAN), raised)).value).toBeCloseTo(ofMiddle + ofRim, 12);
  });

  it.each(KINDS)('%s and its gradient are finite where all points coincide', async (_, make) => {
    const { value, gradient } = await at(make(SIDES), new Float64Array(24));
    expect(Number.isFinite(value)).toBe(true);
    expect(gradient.every(Number.isFinite)).toBe(true);
  });

  it('is refused for an invalid surface, a negative length, or a field of too few points', async () => {
    expect(() => laplacian('x.y', [0, 1])).toThrowCode({ code: 'optim/wrong-size', values: [2, 'laplacian'] });
    expect(() => normalConsistency('x.y', [0, 1, -2])).toThrowCode({ code: 'optim/no-such-vertex', values: [0, -2] });
    expect(() => edgeLengthLoss('x.y', [0, 1, 1])).toThrowCode({ code: 'optim/degenerate-triangle', values: [0, 1] });
    expect(() => edgeLengthLoss('x.y', SIDES, { length: -1 })).toThrowCode({
      code: 'optim/option-out-of-range',
      field: 'length',
      values: [-1, 'edgeLengthLoss'],
    });
    await expect(at(laplacian('x.y', SIDES), CUBE.slice(6))).rejects.toThrowCode({
      code: 'optim/no-such-vertex',
      field: 'x.y',
      values: [7, 6],
    });
  });
});

describe('smooth modes', () => {
  it('are eigenvectors of the graph Laplacian, smoothest first, orthogonal, of mean square 1 over the vertices', () => {
    const modes = smoothModes(SIDES, { count: 8, vertices: 9 });
    expect(modes).toHaveLength(24);
    const neighbours = Array.from({ length: 8 }, () => new Set<number>());
    SIDES.forEach((a, k) => {
      const b = SIDES[3 * Math.floor(k / 3) + ((k + 1) % 3)];
      neighbours[a].add(b);
      neighbours[b].add(a);
    });
    let last = -1e-9;
    modes.forEach((mode, m) => {
      expect([...mode.slice(24)]).toEqual([0, 0, 0]);
      const own = Array.from({ length: 8 }, (_, v) => mode[3 * v + (m % 3)]);
      const image = own.map((x, v) => [...neighbours[v]].reduce((sum, w) => sum + x - own[w], 0));
      const value = own.reduce((sum, x, v) => sum + x * image[v], 0) / 8;
      image.forEach((x, v) => expect(x).toBeCloseTo(value * own[v], 9));
      expect(value).toBeGreaterThanOrEqual(last - 1e-9);
      last = value;
      modes.forEach((other, o) => {
        const along = mode.reduce((sum, x, k) => sum + x * other[k], 0) / 8;
        expect(along).toBeCloseTo(o === m ? 1 : 0, 9);
      });
    });
  });
  it('are refused in larger numbers than there are vertices, and for triangles of unknown vertices', () => {
    expect(() => smoothModes(SIDES, { count: 9 })).toThrowCode({
      code: 'optim/option-out-of-range',
      field: 'count',
      values: [9, 8, 1],
    });
    expect(() => smoothModes(SIDES, { count: 1, vertices: 4 })).toThrowCode({
      code: 'optim/no-such-vertex',
      values: [7],
    });
  });
});
