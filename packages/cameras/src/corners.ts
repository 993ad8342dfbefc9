import type { Point2 } from './camera.ts';
import type { GreyPicture } from './grey-picture.ts';

/** A candidate point where two dark and two light squares may meet. */
export interface Corner {
  readonly position: Point2;
  /** Strength of the saddle point: the negative determinant of the Hessian of the smoothed brightness. */
  readonly strength: number;
}

/** Maximum number of candidate corners considered, the strongest ones. */
const MAX_CORNERS = 3000;
/** Minimum strength of a corner, as a fraction of the strongest one's. */
const MIN_STRENGTH = 0.02;
/** Number of samples on the ring around a candidate corner. */
const RING_SAMPLES = 32;

/**
 * Finds saddle points of a picture smoothed by a Gaussian (standard deviation `sigma`, px) around which brightness
 * alternates dark, light, dark, light; the strongest first.
 */
export function findCorners(picture: GreyPicture, sigma: number): Corner[] {
  const { width, height } = picture;
  const smooth = gaussianBlur(picture, sigma);
  const saddle = new Float32Array(width * height);
  let most = 0;
  for (let y = 1; y < height - 1; y++)
    for (let x = 1; x < width - 1; x++) {
      const at = y * width + x;
      const [l, c, r] = [smooth[at - 1], smooth[at], smooth[at + 1]];
      const [a, b] = [smooth[at - width], smooth[at + width]];
      const xy =
        (smooth[at + width + 1] - smooth[at + width - 1] - smooth[at - width + 1] + smooth[at - width - 1]) / 4;
      const strength = xy * xy - (l - 2 * c + r) * (a - 2 * c + b);
      saddle[at] = strength;
      if (strength > most) most = strength;
    }
  const found: Corner[] = [];
  for (let y = 2; y < height - 2; y++)
    for (let x = 2; x < width - 2; x++) {
      const strength = saddle[y * width + x];
      if (strength > MIN_STRENGTH * most && isPeak(saddle, width, x, y)) found.push({ position: [x, y], strength });
    }
  found.sort((a, b) => b.strength - a.strength);
  return found
    .slice(0, MAX_CORNERS)
    .filter(({ position }) => isChequered(smooth, width, height, position, 2.5 * sigma + 1))
    .map(({ position, strength }) => ({ position: saddlePoint(smooth, width, position), strength }));
}

function isPeak(values: Float32Array, width: number, x: number, y: number): boolean {
  const own = values[y * width + x];
  for (let j = -2; j <= 2; j++)
    for (let i = -2; i <= 2; i++) {
      const other = values[(y + j) * width + x + i];
      if (other > own || (other === own && (j < 0 || (j === 0 && i < 0)))) return false;
    }
  return true;
}

/**
 * Returns whether brightness on a ring crosses the middle of its range exactly four times, with opposite points about
 * equally bright.
 */
