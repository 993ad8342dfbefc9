import { determinant, GradsimError, refuseUnknownOptions, sumOfProducts } from '@gradsim/base';

import { type Frames, frameAt, frameCount } from '../frames/frames.ts';
import { type Grey, greyOf, sampleAt } from '../frames/grey.ts';
import { refuseNoNumber } from '../options.ts';
import type { Track, TrackPoint } from './track.ts';

/*
 * Of what npm has, jsfeat does this and has not been kept since 2016, and OpenCV in WebAssembly is ten megabytes for
 * these two functions.
 */

/** Options of {@link trackCorners}. */
export interface CornerOptions {
  /** Maximum number of corners tracked at the same time. Default 20. */
  maxCorners?: number;
  /** Minimum distance between corners, px. Default 5. */
  minDistance?: number;
  /** Minimum number of frames of a corner's track; shorter tracks are dropped. Default 5. */
  shortest?: number;
}

/** Half the side of the square patch around a corner, px. */
const PATCH_RADIUS = 3;
/** Minimum strength of a corner, as a fraction of the strongest corner's. */
const MIN_RELATIVE_STRENGTH = 0.05;
/** Minimum strength of a corner, a mean squared gradient of brightness, (1/px)^2; weaker ones are noise. */
const MIN_STRENGTH = 2e-4;
/**
 * Maximum forward-backward error, px: distance from a corner's position to where it ends after tracking it to the next
 * frame and back.
 */
const MAX_RETURN_ERROR = 0.5;
/** Maximum number of iterations that track a corner into the next frame. */
const MAX_ITERATIONS = 15;

/**
 * Tracks corners of the pattern on a moving object through the frames; they follow its rotation. A corner is a point
 * inside the mask where brightness changes in both directions (J. Shi and C. Tomasi 1994). From frame to frame it moves
 * to where its patch matches best (B. Lucas and T. Kanade 1981, with free rotation and mean brightness), starting from
 * where the object's own motion takes it, so the object may move by more than a patch. A corner is dropped if tracking
 * it back does not return to its position; new ones are taken where there are none.
 *
 * @param masks one channel, such as those of {@link objectMasks}.
 * @param track of the object, from {@link trackBlobs} of these masks.
 * @returns tracks of corners, the longest first, with names such as `1.3`, the third corner of track 1.
 *
 * @example
 * const corners = trackCorners(film, masks, trackBlobs(masks)[0]);
 *
 * @throws GradsimError when film and masks differ in size, or an option is no number.
 */
export function trackCorners(frames: Frames, masks: Frames, track: Track, options: CornerOptions = {}): Track[] {
  refuseUnknownOptions('trackCorners', options, { maxCorners: true, minDistance: true, shortest: true });
  const { maxCorners = 20, minDistance = 5, shortest = 5 } = options;
  refuseNoNumber('trackCorners', { maxCorners, minDistance, shortest });
  checkSizes(frames, masks);
  const done: TrackPoint[][] = [];
  let alive: TrackPoint[][] = [];
  let before: { grey: Grey; point: TrackPoint } | undefined;
  for (const point of track.points) {
    const grey = greyOf(frames, point.frame);
    if (before) {
      const kept = alive.filter((corner) => followCorner(corner, before!.grey, grey, before!.point, point));
      done.push(...alive.filter((corner) => !kept.includes(corner)));
      alive = kept;
    }
    const places = alive.map((corner) => corner.at(-1)!);
    for (const place of cornersOf(grey, frameAt(masks, point.frame), point, minDistance)) {
      if (alive.length >= maxCorners) break;
      if (places.some((other) => Math.hypot(other.x - place.x, other.y - place.y) < minDistance)) continue;
      alive.push([{ frame: point.frame, time: point.time, ...place }]);
      places.push(alive.at(-1)![0]);
    }
    before = { grey, point };
  }
  return [...done, ...alive]
    .filter((points) => points.length >= shortest)
    .sort((a, b) => b.length - a.length)
    .map((points, k) => ({ name: `${track.name}.${k + 1}`, points }));
}

function checkSizes(frames: Frames, masks: Frames): void {
  const shape = (f: Frames): string => `${frameCount(f)} frames of ${f.width} x ${f.height}`;
  if (masks.channels !== 1 || shape(frames) !== shape(masks))
    throw new GradsimError(
      'video/other-shape',
      `trackCorners has masks with ${masks.channels} channels, ${shape(masks)}, and a film of ${shape(frames)}.`,
      { hint: 'They must be alike, and masks of 1 channel.' },
    );
}

/** Finds corners inside the object's mask, at least `minDistance` px from each other, the strongest first. */
function cornersOf(
  grey: Grey,
  mask: Float32Array,
  { blob }: TrackPoint,
  minDistance: number,
): { x: number; y: number }[] {
  const { width, height } = grey;
  const { left, top, right, bottom } = blob?.bounds ?? { left: 0, top: 0, right: width, bottom: height };
  const found: { x: number; y: number; strength: number }[] = [];
  for (let y = Math.max(top, PATCH_RADIUS + 1); y < Math.min(bottom, height - PATCH_RADIUS - 1); y++) {
    for (let x = Math.max(left, PATCH_RADIUS + 1); x < Math.min(right, width - PATCH_RADIUS - 1); x++) {
      if (!isInside(mask, width, x, y)) continue;
      found.push({ x: x + 0.5, y: y + 0.5, strength: strengthAt(grey, x, y) });
    }
  }
  found.sort((a, b) => b.strength - a.strength);
  const least = Math.max(MIN_STRENGTH, MIN_RELATIVE_STRENGTH * (found[0]?.strength ?? 0));
  const chosen: { x: number; y: number }[] = [];
  for (const { x, y, strength } of found) {
    if (strength < least) break;
    if (chosen.every((other) => Math.hypot(other.x - x, other.y - y) >= minDistance)) chosen.push({ x, y });
  }
  return chosen;
}

