import { describe, expect, it } from 'vitest';
import { objectMasks, trackBlobs, trackCorners } from '../../src/index.ts';
import { filmOf } from '../films.ts';

const SHAPE = { width: 120, height: 60, channels: 1 as const, frameRate: 30 };
/** Rotation of the picture per frame, rad. */
const TURN = 0.12;
const place = (f: number): [number, number] => [22 + 6 * f, 24 + 1.2 * f];
/** Brightness of a pattern of waves, fixed to the disc, at (u, v) px from its centre. */
const pattern = (u: number, v: number): number => 0.5 + 0.22 * Math.sin(u / 1.6) + 0.22 * Math.sin(v / 1.9 + 0.6);

/** A patterned disc of radius 15 px on black, which moves by 6 px and rotates by 7 degrees per frame. */
const film = filmOf(SHAPE, 11, (x, y, _c, f) => {
  const [u, v] = [x + 0.5 - place(f)[0], y + 0.5 - place(f)[1]];
  const [c, s] = [Math.cos(TURN * f), Math.sin(TURN * f)];
  const a = Math.min(Math.max(15.5 - Math.hypot(u, v), 0), 1);
  return a * pattern(c * u + s * v, c * v - s * u);
});
const empty = filmOf(SHAPE, 1, () => 0);

describe('trackCorners', () => {
  const { masks } = objectMasks(film, empty, { transfer: 'linear' });
  const [disc] = trackBlobs(masks);

  it('tracks points of a moving and rotating body to 0.25 px over eight frames', () => {
    const corners = trackCorners(film, masks, disc);
    const long = corners.filter(({ points }) => points.length >= 9);
    expect(long.length).toBeGreaterThanOrEqual(5);
    expect(corners[0].name).toBe('1.1');
    for (const { points } of long) {
      const first = points[0];
      const [u, v] = [first.x - place(first.frame)[0], first.y - place(first.frame)[1]];
      const point = points[8];
      const turned = TURN * (point.frame - first.frame);
      const [c, s] = [Math.cos(turned), Math.sin(turned)];
      const [x, y] = place(point.frame);
      expect(Math.hypot(point.x - x - (c * u - s * v), point.y - y - (s * u + c * v))).toBeLessThan(0.25);
    }
  });

  it('finds no corners on a plain object, and keeps corners a minimum distance apart', () => {
    const plain = filmOf(SHAPE, 5, (x, y, _c, f) => {
      const a = Math.min(Math.max(15.5 - Math.hypot(x + 0.5 - place(f)[0], y + 0.5 - place(f)[1]), 0), 1);
      return 0.6 * a;
    });
    const found = objectMasks(plain, empty, { transfer: 'linear' });
    expect(trackCorners(plain, found.masks, trackBlobs(found.masks)[0])).toEqual([]);
    const few = trackCorners(film, masks, disc, { maxCorners: 3, minDistance: 8 });
    const starts = few.flatMap(({ points }) => points.filter(({ frame }) => frame === 0));
    expect(starts.length).toBe(3);
    starts.forEach((a, k) => {
      for (const b of starts.slice(k + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThanOrEqual(8);
    });
  });

  it('refuses masks of another size, and invalid options', () => {
    expect(() => trackCorners(film, empty, disc)).toThrowCode({ code: 'video/other-shape', values: [120, 60, 11] });
    expect(() => trackCorners(film, masks, disc, { count: 3 } as object)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"count"'],
    });
  });
});
