import {
  describeValue,
  GradsimError,
  refuseUnknownOptions,
  refuseWrongType,
  solvePositiveDefinite,
  upperMedian,
} from '@gradsim/base';

import { createFrames, type Frames, frameAt, frameCount } from '../frames/frames.ts';
import { type Grey, greyOf, sampleAt } from '../frames/grey.ts';
import { checkRegion, type Region } from '../frames/region.ts';
import { runSteps, type WorkSteps } from '../steps.ts';
import type { Size } from './resize.ts';

/**
 * Movement of the picture since the reference frame, px: right and down are positive. A point at p, relative to the
 * middle of the picture, moves to p + (x, y) + turn (-p_y, p_x) + zoom p.
 */
export interface Shift {
  x: number;
  y: number;
  /** Rotation about the middle of the picture, clockwise, rad, assumed small. Default 0. */
  rotation?: number;
  /** Scale of the picture minus 1. Default 0. */
  zoom?: number;
}

/** Options of {@link cameraShifts}. */
export interface ShiftOptions {
  /** Number of the frame in which the shift is 0. Default 0. */
  reference?: number;
  /** Region of the picture that is matched, such as one with edges and nothing that moves. Default: all of it. */
  region?: Region;
  /** True to estimate the camera's roll and zoom too. Default false. */
  withRollAndZoom?: boolean;
}

/**
 * Estimates the movement of a hand-held camera: one shift per frame, with subpixel precision, and with `withRollAndZoom` a
 * rotation and a zoom. Changes of perspective are not modelled, and limit the accuracy on real footage. Each frame is
 * matched with the reference by least squares on brightness (Lucas and Kanade 1981), starting from the result of the
 * adjacent frame. Pixels that do not fit (moving objects) lose their weight (Tukey's biweight), so they may fill a
 * small part of the region. In a direction in which the region has no edges, the shift stays 0.
 *
 * @example
 * const shifts = cameraShifts(film);
 * const still = stabiliseFrames(film, shifts);
 */
export function cameraShifts(frames: Frames, options: ShiftOptions = {}): Shift[] {
  return runSteps(shiftSteps(frames, options));
}

/** Does the work of {@link cameraShifts} in steps, for `runStepsWithPauses`. */
export function* shiftSteps(frames: Frames, options: ShiftOptions = {}): WorkSteps<Shift[]> {
  const { reference = 0, withRollAndZoom: turns = false } = options;
  const { region = { x: 0, y: 0, width: frames.width, height: frames.height } } = options;
  refuseUnknownOptions('cameraShifts', options, { reference: true, region: true, withRollAndZoom: true });
  if (typeof turns !== 'boolean')
    throw new GradsimError('video/unknown-choice', `cameraShifts: withRollAndZoom is ${describeValue(turns)}.`, {
      field: 'withRollAndZoom',
      hint: 'It must be true or false.',
    });
  refuseWrongType('cameraShifts: region', region, 'a region', typeof region === 'object' && region !== null);
  checkRegion(region, frames.width, frames.height, 'cameraShifts');
  if (region.width < 3 || region.height < 3)
    throw new GradsimError('video/option-out-of-range', 'cameraShifts needs a region of at least 3 x 3 pixels.');
  const count = frameCount(frames);
  if (!Number.isInteger(reference) || reference < 0 || reference >= count)
    throw new GradsimError(
      'video/no-such-frame',
      `cameraShifts: reference is ${describeValue(reference)}; the film has the frames 0 to ${count - 1}.`,
      { field: 'reference' },
    );
  const target = edgesOf(greyOf(frames, reference), region);
  const still = turns ? { x: 0, y: 0, rotation: 0, zoom: 0 } : { x: 0, y: 0 };
  const shifts: Shift[] = Array.from({ length: count }, () => still);
  const follow = (from: number, to: number) => {
    shifts[to] = fitShift(greyOf(frames, to), target, shifts[from]);
  };
  for (let f = reference + 1; f < count; f++) {
    follow(f - 1, f);
    yield;
  }
  for (let f = reference - 1; f >= 0; f--) {
    follow(f + 1, f);
    yield;
  }
  return shifts;
}

/**
 * Returns the film with its pictures moved back by the shifts (bilinear interpolation), so that still things stay in
 * place. Beyond the borders, the outermost pixels are repeated.
 */
