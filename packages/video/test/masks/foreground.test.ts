import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import {
  cameraShifts,
  coverageMasks,
  createFrames,
  type Frames,
  medianBackground,
  objectMasks,
  stabiliseFrames,
  trackBlobs,
} from '../../src/index.ts';
import { filmOf, worstDifference } from '../films.ts';

const shape = { width: 48, height: 32, channels: 3 as const, frameRate: 30 };
const red = [0.8, 0.2, 0.1];

const ground = (x: number, y: number) => 0.6 + 0.15 * Math.sin(x / 3) * Math.cos(y / 4);
const center = (f: number) => ({ x: 8 + 2.3 * f, y: 10 + 0.7 * f });

/** Fraction of a pixel that a disc of radius 5 px covers, to first order. */
const cover = (x: number, y: number, f: number) => {
  const at = center(f);
  return Math.min(Math.max(5.5 - Math.hypot(x + 0.5 - at.x, y + 0.5 - at.y), 0), 1);
};

const random = randomNumbers(7);
const film = filmOf(shape, 15, (x, y, c, f) => {
  const a = cover(x, y, f);
  return (1 - a) * ground(x, y) + a * red[c] + 0.03 * (random() - 0.5);
});
const plate = filmOf(shape, 1, (x, y) => ground(x, y));

describe('medianBackground', () => {
  it('recovers the static background behind a moving object to 0.02, with noise of 0.015', () => {
    expect(worstDifference(medianBackground(film), plate)).toBeLessThan(0.02);
  });

  it('refuses two frames', () => {
    expect(() => medianBackground(createFrames(shape, 2))).toThrowCode({
      code: 'video/too-few-frames',
      values: [3, 2],
    });
  });
});

describe('objectMasks', () => {
  it('finds a disc in noise: its centre to 0.1 px, its area to 4 %', () => {
    const [track, ...others] = trackBlobs(objectMasks(film, medianBackground(film), { transfer: 'linear' }).masks);
    expect(others).toEqual([]);
    expect(track.points.length).toBe(15);
    for (const { frame, x, y, area } of track.points) {
      expect(Math.abs(x - center(frame).x)).toBeLessThan(0.1);
      expect(Math.abs(y - center(frame).y)).toBeLessThan(0.1);
      expect(Math.abs(area! / (Math.PI * 25.08) - 1)).toBeLessThan(0.04);
    }
  });

  it.each([4, 6, 9])(
    'finds a shaded, blurred ball of radius %i px beside its shadow: mean area to 4 %, centre to 0.25 px',
    (radius) => {
      const count = 14;
      const place = (f: number, instant: number) => 14 + 3 * f + 4 * instant;
      const random = randomNumbers(7);
      // Five instants a frame, 4 pixels apart from first to last: half of its radius or more.
      const shaded = filmOf({ ...shape, width: 80, height: 40 }, count, (x, y, c, f) => {
        let light = 0;
        for (const instant of [0, 0.25, 0.5, 0.75, 1]) {
          const [u, v] = [x + 0.5 - place(f, instant), y + 0.5 - 16];
          const a = Math.min(Math.max(radius + 0.5 - Math.hypot(u, v), 0), 1);
          const shade = 0.65 + 0.35 * Math.sqrt(Math.max(0, 1 - (u * u + v * v) / radius ** 2)) - (0.2 * v) / radius;
          const dark = Math.hypot(u / 1.5, v - radius - 3) < radius ? 0.65 : 1;
          light += ((1 - a) * dark * ground(x, y) + a * shade * red[c]) / 5;
        }
        return Math.min(Math.max(light + 0.015 * (random() - 0.5), 0), 1);
      });
      const empty = filmOf({ ...shape, width: 80, height: 40 }, 1, (x, y) => ground(x, y));
      const found = objectMasks(shaded, empty, { transfer: 'linear' });
      const [ball] = trackBlobs(found.masks, { areaErrors: found.areaErrors });
      expect(ball.points.length).toBe(count);
      const off = ball.points.map(({ area }) => area! / (Math.PI * radius ** 2) - 1);
      const mean = off.reduce((sum, part) => sum + part, 0) / count;
      expect(Math.abs(mean)).toBeLessThan(radius < 5 ? 0.04 : 0.03);
      for (const { frame, x } of ball.points) expect(Math.abs(x - place(frame, 0.5))).toBeLessThan(0.25);
    },
  );

  it('finds a narrow side of a box beside one of the complementary colour, though their mixture looks like the background', () => {
    const [purple, grey, green] = [
      [0.8, 0.2, 0.8],
      [0.5, 0.5, 0.5],
      [0.25, 0.75, 0.25],
    ];
    // From the top 6 px of green, a row of the mixture, and purple, as along the left edge.
    const drawn = filmOf({ ...shape, width: 120, height: 60 }, 8, (x, y, c, f) => {
      const [u, v] = [x - 4 - 2 * f, y - 4];
      if (u < 0 || u >= 34 || v < 0 || v >= 24) return grey[c];
      return (u < 4 || v > 6 ? purple : v < 6 ? green : grey)[c];
    });
    const empty = filmOf({ ...shape, width: 120, height: 60 }, 1, (_x, _y, c) => grey[c]);
    const { masks } = objectMasks(drawn, empty, { transfer: 'linear' });
    const area = masks.data.reduce((sum, part) => sum + part, 0) / 8;
    expect(area / (34 * 24)).toBeGreaterThan(0.9);
    expect(area / (34 * 24)).toBeLessThan(1.02);
  });

  it('finds the area of a grey disc before a grey background to 5 %, with one channel, or three without shadow removal', () => {
    const grey = filmOf({ ...shape, channels: 1 }, 9, (x, y, _c, f) => {
      const a = cover(x, y, f);
      return (1 - a) * ground(x, y) + a * 0.1;
    });
    const [one] = trackBlobs(objectMasks(grey, medianBackground(grey), { transfer: 'linear' }).masks);
    expect(Math.abs(one.points[4].area! / (Math.PI * 25.08) - 1)).toBeLessThan(0.05);
    const three = filmOf(shape, 9, (x, y, _c, f) => grey.data[(f * 32 + y) * 48 + x]);
    const [all] = trackBlobs(objectMasks(three, medianBackground(three), { shadows: false, transfer: 'linear' }).masks);
    expect(Math.abs(all.points[4].area! / (Math.PI * 25.08) - 1)).toBeLessThan(0.05);
  });

  it('refuses another size, invalid options, and a film without motion', () => {
    expect(() => objectMasks(film, createFrames({ ...shape, width: 4 }, 1))).toThrowCode({
      code: 'video/other-shape',
      values: [32, 48],
    });
    expect(() => objectMasks(film, plate, { shadow: false } as object)).toThrowCode({
      code: 'base/unknown-option',
      values: ['"shadow"', 'objectMasks'],
    });
    const still = filmOf(shape, 3, (x, y) => ground(x, y));
    expect(() => objectMasks(still, plate)).toThrowCode('video/nothing-differs');
  });
});

