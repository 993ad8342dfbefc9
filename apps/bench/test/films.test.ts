import { createFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { pointAt, pointAtHeight, seenFrom } from '../src/films/camera.ts';
import { sharpened } from '../src/films/edges.ts';

const CAMERA = { eye: [0.3, 0.8, 2.5], target: [0, 0.4, 0], fieldOfView: 0.7, width: 480, height: 360 };

describe('outlines', () => {
  it('of a disc blurred over 4 px, on a brightness gradient, have centre and radius within 0.1 px', () => {
    const picture = createFrames({ width: 80, height: 60, channels: 3, frameRate: 30 }, 1);
    const whole = new Uint8Array(80 * 60);
    const [x, y, radius] = [41.3, 28.8, 14.6];
    for (let p = 0; p < whole.length; p++) {
      const far = Math.hypot((p % 80) + 0.5 - x, Math.floor(p / 80) + 0.5 - y) - radius;
      // Blurred over two pixels to either side; what is rough is two pixels too large.
      const part = Math.min(Math.max(0.5 - far / 4, 0), 1);
      whole[p] = Number(far < 2);
      const behind = 0.3 + 0.002 * (p % 80);
      picture.data.set([part * 0.6 + (1 - part) * behind, (1 - part) * behind, (1 - part) * behind], 3 * p);
    }
    const found = sharpened({ x: x + 0.5, y: y - 0.4, size: radius + 2 }, whole, picture);
    expect(Math.abs(found.x - x)).toBeLessThan(0.1);
    expect(Math.abs(found.y - y)).toBeLessThan(0.1);
    expect(Math.abs(found.size - radius)).toBeLessThan(0.1);
  });
});

describe('the camera', () => {
  it('expressed in rotated and shifted world axes maps a pixel and depth to the same point', () => {
    const [sine, cosine] = [Math.sin(0.4), Math.cos(0.4)];
    const axes = [
      [cosine, -sine, 0],
      [sine, cosine, 0],
      [0, 0, 1],
    ];
    const origin = [0.1, 0.2, -0.3];
    const point = pointAt(CAMERA, 130, 220, 2);
    const away = point.map((c, k) => c - origin[k]);
    const turned = axes.map((axis) => axis.reduce((sum, c, k) => sum + c * away[k], 0));
    pointAt(seenFrom(CAMERA, axes, origin), 130, 220, 2).forEach((c, k) => {
      expect(c).toBeCloseTo(turned[k], 12);
    });
    expect(pointAtHeight(CAMERA, 130, 300, 0.1)[1]).toBeCloseTo(0.1, 12);
  });
});
