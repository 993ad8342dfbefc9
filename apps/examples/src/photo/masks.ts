import { sumOfSquares } from '@gradsim/base';
import type { Frames } from '@gradsim/video';
import { createFrames, fillHoles, frameAt, frameCount, toLinear } from '@gradsim/video';
import { withoutSpecks } from './regions.ts';
import { shadowOf } from './shadow.ts';

/**
 * Minimum distance of a pixel's colour from all shades of the ground there, as a fraction of the nearest shade's
 * brightness, to count as the body.
 */
const MIN_DIFFERENCE = 0.03;
/**
 * Brightness added to that of the nearest shade of the ground, as a fraction of the ground's in full light: the
 * resolution of 8 bits.
 */
const MIN_BRIGHTNESS = 0.02;
/** Relative margin by which full light may be brighter, and shadow darker, than measured. */
const BRIGHTNESS_TOLERANCE = 0.15;
/**
 * Brightness of a shade of the ground, as a fraction of full light, below which a pixel counts as shadow, or as a dark
 * face of the body.
 */
const SHADOW_BRIGHTNESS = 0.7;
/** Weight of a pixel that may be shadow or a dark face of the body; others have 1. */
const UNCERTAIN_COVERAGE = 0.1;

/** Masks of a body in every frame, and weights of the pixels; one channel each, in [0, 1]. */
export interface Masks {
  /** Fraction of each pixel that the body covers. */
  readonly parts: Frames;
  readonly weights: Frames;
}

/**
 * Masks of a body that casts a shadow: the fraction of each pixel that it covers. A pixel of the ground has the colour
 * of the plate in full light, in shadow, or (in the penumbra) a mixture of both; a pixel whose colour is far from all
 * of these shows the body. On the outline, the covered fraction is the distance of the pixel's colour from the shades
 * of the ground relative to that of its neighbour inside. A pixel that looks like ground in shadow may be a dark face
 * of the body, so it gets a small weight.
 *
 * @param film sRGB-encoded values, 3 channels.
 * @param plate one frame of the same scene without the body.
 * @param first an upper bound of the fraction of each pixel that the body covers in the first frame; see {@link
 * shadowOf}.
 */
export function bodyMasks(film: Frames, plate: Frames, first: ArrayLike<number>): Masks {
  const light = toLinear(film, 'srgb');
  const ground = toLinear(plate, 'srgb');
  const shadow = shadowOf(light, ground, first);
  const parts = createFrames({ ...film, channels: 1 }, frameCount(film));
  const weights = createFrames({ ...film, channels: 1 }, frameCount(film));
  for (let f = 0; f < frameCount(film); f++) {
    const from = departure(frameAt(light, f), ground.data, shadow);
    const covered = coverage(from, film);
    frameAt(parts, f).set(covered);
    frameAt(weights, f).set(
      covered.map((part, p) => (part === 0 && from.brightness[p] < SHADOW_BRIGHTNESS ? UNCERTAIN_COVERAGE : 1)),
    );
  }
  return { parts, weights };
}

/** Comparison of a picture with the possible shades of the ground, pixel by pixel. */
interface Departure {
  /** Distance of the pixel's colour from all shades of the ground between full light and shadow, in linear light. */
  readonly distance: Float32Array;
  /** Brightness (length of the colour vector) of the shade of the ground that is nearest to the pixel's colour. */
  readonly nearest: Float32Array;
  /** Brightness of that shade as a fraction of the ground's in full light. */
  readonly brightness: Float32Array;
}

function departure(light: Float32Array, ground: Float32Array, shadow: readonly number[]): Departure {
  const pixels = light.length / 3;
  const [distance, nearest, brightness] = [1, 2, 3].map(() => new Float32Array(pixels));
  const depth = (shadow[0] + shadow[1] + shadow[2]) / 3;
  // Down to a shadow that leaves (1 - SLACK) of what the usual one does.
  const deepest = depth < 1 ? (1 - (1 - BRIGHTNESS_TOLERANCE) * depth) / (1 - depth) : 0;
  for (let p = 0; p < pixels; p++) {
    const seen = light.subarray(3 * p, 3 * p + 3);
    const full = ground.subarray(3 * p, 3 * p + 3);
    const step = full.map((g, c) => g * (shadow[c] - 1));
    const span = sumOfSquares(step);
    const along = seen.reduce((sum, s, c) => sum + (s - full[c]) * step[c], 0);
    const part = span > 0 ? Math.min(Math.max(along / span, -BRIGHTNESS_TOLERANCE), deepest) : 0;
    const mixture = full.map((g, c) => g + part * step[c]);
    const [length, most] = [mixture, full].map((colour) => Math.sqrt(sumOfSquares(colour)));
    distance[p] = Math.sqrt(sumOfSquares(mixture.map((m, c) => m - seen[c])));
    nearest[p] = length + MIN_BRIGHTNESS * most;
    brightness[p] = length / most;
  }
  return { distance, nearest, brightness };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Fraction of each pixel that the body covers: 1 inside the region that differs enough from the ground, less along its
 * rim.
 */
function coverage({ distance, nearest }: Departure, size: Size): Float32Array {
  const far = Uint8Array.from(distance, (d, p) => Number(d > MIN_DIFFERENCE * nearest[p]));
  const body = fillHoles(withoutSpecks(far, size), size);
  const isInside = (p: number): boolean => body[p] === 1 && neighbours(p, size).every((q) => body[q] === 1);
  return Float32Array.from(body, (b, p) => {
    if (b === 0) return 0;
    if (isInside(p)) return 1;
    const within = neighbours(p, size).filter(isInside);
    const reference = Math.min(...within.map((q) => distance[q]));
    return within.length > 0 && reference > 0 ? Math.min(distance[p] / reference, 1) : 1;
  });
}

/** Indices of the up to eight pixels around a pixel. */
function neighbours(p: number, { width, height }: Size): number[] {
  const [x, y] = [p % width, Math.floor(p / width)];
  const found: number[] = [];
  for (let v = Math.max(y - 1, 0); v <= Math.min(y + 1, height - 1); v++) {
    for (let u = Math.max(x - 1, 0); u <= Math.min(x + 1, width - 1); u++) {
      if (u !== x || v !== y) found.push(v * width + u);
    }
  }
  return found;
}
