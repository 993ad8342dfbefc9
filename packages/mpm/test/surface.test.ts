import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { addPoints, ElasticPoint, mpm, pointSurface, pointsInBox, SurfaceVertex } from '@gradsim/mpm';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import '../../../scripts/vitest/to-throw-code.ts';

import { OrbitCamera, Pixel, render } from '../../render/src/index.ts';
import { softRas } from '../../render-softras/src/index.ts';

const [RADIUS, SPACING] = [0.2, 0.05];
const NODES = { size: [14, 14, 14], spacing: SPACING, origin: [-0.31, -0.32, -0.33] } as const;
const BALL = pointsInBox({
  from: [-RADIUS, -RADIUS, -RADIUS],
  to: [RADIUS, RADIUS, RADIUS],
  spacing: SPACING / 4,
  keeps: (x, y, z) => Math.hypot(x, y, z) < RADIUS,
});

/** Surface of a ball of points that has not moved yet, in doubles. */
async function surfaceOf(positions: Float64Array, volumes: Float64Array) {
  const scene = createScene([mpm(NODES), pointSurface(NODES)]);
  addPoints(scene, ElasticPoint, { positions, volume: volumes, density: 1000, youngsModulus: 1e4 });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 1,
    frameRate: 1e7,
    substeps: 1,
    parameters: [ElasticPoint.position, ElasticPoint.volume],
    record: [SurfaceVertex.position.key],
    outputs: [SurfaceVertex.position],
  });
  simulation.forward();
  return { simulation, corners: await simulation.readFrames(SurfaceVertex.position) };
}

type Triple = readonly number[];
const crossed = ([a, b, c]: Triple, [x, y, z]: Triple): Triple => [b * z - c * y, c * x - a * z, a * y - b * x];
const inner = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const trianglesOf = (corners: ArrayLike<number>): Triple[][] =>
  Array.from({ length: corners.length / 9 }, (_, t) =>
    [0, 3, 6].map((k) => [corners[9 * t + k], corners[9 * t + k + 1], corners[9 * t + k + 2]]),
  );
/** Enclosed volume, m^3. */
const volumeIn = (corners: ArrayLike<number>): number =>
  trianglesOf(corners).reduce((sum, [a, b, c]) => sum + inner(a, crossed(b, c)) / 6, 0);

const volumes = new Float64Array(BALL.positions.length / 3).fill(BALL.volume);
// A sphere smoothed by a kernel of variance s^2 along each axis has half its density at R - s^2 / R; the quadratic
// B-spline has s^2 = spacing^2 / 4.
const shrunk = (radius: number): number => radius - SPACING ** 2 / (4 * radius);

