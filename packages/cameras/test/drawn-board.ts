import { normalNumbers, randomNumbers } from '../../../scripts/vitest/draws.ts';
import type { GreyPicture } from '../src/index.ts';

/** A camera with formulas independent of the package: focal lengths `f` and principal point `c`, px. */
export interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly f: readonly [number, number];
  readonly c: readonly [number, number];
  /** Distortion coefficients k1, k2, p1, p2, k3. */
  readonly k: readonly number[];
}

export interface Placed {
  readonly turned: readonly [number, number, number];
  readonly moved: readonly [number, number, number];
}

/** Rows of the rotation matrix Rz Ry Rx of the angles (a, b, c) about x, y and z, rad. */
export function rowsOf([a, b, c]: readonly number[]): number[][] {
  const [ca, sa, cb, sb, cc, sc] = [a, b, c].flatMap((x) => [Math.cos(x), Math.sin(x)]);
  return [
    [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
    [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
    [-sb, cb * sa, cb * ca],
  ];
}

/** Projects a point of the board or the world to a pixel. */
export function seenAt(camera: Drawn, { turned, moved }: Placed, p: readonly number[]): [number, number] {
  const [X, Y, Z] = rowsOf(turned).map((row, k) => row[0] * p[0] + row[1] * p[1] + row[2] * (p[2] ?? 0) + moved[k]);
  const [x, y] = [X / Z, Y / Z];
  const r2 = x ** 2 + y ** 2;
  const [k1, k2, p1, p2, k3] = camera.k;
  const cdist = 1 + k1 * r2 + k2 * r2 ** 2 + k3 * r2 ** 3;
  const xd = x * cdist + p1 * (2 * x * y) + p2 * (r2 + 2 * x ** 2);
  const yd = y * cdist + p1 * (r2 + 2 * y ** 2) + p2 * (2 * x * y);
  return [camera.f[0] * xd + camera.c[0], camera.f[1] * yd + camera.c[1]];
}

/** Random number generator from a seed: uniform in [0, 1), and standard normal. */
export function randomOf(seed: number): { uniform: () => number; normal: () => number } {
  const uniform = randomNumbers(seed);
  return {
    uniform,
    normal: normalNumbers(uniform),
  };
}

/**
 * Draws a photo of a checkerboard with a light rim on a grey, uneven ground: each pixel is the mean over 4 x 4 rays,
 * with noise. Rays through the corners of pixels are undistorted by fixed-point iteration, those between are
 * interpolated.
 */
export function drawBoard(
  camera: Drawn,
  placed: Placed,
  board: { readonly columns: number; readonly rows: number; readonly square: number },
  noise: number,
  seed: number,
): GreyPicture {
  const { width, height } = camera;
  const random = randomOf(seed);
  const rows = rowsOf(placed.turned);
  const normal = rows.map((row) => row[2]);
  const depth = normal.reduce((sum, n, k) => sum + n * placed.moved[k], 0);
  /** Points at which the rays through the corners of pixels meet the board: x and y of each, in sides of a square. */
  const at = new Float64Array(2 * (width + 1) * (height + 1));
  const [k1, k2, p1, p2, k3] = camera.k;
  for (let y = 0; y <= height; y++)
    for (let x = 0; x <= width; x++) {
      const u = (x - 0.5 - camera.c[0]) / camera.f[0];
      const v = (y - 0.5 - camera.c[1]) / camera.f[1];
      let [a, b] = [u, v];
      for (let round = 0; round < 12; round++) {
        const r2 = a * a + b * b;
        const radial = 1 + k1 * r2 + k2 * r2 ** 2 + k3 * r2 ** 3;
        const next = (u - 2 * p1 * a * b - p2 * (r2 + 2 * a * a)) / radial;
        b = (v - p1 * (r2 + 2 * b * b) - 2 * p2 * a * b) / radial;
        a = next;
      }
      const t = depth / (normal[0] * a + normal[1] * b + normal[2]);
      const [X, Y, Z] = [a * t - placed.moved[0], b * t - placed.moved[1], t - placed.moved[2]];
      const to = 2 * (y * (width + 1) + x);
      at[to] = (rows[0][0] * X + rows[1][0] * Y + rows[2][0] * Z) / board.square;
      at[to + 1] = (rows[0][1] * X + rows[1][1] * Y + rows[2][1] * Z) / board.square;
    }
  const { columns, rows: lines } = board;
  const data = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const from = 2 * (y * (width + 1) + x);
      const below = from + 2 * (width + 1);
      let sum = 0;
      for (let m = 0; m < 16; m++) {
        // A pixel is small: within it the board is a plane seen from afar.
        const [a, b] = [((m % 4) + 0.5) / 4, (Math.floor(m / 4) + 0.5) / 4];
        const i = (1 - b) * ((1 - a) * at[from] + a * at[from + 2]) + b * ((1 - a) * at[below] + a * at[below + 2]);
        const j =
          (1 - b) * ((1 - a) * at[from + 1] + a * at[from + 3]) + b * ((1 - a) * at[below + 1] + a * at[below + 3]);
        if (i < -1.6 || j < -1.6 || i > columns + 0.6 || j > lines + 0.6)
          sum += 0.45 + 0.1 * Math.sin(x / 23) * Math.cos(y / 17);
        else if (i < -1 || j < -1 || i > columns || j > lines) sum += 0.9;
        else sum += (Math.floor(i) + Math.floor(j)) % 2 === 0 ? 0.1 : 0.9;
      }
      const shade = 0.85 + 0.15 * Math.sin(x / 190 + y / 250);
      data[y * width + x] = (shade * sum) / 16 + noise * random.normal();
    }
  return { width, height, data };
}
