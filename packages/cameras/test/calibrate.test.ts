import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BoardView, Point2 } from '../src/index.ts';
import { calibrateLens, findBoard, findPose, pixelOf, poseOverFloor, projectPoint, sightLineOf } from '../src/index.ts';
import { type Drawn, drawBoard, type Placed, randomOf, rowsOf, seenAt } from './drawn-board.ts';

const CAMERA: Drawn = {
  width: 480,
  height: 360,
  f: [462, 459],
  c: [244.6, 173.9],
  k: [-0.21, 0.07, 0.0012, -0.0008, -0.012],
};
const BOARD = { columns: 9, rows: 6, square: 0.025 };

/** Places a board near the middle of the picture, tilted at random by up to `tilt` rad. */
function placedBy({ uniform }: ReturnType<typeof randomOf>, tilt: number): Placed {
  const turned = [2 * tilt * (uniform() - 0.5), 2 * tilt * (uniform() - 0.5), 6.28 * uniform()] as const;
  const middle = rowsOf(turned).map((row) => 0.1 * row[0] + 0.0625 * row[1]);
  const aside = [0.06 * (uniform() - 0.5), 0.05 * (uniform() - 0.5), 0.36 + 0.15 * uniform()];
  return { turned, moved: aside.map((v, k) => v - middle[k]) as unknown as [number, number, number] };
}

/** Views of a board with exact corner positions plus normal noise, px, without drawing pictures. */
function viewsOf(seed: number, count: number, tilt: number, noise: number): BoardView[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, k) => {
    const placed = placedBy(random, tilt);
    const points = Array.from({ length: 54 }, (_, i): Point2 => [(i % 9) * 0.025, Math.floor(i / 9) * 0.025]);
    const seen = points.map((p) => seenAt(CAMERA, placed, p).map((v) => v + noise * random.normal()));
    return { name: `view ${k + 1}`, points, pixels: seen as unknown as Point2[] };
  });
}

describe('findBoard', () => {
  it('finds the corners of a checkerboard in noisy rendered photos through a distorting lens, to 0.1 px RMS', () => {
    const random = randomOf(11);
    for (let k = 0; k < 4; k++) {
      const placed = placedBy(random, 0.55);
      const view = findBoard(drawBoard(CAMERA, placed, BOARD, 0.02, 100 + k), BOARD)!;
      const off = view.points.map((p, i) => {
        const [x, y] = seenAt(CAMERA, placed, p);
        return Math.hypot(view.pixels[i][0] - x, view.pixels[i][1] - y);
      });
      // The first corner is the one with a dark square before it, whichever way the board is turned.
      expect(Math.max(...off)).toBeLessThan(0.25);
      expect(Math.sqrt(off.reduce((s, r) => s + r * r, 0) / off.length)).toBeLessThan(0.1);
    }
  });

  it('finds no board in noise, in a picture that cuts it off, or if another number of columns is given', () => {
    const placed: Placed = { turned: [0.2, 0.1, 0.1], moved: [-0.1, -0.06, 0.4] };
    const picture = drawBoard(CAMERA, placed, BOARD, 0.02, 5);
    expect(findBoard(picture, BOARD)).toBeDefined();
    expect(findBoard(picture, { ...BOARD, columns: 10 })).toBeUndefined();
    expect(findBoard(picture, { ...BOARD, columns: 7 })).toBeUndefined();
    expect(
      findBoard(drawBoard(CAMERA, { ...placed, moved: [-0.2, -0.06, 0.3] }, BOARD, 0.02, 5), BOARD),
    ).toBeUndefined();
    const { normal } = randomOf(3);
    const noise = {
      width: 120,
      height: 90,
      data: Float32Array.from({ length: 10800 }, () => 0.5 + 0.1 * normal()),
    };
    expect(findBoard(noise, BOARD)).toBeUndefined();
  });

  it('finds no board in a picture filled by a checkerboard of 8 px squares, within two minutes', () => {
    const [width, height] = [500, 400];
    const squares = Float32Array.from({ length: width * height }, (_, k) => {
      const [x, y] = [k % width, Math.floor(k / width)];
      return (Math.floor(x / 8) + Math.floor(y / 8)) % 2;
    });
    for (const board of [BOARD, { ...BOARD, columns: 30, rows: 40 }])
      expect(findBoard({ width, height, data: squares }, board)).toBeUndefined();
  });

  it('refuses a board of 2 columns, and one with squares of size 0', () => {
    const picture = { width: 8, height: 8, data: new Float32Array(64) };
    expect(() => findBoard(picture, { ...BOARD, columns: 2 })).toThrowCode({
      code: 'cameras/option-out-of-range',
      values: [2, 'columns'],
    });
    expect(() => findBoard(picture, { ...BOARD, square: 0 })).toThrowCode({
      code: 'cameras/option-out-of-range',
      values: [0],
    });
  });
});