describe('pointSurface', () => {
  it('draws a ball of points as a closed sphere, counter-clockwise from outside', async () => {
    const { simulation, corners } = await surfaceOf(BALL.positions, volumes);
    const triangles = trianglesOf(corners).filter(([a, b, c]) => {
      const normal = crossed(
        b.map((x, k) => x - a[k]),
        c.map((x, k) => x - a[k]),
      );
      return inner(normal, normal) > 0;
    });
    expect(triangles.length).toBeGreaterThan(400);
    for (const corner of triangles.flat())
      expect(Math.abs(Math.hypot(...corner) - shrunk(RADIUS))).toBeLessThan(0.1 * SPACING);
    // Each edge is passed once in both directions.
    const places = new Map<string, number>();
    const numberOf = (corner: Triple): number => {
      const key = corner.map((x) => Math.round(x * 1e9)).join();
      places.set(key, places.get(key) ?? places.size);
      return places.get(key)!;
    };
    const passed = new Map<string, number>();
    for (const triangle of triangles) {
      const [a, b, c] = triangle.map(numberOf);
      for (const [from, to] of [
        [a, b],
        [b, c],
        [c, a],
      ])
        passed.set(`${from} ${to}`, (passed.get(`${from} ${to}`) ?? 0) + 1);
    }
    for (const [edge, count] of passed) {
      expect(count).toBe(1);
      expect(passed.get(edge.split(' ').reverse().join(' '))).toBe(1);
    }
    const expected = (4 / 3) * Math.PI * shrunk(RADIUS) ** 3;
    // Triangles are chords, at most a cell's diagonal long, below the sphere by (sqrt(3) spacing)^2 / (8 R) at most; the
    // points' own volume is that of the ball within 0.6 %.
    expect(volumeIn(corners) / expected).toBeLessThan(1.01);
    expect(volumeIn(corners) / expected).toBeGreaterThan(0.994 - (9 / 8) * (SPACING / RADIUS) ** 2);
    simulation.dispose();
  });

  it('has the derivative of its volume by where the points are: differences, and the closed form of a larger ball', async () => {
    const { simulation, corners } = await surfaceOf(BALL.positions, volumes);
    const seeds = trianglesOf(corners).flatMap(([a, b, c]) =>
      [crossed(b, c), crossed(c, a), crossed(a, b)].flatMap((one) => one.map((x) => x / 6)),
    );
    simulation.backward({ [SurfaceVertex.position.key]: Float64Array.from(seeds) });
    const byPosition = await simulation.gradient(ElasticPoint.position);
    const byVolume = await simulation.gradient(ElasticPoint.volume);
    simulation.dispose();
    const along = (gradient: ArrayLike<number>, direction: ArrayLike<number>): number =>
      Array.from(gradient).reduce((sum, value, k) => sum + value * direction[k], 0);

    const random = randomNumbers(seedOfRun('surface'));
    const moves = Float64Array.from(BALL.positions, () => random() - 0.5);
    const swells = Float64Array.from(volumes, () => BALL.volume * (random() - 0.5));
    const h = 1e-5;
    const [after, before] = await Promise.all(
      [h, -h].map(async (by) => {
        const moved = await surfaceOf(
          BALL.positions.map((x, k) => x + by * SPACING * moves[k]),
          volumes.map((v, k) => v + by * swells[k]),
        );
        moved.simulation.dispose();
        return volumeIn(moved.corners);
      }),
    );
    const slope = SPACING * along(byPosition, moves) + along(byVolume, swells);
    expect((after - before) / (2 * h) / slope).toBeCloseTo(1, 5);

    const grown = along(byPosition, BALL.positions) + 3 * along(byVolume, volumes);
    const closed = 4 * Math.PI * shrunk(RADIUS) ** 2 * (RADIUS + SPACING ** 2 / (4 * RADIUS));
    expect(Math.abs(grown / closed - 1)).toBeLessThan(0.03);
  });

  it('is drawn as a disc, by a renderer of both sides too', async () => {
    const [pixels, distance] = [48, 0.8];
    const scene = createScene([
      mpm(NODES),
      pointSurface({ ...NODES, color: [0.8, 0.2, 0.2] }),
      render({ width: pixels, height: pixels }),
      softRas({ sigma: 1e-6, drawings: ['silhouette'], doubleSided: true }),
    ]);
    addPoints(scene, ElasticPoint, { ...BALL, density: 1000, youngsModulus: 1e4 });
    const fieldOfView = Math.PI / 4;
    scene.add(OrbitCamera, { distance, fieldOfView });
    const simulation = await createSimulation(buildModel(scene), {
      device: cpuDevice(),
      frames: 1,
      frameRate: 1e7,
      substeps: 1,
      record: [Pixel.alpha],
    });
    simulation.forward();
    const silhouette = await simulation.readFrames(Pixel.alpha);
    simulation.dispose();
    const area = silhouette.reduce((sum, alpha) => sum + alpha, 0) / pixels ** 2;
    // Tangents from the camera touch a sphere under the angle asin(R / distance).
    const radius = Math.tan(Math.asin(shrunk(RADIUS) / distance)) / Math.tan(fieldOfView / 2);
    expect(area / ((Math.PI * radius ** 2) / 4)).toBeGreaterThan(0.96);
    expect(area / ((Math.PI * radius ** 2) / 4)).toBeLessThan(1.02);
  });

  it('refuses a grid of two axes', () => {
    expect(() => pointSurface({ size: [4, 4] as never, spacing: 0.1 })).toThrowCode('mpm/option-out-of-range');
  });
});