function isChequered(data: ArrayLike<number>, width: number, height: number, [x, y]: Point2, radius: number): boolean {
  const ring: number[] = [];
  for (let k = 0; k < RING_SAMPLES; k++) {
    const angle = (2 * Math.PI * k) / RING_SAMPLES;
    const [column, row] = [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
    if (!(column >= 0 && row >= 0 && column < width - 1 && row < height - 1)) return false;
    ring.push(interpolateBilinear(data, width, column, row));
  }
  const low = Math.min(...ring);
  const high = Math.max(...ring);
  const middle = (low + high) / 2;
  let crossings = 0;
  for (let k = 0; k < RING_SAMPLES; k++) if (ring[k] > middle !== ring[(k + 1) % RING_SAMPLES] > middle) crossings++;
  if (crossings !== 4) return false;
  let unlike = 0;
  for (let k = 0; k < RING_SAMPLES / 2; k++) unlike += Math.abs(ring[k] - ring[k + RING_SAMPLES / 2]);
  return unlike < 0.3 * (high - low) * (RING_SAMPLES / 2);
}

/** Value at (x, y), px, interpolated bilinearly between the four surrounding pixels. */
export function interpolateBilinear(data: ArrayLike<number>, width: number, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  const [a, b] = [x - column, y - row];
  const at = row * width + column;
  return (
    (1 - b) * ((1 - a) * data[at] + a * data[at + 1]) + b * ((1 - a) * data[at + width] + a * data[at + width + 1])
  );
}

/**
 * Returns the stationary point of the paraboloid through 3 x 3 pixels, or the middle pixel if it is further than a
 * pixel away.
 */
function saddlePoint(data: Float32Array, width: number, [x, y]: Point2): Point2 {
  const v = (i: number, j: number): number => data[(y + j) * width + x + i];
  const [gx, gy] = [(v(1, 0) - v(-1, 0)) / 2, (v(0, 1) - v(0, -1)) / 2];
  const [xx, yy] = [v(1, 0) - 2 * v(0, 0) + v(-1, 0), v(0, 1) - 2 * v(0, 0) + v(0, -1)];
  const xy = (v(1, 1) - v(-1, 1) - v(1, -1) + v(-1, -1)) / 4;
  const det = xx * yy - xy * xy;
  const step = [(xy * gy - yy * gx) / det, (xy * gx - xx * gy) / det];
  return step.every((s) => Math.abs(s) <= 1) ? [x + step[0], y + step[1]] : [x, y];
}

function gaussianBlur({ width, height, data }: GreyPicture, sigma: number): Float32Array {
  const reach = Math.ceil(3 * sigma);
  const weights = Array.from({ length: 2 * reach + 1 }, (_, k) => Math.exp(-((k - reach) ** 2) / (2 * sigma * sigma)));
  const sum = weights.reduce((a, b) => a + b, 0);
  const one = Float32Array.from(weights, (w) => w / sum);
  const rows = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let value = 0;
      for (let k = -reach; k <= reach; k++)
        value += one[k + reach] * data[y * width + Math.min(width - 1, Math.max(0, x + k))];
      rows[y * width + x] = value;
    }
  const both = new Float32Array(width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      let value = 0;
      for (let k = -reach; k <= reach; k++)
        value += one[k + reach] * rows[Math.min(height - 1, Math.max(0, y + k)) * width + x];
      both[y * width + x] = value;
    }
  return both;
}

/** Maximum iterations that refine the position of a corner. */
const MAX_REFINEMENTS = 40;

/**
 * Refines a corner to the point p at which the gradient of each pixel q nearby is orthogonal to q - p, in least
 * squares: edges run through the corner. Pixels nearer to the corner have more weight; `halfWidth` is the radius, px.
 *
 * @returns undefined if it moves further from `start` than `halfWidth` (at least 3 px), or the gradients determine no
 * point.
 */
export function refineCorner(picture: GreyPicture, start: Point2, halfWidth: number): Point2 | undefined {
  const { width, height, data } = picture;
  let [x, y] = start;
  for (let round = 0; round < MAX_REFINEMENTS; round++) {
    let [xx, xy, yy, bx, by] = [0, 0, 0, 0, 0];
    const size = Math.ceil(halfWidth);
    const [column, row] = [Math.round(x), Math.round(y)];
    for (let j = row - size; j <= row + size; j++)
      for (let i = column - size; i <= column + size; i++) {
        if (i < 1 || j < 1 || i >= width - 1 || j >= height - 1) continue;
        const [u, v] = [i - x, j - y];
        const far = (u * u + v * v) / (halfWidth * halfWidth);
        if (far >= 1) continue;
        const weight = (1 - far) ** 2;
        const at = j * width + i;
        const gx = (data[at + 1] - data[at - 1]) / 2;
        const gy = (data[at + width] - data[at - width]) / 2;
        const [a, b, c] = [weight * gx * gx, weight * gx * gy, weight * gy * gy];
        xx += a;
        xy += b;
        yy += c;
        bx += a * u + b * v;
        by += b * u + c * v;
      }
    const det = xx * yy - xy * xy;
    if (!(det > 1e-12 * (xx + yy) ** 2)) return undefined;
    const step = [(yy * bx - xy * by) / det, (xx * by - xy * bx) / det];
    x += step[0];
    y += step[1];
    if (Math.hypot(x - start[0], y - start[1]) > Math.max(3, halfWidth)) return undefined;
    if (Math.hypot(...step) < 1e-4) break;
  }
  return [x, y];
}