describe('calibrateLens', () => {
  it('agrees with OpenCV on the same corners: lens to 0.02 standard errors, which are 0.9 to 1.6 of its own', () => {
    const file = new URL('fixtures/opencv-calibration.json', import.meta.url);
    const expected = JSON.parse(readFileSync(file, 'utf8'));
    const views = (expected.views as Point2[][]).map((seen, k) => ({
      name: `view ${k + 1}`,
      points: seen.map((_, i): Point2 => [(i % 7) * 0.03, Math.floor(i / 7) * 0.03]),
      pixels: seen,
    }));
    const { camera } = calibrateLens(views, { width: 1280, height: 720 });
    const found = [...camera.focalLength, ...camera.principalPoint, ...camera.distortion];
    const wanted = [expected.fx, expected.fy, expected.cx, expected.cy, ...expected.distortion];
    const { standardErrors, rms } = camera.calibration!;
    const errors = Object.values(standardErrors);
    expect(errors).toHaveLength(9);
    expect(rms).toBeCloseTo(expected.rms, 4);
    found.forEach((value, k) => {
      expect(Math.abs(value - wanted[k])).toBeLessThan(0.02 * errors[k]);
      // OpenCV divides by the number of points, not by the freedom that is left.
      expect(errors[k] / expected.standardErrors[k]).toBeGreaterThan(0.9);
      expect(errors[k] / expected.standardErrors[k]).toBeLessThan(1.6);
    });
    const board = views[0].points.map(([x, y]) => [x, y, 0] as const);
    const { pose } = findPose(camera, board, views[0].pixels);
    pose.translation.forEach((t, k) => {
      expect(t).toBeCloseTo(expected.pose.t[k], 4);
    });
  });

  it('returns lens parameters within two standard errors of the truth in over 89% of cases', () => {
    const truth = {
      fx: 462,
      fy: 459,
      cx: 244.6,
      cy: 173.9,
      k1: -0.21,
      k2: 0.07,
      p1: 0.0012,
      p2: -0.0008,
      k3: -0.012,
    };
    let [covered, all] = [0, 0];
    for (let seed = 1; seed <= 25; seed++) {
      const { camera } = calibrateLens(viewsOf(seed, 7, 0.5, 0.1), CAMERA);
      const { focalLength, principalPoint, distortion, calibration } = camera;
      const found = [...focalLength, ...principalPoint, ...distortion];
      Object.entries(truth).forEach(([name, value], k) => {
        all++;
        if (Math.abs(found[k] - value) < 2 * calibration!.standardErrors[name]) covered++;
      });
    }
    // 225 cases, of which about 41 in the mean depend on each other through a common lens: 0.95 +- 3 * 0.02.
    expect(covered / all).toBeGreaterThan(0.89);
  });

  it('finds focal length and principal point from rendered photos within three standard errors', () => {
    const random = randomOf(21);
    const views = Array.from({ length: 6 }, (_, k) => {
      const picture = drawBoard(CAMERA, placedBy(random, 0.55), BOARD, 0.02, 200 + k);
      return findBoard(picture, BOARD, `photo ${k + 1}`)!;
    });
    const { camera } = calibrateLens(views, CAMERA);
    const { standardErrors, rms } = camera.calibration!;
    expect(rms).toBeLessThan(0.1);
    [...camera.focalLength, ...camera.principalPoint].forEach((value, k) => {
      expect(Math.abs(value - [...CAMERA.f, ...CAMERA.c][k])).toBeLessThan(3 * Object.values(standardErrors)[k]);
    });
  });

  it('leaves out a view whose corners have 3 px of noise (others: 0.05 px), and names it', () => {
    const views = viewsOf(4, 7, 0.5, 0.05);
    const { normal } = randomOf(9);
    const bad = {
      ...views[3],
      pixels: views[3].pixels.map(([x, y]): Point2 => [x + 3 * normal(), y + 3 * normal()]),
    };
    const found = calibrateLens(
      views.map((view, k) => (k === 3 ? bad : view)),
      CAMERA,
    );
    expect(found.leftOut).toEqual(['view 4']);
    expect(found.camera.calibration!.rms).toBeLessThan(0.1);
  });

  it('refuses two views, and views of boards that are parallel to within about a degree', () => {
    expect(() => calibrateLens(viewsOf(1, 2, 0.5, 0.1), CAMERA)).toThrowCode({
      code: 'cameras/too-few-views',
      values: [2, 1],
    });
    for (let seed = 1; seed <= 10; seed++)
      for (const tilt of [0, 0.02])
        expect(() => calibrateLens(viewsOf(seed, 6, tilt, 0.1), CAMERA), `seed ${seed}`).toThrowCode(
          'cameras/views-too-parallel',
        );
  });
});

