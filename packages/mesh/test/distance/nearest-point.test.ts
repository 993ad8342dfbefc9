import { expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { NearestPoint } from '../../src/distance/nearest-point.ts';
import { torus } from '../../src/index.ts';

it('isWithin(p, d) is true exactly if d exceeds the distance of p, whatever was asked before', () => {
  const random = randomNumbers(5);
  const surface = new NearestPoint(torus({ radius: 1, tube: 0.4 }));
  for (let k = 0; k < 500; k++) {
    const point = [0, 0, 0].map(() => 4 * random() - 2);
    const { distance } = surface.nearestTo(point);
    for (const factor of [0, 0.5, 0.999999, 1.000001, 3])
      expect(surface.isWithin(point, factor * distance), `${point}, ${factor}`).toBe(factor > 1);
  }
});
