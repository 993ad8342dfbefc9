import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { medianBackground, objectMasks, outlinesOf, readFrames, type TrackPoint, trackBlobs } from '../../src/index.ts';
import { filmOf } from '../films.ts';
import { h264Missing } from '../support/videos.ts';
import { bounceShown, type Shown, slideShown } from '../truth.ts';

const films = fileURLToPath(new URL('../../../../../shared/data/films/', import.meta.url));
const available = existsSync(films);
if (!available) console.warn('skipped: ../shared/data/films is not there');

/** Creates a film of one channel with white discs; `at` returns those of a frame as [x, y, radius], px. */
const discs = (count: number, at: (f: number) => readonly (readonly [number, number, number])[]) =>
  filmOf({ width: 160, height: 90, channels: 1, frameRate: 10 }, count, (x, y, _c, f) =>
    at(f).reduce(
      (most, [u, v, r]) => Math.max(most, Math.min(Math.max(r + 0.5 - Math.hypot(x + 0.5 - u, y + 0.5 - v), 0), 1)),
      0,
    ),
  );

describe('trackBlobs', () => {
  it('tracks a pendulum that moves by several diameters per frame, to 0.03 px', () => {
    const place = (f: number) => [80 + 60 * Math.sin(1.1 * f), 30 + 20 * Math.cos(1.1 * f) ** 2, 4] as const;
    const [bob, ...others] = trackBlobs(discs(20, (f) => [place(f)]));
    expect(others).toEqual([]);
    expect(bob.points.map(({ frame }) => frame)).toEqual(Array.from({ length: 20 }, (_, f) => f));
    for (const { frame, x, y, time } of bob.points) {
      expect(Math.hypot(x - place(frame)[0], y - place(frame)[1])).toBeLessThan(0.03);
      expect(time).toBeCloseTo(frame / 10, 12);
    }
  });

  it('distinguishes two objects that pass each other, and resumes the track of one that was hidden', () => {
    const film = discs(12, (f) => [
      [10 + 12 * f, 30, 8],
      ...(f === 5 || f === 6 ? [] : ([[150 - 12 * f, 55, 5]] as const)),
    ]);
    const [large, small, ...others] = trackBlobs(film);
    expect(others).toEqual([]);
    for (const { frame, x } of large.points) expect(Math.abs(x - 10 - 12 * frame)).toBeLessThan(1.5);
    expect(small.points.map(({ frame }) => frame)).toEqual([0, 1, 2, 3, 4, 7, 8, 9, 10, 11]);
  });

  it('returns second moments and whether an object is wholly in the picture; outlinesOf returns its outline to 0.15 px', () => {
    const film = discs(3, (f) => [[60 - 30 * f, 45, 10]]);
    const [disc] = trackBlobs(film);
    const [{ blob }, , last] = disc.points;
    // r^2 / 4 for a disc.
    expect(blob!.xx).toBeCloseTo(25, 0);
    expect(blob!.yy).toBeCloseTo(25, 0);
    expect(blob!.xy).toBeCloseTo(0, 3);
    expect([blob!.isWhole, last.blob!.isWhole]).toEqual([true, false]);
    const [line, ...more] = outlinesOf(film, 0);
    expect(more).toEqual([]);
    for (const [x, y] of line) expect(Math.abs(Math.hypot(x - 60, y - 45) - 10)).toBeLessThan(0.15);
    // The part that shows of a disc whose middle is on the border.
    expect(outlinesOf(film, 2)[0].every(([x]) => x >= 0 && x <= 10.2)).toBe(true);
  });

  it('refuses invalid options, and areaErrors of another number of frames', () => {
    const film = discs(3, () => [[80, 45, 10]]);
    expect(() => trackBlobs(film, { gaps: 3 } as object)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"gaps"'],
    });
    expect(() => trackBlobs(film, { areaErrors: [0.1] })).toThrowCode({
      code: 'video/wrong-size',
      values: [1, 3, 'areaErrors'],
    });
    expect(() => trackBlobs(film, { threshold: -1 })).toThrowCode({
      code: 'video/option-out-of-range',
      field: 'threshold',
      values: [-1],
    });
  });
});

describe.skipIf(!available || h264Missing)('on films of known truth by another renderer', () => {
  // Their colour lies between columns, as ffmpeg writes it.
  const track = async (name: string) => {
    const film = await readFrames(`${films}${name}`, { chroma: 'centre' });
    const { masks, areaErrors } = objectMasks(film, medianBackground(film));
    return trackBlobs(masks, { areaErrors });
  };
  const compare = (points: readonly TrackPoint[], shown: readonly Shown[]) => {
    const off = points.map(({ frame, x, y, area }) => {
      const truth = shown[frame];
      return { x: x - truth.x, y: y - truth.y, area: area! / truth.area - 1 };
    });
    const rms = (of: (o: (typeof off)[number]) => number) =>
      Math.sqrt(off.reduce((sum, o) => sum + of(o) ** 2, 0) / off.length);
    const [x, y, area] = [rms((o) => o.x), rms((o) => o.y), rms((o) => o.area)];
    return { x, y, area, meanArea: off.reduce((sum, o) => sum + o.area, 0) / off.length };
  };

  it('finds a shaded, blurred bouncing ball: area to 2 %, centre to 0.15 px in x and 0.17 px in y (root mean square)', async () => {
    const [ball, ...others] = await track('bounce.mp4');
    expect(others).toEqual([]);
    expect(ball.points.length).toBe(45);
    const { x, y, area, meanArea } = compare(ball.points, bounceShown().shown);
    expect(area).toBeLessThan(0.02);
    expect(Math.abs(meanArea)).toBeLessThan(0.01);
    expect(x).toBeLessThan(0.15);
    expect(y).toBeLessThan(0.17);
  });

  it('finds a sliding box of several colours: area to 3 %, centre to 0.25 px in x and 0.15 px in y (root mean square)', async () => {
    const [box, ...others] = await track('slide.mp4');
    expect(others).toEqual([]);
    expect(box.points.length).toBe(32);
    const { x, y, area } = compare(box.points, slideShown());
    expect(area).toBeLessThan(0.03);
    expect(x).toBeLessThan(0.25);
    expect(y).toBeLessThan(0.15);
  });
});
