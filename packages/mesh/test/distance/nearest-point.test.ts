import { randomFrom } from '@gradsim/core/testing';
import { expect, it } from 'vitest';
import { NearestPoint } from '../../src/distance/nearest-point.ts';
import { torus } from '../../src/index.ts';

it('isWithin agrees with the distance of the nearest point, after any earlier queries', () => {
  const random = randomFrom(5);
  const surface = new NearestPoint(torus({ radius: 1, tube: 0.4 }));
  for (let k = 0; k < 500; k++) {
    const point = [0, 0, 0].map(() => 4 * random() - 2);
    const { distance } = surface.to(point);
    for (const factor of [0, 0.5, 0.999999, 1.000001, 3])
      expect(surface.isWithin(point, factor * distance), `${point}, ${factor}`).toBe(factor > 1);
  }
});