export function stabiliseFrames(frames: Frames, shifts: readonly Shift[]): Frames {
  return runSteps(stabiliseSteps(frames, shifts));
}

/** Does the work of {@link stabiliseFrames} in steps, for `runStepsWithPauses`. */
export function* stabiliseSteps(frames: Frames, shifts: readonly Shift[]): WorkSteps<Frames> {
  const count = frameCount(frames);
  if (shifts.length !== count) {
    throw new GradsimError('video/wrong-size', `There are ${shifts.length} shifts for ${count} frames.`, {
      hint: 'Give one a frame.',
    });
  }
  const still = createFrames(frames, count);
  for (let f = 0; f < count; f++) {
    const write = shifts[f].rotation || shifts[f].zoom ? writeTurnedBack : writeShiftedBack;
    write(frames, f, shifts[f], frameAt(still, f));
    yield;
  }
  return still;
}

/** Writes a frame moved back by a shift. */
function writeShiftedBack(frames: Frames, frame: number, shift: Shift, into: Float32Array): void {
  const { width, height, channels } = frames;
  const picture = frameAt(frames, frame);
  const columns = interpolationTaps(width, shift.x);
  const rows = interpolationTaps(height, shift.y);
  let o = 0;
  for (let y = 0; y < height; y++) {
    const above = rows.before[y] * width;
    const below = rows.after[y] * width;
    for (let x = 0; x < width; x++) {
      const left = columns.before[x];
      const right = columns.after[x];
      for (let c = 0; c < channels; c++) {
        const a = picture[(above + left) * channels + c];
        const b = picture[(below + left) * channels + c];
        const top = a + columns.weight * (picture[(above + right) * channels + c] - a);
        const bottom = b + columns.weight * (picture[(below + right) * channels + c] - b);
        into[o++] = top + rows.weight * (bottom - top);
      }
    }
  }
}

/** Writes a frame moved back by a shift with a rotation or a zoom. */
function writeTurnedBack(frames: Frames, frame: number, shift: Shift, into: Float32Array): void {
  const { width, height, channels } = frames;
  const picture = frameAt(frames, frame);
  let to = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = positionInShiftedFrame(shift, x, y, frames);
      const [column, row] = [Math.floor(u), Math.floor(v)];
      const [across, down] = [u - column, v - row];
      const [left, right] = [clampTo(width, column), clampTo(width, column + 1)];
      const [above, below] = [clampTo(height, row) * width, clampTo(height, row + 1) * width];
      for (let c = 0; c < channels; c++) {
        const aboveLeft = picture[(above + left) * channels + c];
        const belowLeft = picture[(below + left) * channels + c];
        const a = aboveLeft + across * (picture[(above + right) * channels + c] - aboveLeft);
        const b = belowLeft + across * (picture[(below + right) * channels + c] - belowLeft);
        into[to++] = a + down * (b - a);
      }
    }
}

/** Maps a pixel of the reference frame to its position in a shifted frame, [column, row]. */
function positionInShiftedFrame(
  { x, y, rotation = 0, zoom = 0 }: Shift,
  column: number,
  row: number,
  size: Size,
): number[] {
  const [u, v] = fromMiddle(column, row, size);
  return [column + x - rotation * v + zoom * u, row + y + rotation * u + zoom * v];
}

const fromMiddle = (column: number, row: number, { width, height }: Size): number[] => [
  column - (width - 1) / 2,
  row - (height - 1) / 2,
];

/** Clamps a pixel index to the range of an axis of `length` pixels. */
const clampTo = (length: number, i: number): number => Math.min(Math.max(i, 0), length - 1);

function interpolationTaps(length: number, shift: number) {
  const whole = Math.floor(shift);
  const before = Int32Array.from({ length }, (_, i) => clampTo(length, i + whole));
  const after = Int32Array.from({ length }, (_, i) => clampTo(length, i + whole + 1));
  return { before, after, weight: shift - whole };
}

/**
 * Pixels of the reference frame at which brightness changes, which determine the shift: positions, brightness,
 * gradients.
 */
interface Edges {
  column: Int32Array;
  row: Int32Array;
  value: Float64Array;
  /** Gradient of brightness along x and y, per pixel. */
  slopeX: Float64Array;
  slopeY: Float64Array;
}

/** Norm of the brightness gradient, per pixel, below which it is noise of compression. */
const MIN_EDGE_SLOPE = 0.01;

