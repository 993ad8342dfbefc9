import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import type { PointComponent } from '@gradsim/mpm';
import {
  addPoints,
  Coverage,
  coverage,
  coverageOf,
  ElasticPoint,
  LiquidPoint,
  mpm,
  pointsInBox,
  SandPoint,
  SnowPoint,
} from '@gradsim/mpm';
import { afterAll, describe, expect, it } from 'vitest';

const f64 = f64Device();
afterAll(() => f64.dispose());

const PICTURE = { size: [14, 12], spacing: 0.05, origin: [-0.1, -0.2] } as const;
const GRID = { ...PICTURE, origin: [...PICTURE.origin] };
const BOX = { from: [0.1, 0.05, 0], to: [0.35, 0.2, 0], spacing: 0.025 };

function scene(of: PointComponent, columns: Readonly<Record<string, number | readonly number[]>>) {
  const made = createScene([mpm(GRID), coverage(PICTURE)]);
  addPoints(made, of, { ...pointsInBox(BOX), density: 1000, velocity: [0.3, -0.2, 0], ...columns });
  return made;
}

async function shareOf(of: PointComponent, columns: Readonly<Record<string, number | readonly number[]>>) {
  const run = { device: f64, frames: 1, frameRate: 1, substeps: 1, record: [Coverage.share], onWarning: () => {} };
  const simulation = await createSimulation(buildModel(scene(of, columns)), run);
  simulation.forward();
  const share = await simulation.readFrames(Coverage.share);
  simulation.dispose();
  return share;
}

/** Picture of a box, without noise: of each pixel the share that the box covers. */
function filmOf(from: readonly number[], to: readonly number[], pixel: number) {
  const [width, height, left, top] = [Math.round(0.7 / pixel), Math.round(0.6 / pixel), -0.125, 0.375];
  const along = (low: number, high: number, start: number): number =>
    Math.max(0, Math.min(high, start + pixel) - Math.max(low, start)) / pixel;
  const pixels = Float64Array.from({ length: width * height }, (_, k) => {
    const [row, column] = [Math.floor(k / width), k % width];
    return along(from[0], to[0], left + column * pixel) * along(from[1], to[1], top - (row + 1) * pixel);
  });
  return { pixels, width, height, pixel, left, top };
}

describe('the coverage of material points', () => {
  it('is that of a film of the same box: the area to rounding, and each cell to the error of sums over points', async () => {
    const share = await shareOf(LiquidPoint, { bulkModulus: 1e4 });
    const area = share.reduce((sum, one) => sum + one, 0) * 0.05 ** 2;
    expect(Math.abs(area / (0.25 * 0.15) - 1)).toBeLessThan(1e-12);
    const { target, weights } = coverageOf(filmOf(BOX.from, BOX.to, 0.01), PICTURE);
    // The midpoint rule with two points a cell, along both axes: d^2 / 24 times the spline's second derivative, 1 / h^2.
    target.forEach((value, k) => expect(Math.abs(value - share[k])).toBeLessThan(2 / 96));
    // Every other cell along both axes, all within the picture.
    expect(weights.reduce((sum, w) => sum + w, 0)).toBe(6 * 5);
  });

  it('is larger by the volume ratio of the strain', async () => {
    const sum = (share: Float64Array): number => share.reduce((total, one) => total + one, 0);
    const apart = (j: number): number[] => [Math.log(j), 0, 0, 0, 0, 0, 0, 0, 0];
    const moduli = { youngsModulus: 1e4 };
    const stretched = [0.1, 0, 0, 0, 0, 0, 0, 0, 0];
    const rest = sum(await shareOf(ElasticPoint, moduli));
    for (const [of, columns] of [
      [ElasticPoint, { ...moduli, strain: stretched }],
      [LiquidPoint, { bulkModulus: 1e4, strain: stretched }],
      [SandPoint, { ...moduli, frictionAngle: 0.5, strain: apart(1.1) }],
      [SnowPoint, { ...moduli, strain: apart(1.1) }],
    ] as const)
      expect(sum(await shareOf(of, columns)) / rest).toBeCloseTo(1.1, 12);
  });

  it('has exact derivatives, and the same bits however it is run', async () => {
    const made = scene(ElasticPoint, { youngsModulus: 1e4, strain: [0.02, 0.01, 0, 0, -0.03, 0, 0, 0, 0] });
    await checkPlugin(made, {
      frames: 3,
      frameRate: 40,
      substeps: 12,
      seed: 1,
      parameters: [ElasticPoint.youngsModulus, ElasticPoint.velocity],
      outputs: [Coverage.share],
    });
  });

  it('is refused for a picture that is none, or shows nothing of the cells', () => {
    const film = filmOf(BOX.from, BOX.to, 0.01);
    expect(() => coverage({ ...PICTURE, thickness: 0 })).toThrowCode({
      code: 'mpm/option-out-of-range',
      field: 'thickness',
    });
    expect(() => coverageOf({ ...film, width: 71 }, PICTURE)).toThrowCode({
      code: 'mpm/option-out-of-range',
      field: 'pixels',
    });
    expect(() => coverageOf({ ...film, left: 9 }, PICTURE)).toThrowCode({
      code: 'mpm/option-out-of-range',
      field: 'pixel',
    });
  });
});
