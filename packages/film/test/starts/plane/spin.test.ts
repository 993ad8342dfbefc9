import { PinholeCamera } from '@gradsim/render';
import type { Track } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { filmCamera, spinIn, startOfSpin } from '../../../src/index.ts';

const [WIDTH, HEIGHT, FOCAL, RATE, AREA] = [480, 360, 430, 30, 200];
const camera = await filmCamera(
  PinholeCamera,
  {
    rotation: [1, 0, 0, 0],
    translation: [0, 0, 0],
    focalLength: [FOCAL, FOCAL],
    principalPoint: [(WIDTH - 1) / 2, (HEIGHT - 1) / 2],
  },
  { width: WIDTH, height: HEIGHT },
);

/** Track of a mark whose angle, rad, is given by time, on a disc that is turned about x by a tilt, rad. */
const trackOf = (angleAt: (t: number) => number, { tilt = 0, frames = 90, lost = [] as number[] } = {}): Track => ({
  name: '1',
  points: Array.from({ length: frames }, (_, frame) => frame)
    .filter((frame) => !lost.includes(frame))
    .map((frame) => {
      const angle = angleAt(frame / RATE);
      const depth = 1 - 0.25 * Math.sin(angle) * Math.sin(tilt);
      const [x, y] = [0.03 + 0.25 * Math.cos(angle), -0.02 + 0.25 * Math.sin(angle) * Math.cos(tilt)];
      return {
        frame,
        time: frame / RATE,
        x: WIDTH / 2 + (FOCAL * x) / depth,
        y: HEIGHT / 2 - (FOCAL * y) / depth,
        area: AREA,
      };
    }),
});

describe('the start of a disc that spins and slows down', () => {
  it.each([
    [14, 2, 0],
    [-9, 1, 0.15],
    [70, 5, -0.15],
  ])('finds the first rate %d rad/s, the slowing %d rad/s^2 and the tilt %d rad', (rate, slowing, tilt) => {
    const way = Math.sign(rate);
    // Frames that were lost are counted over.
    const found = startOfSpin(
      trackOf((t) => 0.7 + rate * t - (way * slowing * t * t) / 2, { tilt, lost: [5, 30] }),
      camera,
    );
    expect(found.rate).toBeCloseTo(rate, 4);
    expect(found.slowing).toBeCloseTo(slowing, 4);
    expect(Math.hypot(found.tilts[0] - tilt, found.tilts[1])).toBeLessThan(1e-4);
    expect(found.around).toBeCloseTo(0.25, 5);
    expect(found.residual).toBeLessThan(1e-3);
  });

  it('leaves out the time in which the disc rests at the end', () => {
    const found = startOfSpin(
      trackOf((t) => 8 * Math.min(t, 2) - 2 * Math.min(t, 2) ** 2),
      camera,
    );
    expect(found.rate).toBeCloseTo(8, 1);
    expect(found.slowing).toBeCloseTo(4, 1);
  });

  it('leaves out frames in which the mask is of something else', () => {
    const track = trackOf((t) => 9 * t - t * t);
    const flickered = {
      ...track,
      points: track.points.map((point) => (point.frame === 40 ? { ...point, x: 240, y: 180, area: 6 * AREA } : point)),
    };
    const { track: found, start } = spinIn([flickered], null, camera);
    expect(found.points).toHaveLength(89);
    expect(start.rate).toBeCloseTo(9, 4);
  });

  it('refuses what does not slow down, what hardly turns, what goes straight, and what turns too fast to be seen', () => {
    const refused = (angle: (t: number) => number) => expect(() => startOfSpin(trackOf(angle), camera));
    refused((t) => 6 * t).toThrowCode({ code: 'film/not-seen' });
    refused((t) => t - 0.1 * t * t).toThrowCode({ code: 'film/track-undetermined' });
    refused((t) => 85 * t).toThrowCode({ code: 'film/too-fast' });
    refused((t) => 1.5 * Math.sin(4 * t)).toThrow();
    const straight = trackOf(() => 0);
    const moved = { ...straight, points: straight.points.map((point) => ({ ...point, x: 100 + 2 * point.frame })) };
    expect(() => startOfSpin(moved, camera)).toThrowCode({ code: 'film/not-seen' });
  });
});