/** Maximum number of pixels used, those with the strongest gradients: a shift has few unknowns. */
const MAX_EDGES = 8000;

function edgesOf({ values: picture, width }: Grey, region: Region): Edges {
  const found: number[][] = [];
  for (let y = region.y + 1; y < region.y + region.height - 1; y++) {
    for (let x = region.x + 1; x < region.x + region.width - 1; x++) {
      const i = y * width + x;
      const slopeX = (picture[i + 1] - picture[i - 1]) / 2;
      const slopeY = (picture[i + width] - picture[i - width]) / 2;
      if (Math.hypot(slopeX, slopeY) > MIN_EDGE_SLOPE) found.push([x, y, picture[i], slopeX, slopeY]);
    }
  }
  found.sort((a, b) => Math.hypot(b[3], b[4]) - Math.hypot(a[3], a[4]));
  found.length = Math.min(found.length, MAX_EDGES);
  return {
    column: Int32Array.from(found, (e) => e[0]),
    row: Int32Array.from(found, (e) => e[1]),
    value: Float64Array.from(found, (e) => e[2]),
    slopeX: Float64Array.from(found, (e) => e[3]),
    slopeY: Float64Array.from(found, (e) => e[4]),
  };
}

function fitShift(picture: Grey, edges: Edges, start: Shift): Shift {
  let shift = { ...start };
  const hasTurn = start.rotation !== undefined;
  const slopes = hasTurn ? [...slopesOf(edges), ...turnSlopesOf(edges, picture)] : slopesOf(edges);
  // A turn, and a zoom, by which the farthest pixels move by as many pixels.
  const lever = Math.hypot(picture.width, picture.height) / 2;
  const residuals = new Float64Array(edges.value.length);
  for (let iteration = 0; iteration < 20; iteration++) {
    for (let e = 0; e < residuals.length; e++) {
      const [x, y] = positionInShiftedFrame(shift, edges.column[e], edges.row[e], picture);
      residuals[e] = sampleAt(picture, x, y) - edges.value[e];
    }
    const step = leastSquares(residuals, slopes);
    shift = {
      x: shift.x + step[0],
      y: shift.y + step[1],
      ...(hasTurn ? { rotation: shift.rotation! + step[2] / lever, zoom: shift.zoom! + step[3] / lever } : {}),
    };
    if (Math.hypot(...step) < 1e-3) break;
  }
  return shift;
}

const slopesOf = ({ slopeX, slopeY }: Edges): Float64Array[] => [slopeX, slopeY];

/** Returns the derivatives of brightness for a rotation and a zoom that move the farthest pixels by one pixel. */
function turnSlopesOf({ column, row, slopeX, slopeY }: Edges, size: Size): Float64Array[] {
  const lever = Math.hypot(size.width, size.height) / 2;
  const along = (of: (u: number, v: number, e: number) => number): Float64Array =>
    slopeX.map((_, e) => {
      const [u, v] = fromMiddle(column[e], row[e], size);
      return of(u / lever, v / lever, e);
    });
  return [along((u, v, e) => slopeY[e] * u - slopeX[e] * v), along((u, v, e) => slopeX[e] * u + slopeY[e] * v)];
}

/** Returns the step that minimises the sum of w (residual + slopes . step)^2, with Tukey's biweights w. */
function leastSquares(residuals: Float64Array, slopes: readonly Float64Array[]): number[] {
  const cut = 4.685 * 1.4826 * Math.max(upperMedian(residuals.filter((_, e) => e % 8 === 0).map(Math.abs)), 1e-4);
  const normal = slopes.map(() => new Float64Array(slopes.length));
  const slope = new Float64Array(slopes.length);
  for (let e = 0; e < residuals.length; e++) {
    const u = residuals[e] / cut;
    if (Math.abs(u) >= 1) continue;
    const weight = (1 - u * u) ** 2;
    for (let i = 0; i < slopes.length; i++) {
      const weighted = weight * slopes[i][e];
      const row = normal[i];
      for (let k = 0; k < slopes.length; k++) row[k] += weighted * slopes[k][e];
      slope[i] -= weighted * residuals[e];
    }
  }
  // Keeps a direction without edges where it is.
  const damping = 1e-3 * (normal[0][0] + normal[1][1]) + 1e-12;
  normal.forEach((row, i) => {
    row[i] += damping;
  });
  return solvePositiveDefinite(normal, slope)!;
}