describe('findPose', () => {
  const lens = {
    width: CAMERA.width,
    height: CAMERA.height,
    focalLength: CAMERA.f,
    principalPoint: CAMERA.c,
    distortion: [-0.21, 0.07, 0.0012, -0.0008, -0.012] as const,
  };

  it('finds translations from 5 points in a plane or 8 in space within 2.5 standard errors in over 90% of cases', () => {
    const { uniform, normal } = randomOf(31);
    const scores: number[] = [];
    for (let k = 0; k < 60; k++) {
      const placed: Placed = {
        turned: [0.6 * uniform() - 2, 0.6 * uniform(), 0.6 * uniform()],
        moved: [0.1 * uniform(), 0.1 * uniform(), 2],
      };
      const isFlat = k % 2 === 0;
      const points = Array.from({ length: isFlat ? 5 : 8 }, () => {
        const [x, z] = [uniform() - 0.5, uniform() - 0.5];
        return [x, isFlat ? 0.2 + 0.3 * x - 0.1 * z : uniform() - 0.5, z] as const;
      });
      const seen = points.map((p): Point2 => {
        const [x, y] = seenAt(CAMERA, placed, p);
        return [x + 0.1 * normal(), y + 0.1 * normal()];
      });
      const { pose, standardErrors } = findPose(lens, points, seen);
      scores.push(...pose.translation.map((t, c) => (t - placed.moved[c]) / standardErrors.translation[c]));
    }
    // Few points leave few degrees of freedom: tails are those of Student's t with 4 and 10.
    expect(scores.filter((s) => Math.abs(s) < 2.5).length / scores.length).toBeGreaterThan(0.9);
  });

  it('as poseOverFloor: finds the pose over a board that lies on the floor, in axes with y upwards', () => {
    // 0.8 m above the floor, looking down at the board.
    const placed: Placed = { turned: [0.9, 0, 0.2], moved: [-0.1, -0.05, 0.7] };
    const points = Array.from({ length: 54 }, (_, i): Point2 => [(i % 9) * 0.025, Math.floor(i / 9) * 0.025]);
    const { pose, rms } = poseOverFloor(lens, {
      points,
      pixels: points.map((p) => seenAt(CAMERA, placed, p) as Point2),
    });
    expect(rms).toBeLessThan(1e-6);
    const camera = { ...lens, pose };
    // 3 cm above the fourth corner of the second row: board axes have it at -z.
    const [x, y] = projectPoint(camera, [0.075, 0.03, 0.025]);
    const [u, v] = seenAt(CAMERA, placed, [0.075, 0.025, -0.03]);
    expect(Math.hypot(x - u, y - v)).toBeLessThan(1e-5);
  });

  it('refuses points on one line, and fewer than four points', () => {
    const line = [0, 1, 2, 3].map((x) => [x, 2 * x, 0] as const);
    const pixels = line.map((_, k): Point2 => [100 + k, 100 + k]);
    expect(() => findPose(lens, line, pixels)).toThrowCode('cameras/points-on-line');
    expect(() => findPose(lens, line.slice(0, 3), pixels.slice(0, 3))).toThrowCode({
      code: 'cameras/too-few-points',
      values: [4],
    });
  });
});

it('sightOf (pixel to ray) is the inverse of pixelOf for a lens with distortion, to 1e-9 px', () => {
  const lens = {
    ...({ width: 480, height: 360, focalLength: [462, 459], principalPoint: [244, 173] } as const),
    distortion: [-0.21, 0.07, 0.0012, -0.0008, -0.012],
  } as const;
  for (const [x, y] of [
    [0, 0],
    [479, 0],
    [240, 300],
    [470, 350],
  ] as const) {
    const [u, v] = pixelOf(lens, sightLineOf(lens, [x, y]));
    expect(Math.hypot(u - x, v - y)).toBeLessThan(1e-9);
  }
});