describe('coverageMasks', () => {
  it('are the covered fraction of each pixel, to 0.05 with noise of 0.015', () => {
    const masks = coverageMasks(film, plate, red);
    const expected = filmOf({ ...shape, channels: 1 }, 15, (x, y, _, f) => cover(x, y, f));
    // Noise of 0.015 in a colour that differs by about 0.7.
    expect(worstDifference(masks, expected)).toBeLessThan(0.05);
  });

  it('are 0 for an object of another colour', () => {
    const blue = filmOf(shape, 1, (_x, _y, c) => [0.1, 0.2, 0.9][c]);
    expect(Math.max(...coverageMasks(blue, plate, red).data)).toBe(0);
  });

  it('refuse a colour with a wrong number of channels', () => {
    expect(() => coverageMasks(film, plate, [0.5])).toThrowCode({ code: 'video/option-out-of-range', values: [3] });
  });
});

describe('cameraShifts and stabiliseFrames', () => {
  const pan = (f: number) => ({ x: 0.31 * f, y: -0.22 * f });
  const panned = filmOf(shape, 9, (x, y, c, f) => {
    const a = cover(x, y, f);
    return (1 - a) * ground(x - pan(f).x, y - pan(f).y) + a * red[c];
  });

  it('measure camera shifts to 0.05 px although a disc moves through the picture', () => {
    const shifts = cameraShifts(panned, { reference: 4 });
    shifts.forEach(({ x, y }, f) => {
      expect(Math.abs(x - (pan(f).x - pan(4).x))).toBeLessThan(0.05);
      expect(Math.abs(y - (pan(f).y - pan(4).y))).toBeLessThan(0.05);
    });
  });

  it('bring a static background back, to 0.005 in brightness', () => {
    const empty = filmOf(shape, 5, (x, y, _, f) => ground(x - pan(f).x, y - pan(f).y));
    const still = stabiliseFrames(empty, cameraShifts(empty));
    const inner = 20 * 48 * 3 + 20 * 3;
    for (let f = 1; f < 5; f++) expect(still.data[f * 48 * 32 * 3 + inner]).toBeCloseTo(ground(20, 20), 2);
  });

  it('measure and undo rotation and zoom of the camera if requested', () => {
    // Wide enough that a turn is seen; what was at p from the middle is at p + shift + turn (-p_y, p_x) + zoom p.
    const wide = { ...shape, width: 96, height: 160 };
    const moved = (f: number) => ({ x: 0.4 * f, y: -0.3 * f, turn: 0.002 * f, zoom: 0.0015 * f });
    const turning = filmOf(wide, 5, (column, row, _, f) => {
      const { x, y, turn, zoom } = moved(f);
      const [u, v] = [column - 47.5 - x, row - 79.5 - y];
      const square = (1 + zoom) ** 2 + turn ** 2;
      return ground(47.5 + ((1 + zoom) * u + turn * v) / square, 79.5 + ((1 + zoom) * v - turn * u) / square);
    });
    const shifts = cameraShifts(turning, { withRollAndZoom: true });
    shifts.forEach(({ x, y, rotation, zoom }, f) => {
      expect(Math.abs(x - moved(f).x)).toBeLessThan(0.03);
      expect(Math.abs(y - moved(f).y)).toBeLessThan(0.03);
      expect(Math.abs(rotation! - moved(f).turn)).toBeLessThan(3e-4);
      expect(Math.abs(zoom! - moved(f).zoom)).toBeLessThan(3e-4);
    });
    const still = stabiliseFrames(turning, shifts);
    const shifted = stabiliseFrames(turning, cameraShifts(turning));
    const off = (film: Frames): number => {
      let most = 0;
      for (let row = 20; row < 140; row++)
        for (let column = 20; column < 76; column++)
          most = Math.max(most, Math.abs(film.data[((4 * 160 + row) * 96 + column) * 3] - ground(column, row)));
      return most;
    };
    expect(off(still)).toBeLessThan(0.02);
    expect(off(shifted)).toBeGreaterThan(3 * off(still));
  });

  it('stabiliseFrames refuses shifts for another number of frames', () => {
    expect(() => stabiliseFrames(panned, [{ x: 0, y: 0 }])).toThrowCode({ code: 'video/wrong-size', values: [1, 9] });
  });
});
