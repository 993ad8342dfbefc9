import { describe, expect, it } from 'vitest';
import { withUsualSizes } from '../src/film/usual-sizes.ts';

describe('sizes of masks', () => {
  const sizeAt = (frame: number): number => 20 - 0.1 * frame + 0.002 * frame ** 2 + 0.02 * Math.sin(7 * frame);
  const seen = Array.from({ length: 48 }, (_, frame) => ({ x: frame, y: 0, size: sizeAt(frame) }));

  it('that lack a part, or have one of something else, are left out, also several one after another', () => {
    const [less, more] = [
      [3, 4, 5, 8, 12, 29],
      [18, 21, 22],
    ];
    const film = seen.map((outline, frame) => {
      const factor = less.includes(frame) ? 0.95 : more.includes(frame) ? 1.1 : 1;
      return frame === 40 ? undefined : { ...outline, size: factor * outline.size };
    });
    const missing = withUsualSizes(film).flatMap((outline, frame) => (outline ? [] : [frame]));
    expect(missing).toEqual([...less, ...more, 40].sort((a, b) => a - b));
  });

  it('that change slowly are all kept', () => {
    expect(withUsualSizes(seen)).toEqual(seen);
  });
});