/** Returns whether the patch around a pixel lies inside the object's mask. */
function isInside(mask: Float32Array, width: number, x: number, y: number): boolean {
  for (const v of [-PATCH_RADIUS, 0, PATCH_RADIUS])
    for (const u of [-PATCH_RADIUS, 0, PATCH_RADIUS]) if (mask[(y + v) * width + x + u] < 0.9) return false;
  return true;
}

/** Strength of a corner at a pixel: the smaller eigenvalue of the mean structure tensor of 5 x 5 pixels. */
function strengthAt({ values, width }: Grey, x: number, y: number): number {
  let [xx, xy, yy] = [0, 0, 0];
  for (let v = -2; v <= 2; v++) {
    for (let u = -2; u <= 2; u++) {
      const p = (y + v) * width + x + u;
      const [a, b] = [(values[p + 1] - values[p - 1]) / 2, (values[p + width] - values[p - width]) / 2];
      xx += (a * a) / 25;
      xy += (a * b) / 25;
      yy += (b * b) / 25;
    }
  }
  return (xx + yy - Math.sqrt((xx - yy) ** 2 + 4 * xy * xy)) / 2;
}

/** Tracks a corner into the next frame and appends its position there; returns false if it was lost. */
function followCorner(corner: TrackPoint[], from: Grey, to: Grey, before: TrackPoint, after: TrackPoint): boolean {
  const last = corner.at(-1)!;
  const [u, v] = [after.x - before.x, after.y - before.y];
  const there = matchPatch(from, last, to, { x: last.x + u, y: last.y + v });
  const back = there && matchPatch(to, there, from, last);
  if (!there || !back || Math.hypot(back.x - last.x, back.y - last.y) > MAX_RETURN_ERROR) return false;
  corner.push({ frame: after.frame, time: after.time, ...there });
  return true;
}

interface PatchPosition {
  readonly x: number;
  readonly y: number;
}

/**
 * Returns the position at which a patch of one picture matches another picture, by least squares on brightness minus
 * its mean, over position and rotation; undefined if there is no match.
 */
function matchPatch(from: Grey, place: PatchPosition, to: Grey, start: PatchPosition): PatchPosition | undefined {
  const sought = patchAt(from, place, 0);
  let [x, y, turn] = [start.x, start.y, 0];
  for (let round = 0; round < MAX_ITERATIONS; round++) {
    if (
      x < PATCH_RADIUS + 1 ||
      y < PATCH_RADIUS + 1 ||
      x > to.width - PATCH_RADIUS - 1 ||
      y > to.height - PATCH_RADIUS - 1
    )
      return undefined;
    const left = difference(patchAt(to, { x, y }, turn), sought);
    const slopes = [
      difference(patchAt(to, { x: x + 0.5, y }, turn), patchAt(to, { x: x - 0.5, y }, turn)),
      difference(patchAt(to, { x, y: y + 0.5 }, turn), patchAt(to, { x, y: y - 0.5 }, turn)),
      difference(patchAt(to, { x, y }, turn + ROTATION_STEP / 2), patchAt(to, { x, y }, turn - ROTATION_STEP / 2)),
    ];
    const step = leastSquares(slopes, left);
    if (!step) return undefined;
    [x, y, turn] = [x - step[0], y - step[1], turn - step[2] * ROTATION_STEP];
    if (Math.hypot(step[0], step[1]) < 5e-3) return { x, y };
  }
  return undefined;
}

/** Rotation step for finite differences, rad: moves the border of a patch by about half a pixel. */
const ROTATION_STEP = 0.15;

/**
 * Solves a linear least-squares problem of three unknowns by Cramer's rule on the normal equations; undefined if
 * singular.
 */
function leastSquares(slopes: readonly Float64Array[], left: Float64Array): number[] | undefined {
  const rows = slopes.map((a) => slopes.map((b) => sumOfProducts(a, b)));
  // A rotationally symmetric pattern does not determine the rotation.
  rows[2][2] += 1e-3 * (rows[0][0] + rows[1][1]) + 1e-12;
  const right = slopes.map((a) => sumOfProducts(a, left));
  const whole = determinant(rows);
  if (!(whole > 1e-9 * rows[0][0] * rows[1][1] * rows[2][2])) return undefined;
  return right.map((_, k) => determinant(rows.map((row, r) => row.map((v, c) => (c === k ? right[r] : v)))) / whole);
}

/** Samples the brightness of a square patch around a position, rotated by `turn` (rad), and subtracts its mean. */
function patchAt(grey: Grey, { x, y }: PatchPosition, turn: number): Float64Array {
  const side = 2 * PATCH_RADIUS + 1;
  const [c, s] = [Math.cos(turn), Math.sin(turn)];
  const patch = new Float64Array(side * side);
  let sum = 0;
  for (let k = 0; k < patch.length; k++) {
    const [u, v] = [(k % side) - PATCH_RADIUS, Math.floor(k / side) - PATCH_RADIUS];
    // The centre of the first pixel is (0.5, 0.5) for positions and (0, 0) for samples.
    patch[k] = sampleAt(grey, x - 0.5 + c * u - s * v, y - 0.5 + s * u + c * v);
    sum += patch[k];
  }
  return patch.map((value) => value - sum / patch.length);
}

const difference = (a: Float64Array, b: Float64Array): Float64Array => a.map((value, k) => value - b[k]);
