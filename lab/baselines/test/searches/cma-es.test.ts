import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import type { BlackBox, Point } from '../../src/searches/black-box.ts';
import { reflectIntoBox } from '../../src/searches/black-box.ts';
import { cmaEs } from '../../src/searches/cma-es.ts';

const boxOf = (dimension: number, loss: (point: Point) => number): BlackBox => ({
  dimension,
  losses: async (points) => points.map(loss),
});

describe('CMA-ES', () => {
  it('converges to the minimum of a sum of squares of 5 unknowns', async () => {
    const box = boxOf(5, (point) => point.reduce((sum, x) => sum + (x - 0.3) ** 2, 0));
    const { point, loss } = await cmaEs(box, {
      simulations: 1500,
      start: Array(5).fill(0.9),
      random: randomNumbers(1),
    });
    expect(loss).toBeLessThan(1e-12);
    for (const x of point) expect(x).toBeCloseTo(0.3, 6);
  });

  it("converges along the valley of Rosenbrock's function", async () => {
    // Minimum at (1, 1), of a range from -2 to 2.
    const box = boxOf(2, (point) => {
      const [x, y] = point.map((u) => 4 * u - 2);
      return 100 * (y - x * x) ** 2 + (1 - x) ** 2;
    });
    const { point } = await cmaEs(box, { simulations: 2000, start: [0.2, 0.8], random: randomNumbers(2) });
    for (const u of point) expect(4 * u - 2).toBeCloseTo(1, 5);
  });

  it('finds a minimum at an end of the range although some points have infinite loss', async () => {
    const box = boxOf(2, ([x, y]) => (y > 0.8 ? Number.POSITIVE_INFINITY : x + (y - 0.5) ** 2));
    const { point } = await cmaEs(box, { simulations: 1000, start: [0.5, 0.5], random: randomNumbers(3) });
    expect(point[0]).toBeLessThan(1e-6);
    expect(point[1]).toBeCloseTo(0.5, 3);
  });

  it('starts no generation that would exceed the allowed number of simulations', async () => {
    let count = 0;
    const box = boxOf(1, ([x]) => {
      count++;
      return x;
    });
    await cmaEs(box, { simulations: 30, start: [0.5], random: randomNumbers(4) });
    expect(count).toBe(28);
  });
});

it('coordinates outside of 0 to 1 are mirrored at the ends of that range', () => {
  expect(reflectIntoBox([-0.25, 0.5, 1.25, 2.25, -1.5])).toEqual([0.25, 0.5, 0.75, 0.25, 0.5]);
});
