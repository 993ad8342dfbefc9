import { VideoError } from './errors.ts';
import { createFrames, type Frames, frameAt, frameCount, frameLength } from './frames.ts';
import { refuseUnknownOptions } from './options.ts';
import { checkRegion, type Region } from './region.ts';
import { type Grey, greyOf, sampleAt } from './sample.ts';

/** How far the picture has moved since the reference frame, in pixels: right and down are positive. */
export interface Shift {
  x: number;
  y: number;
}

/** How the movement of the camera is found. */
export interface ShiftOptions {
  /** Frame in which the shift is 0. Default 0. */
  reference?: number;
  /** Part of the picture to go by, such as one with edges and nothing that moves. Default all of it. */
  region?: Region;
}

/**
 * The movement of a hand-held camera as one shift a frame, to parts of a pixel. Turns and changes of perspective are
 * not undone, and limit it on real footage. Each frame is matched with
 * the reference by least squares on brightness (Lucas and Kanade 1981), starting from the shift of the frame next to
 * it. Pixels that do not fit (things that move) lose their weight (Tukey's biweight), so they may fill a small part of
 * the region. Where the region shows no edges across a direction, the shift along it stays 0.
 *
 * @example
 * const shifts = cameraShifts(film);
 * const still = stabiliseFrames(film, shifts);
 */
export function cameraShifts(frames: Frames, options: ShiftOptions = {}): Shift[] {
  const { reference = 0, region = { x: 0, y: 0, width: frames.width, height: frames.height } } = options;
  refuseUnknownOptions('cameraShifts', options, ['reference', 'region']);
  checkRegion(region, frames.width, frames.height, 'cameraShifts');
  if (region.width < 3 || region.height < 3)
    throw new VideoError('cameraShifts needs a region of at least 3 x 3 pixels.');
  const count = frameCount(frames);
  if (!Number.isInteger(reference) || reference < 0 || reference >= count)
    throw new VideoError(
      `cameraShifts: reference is ${reference}; the film has the frames 0 to ${count - 1}.`,
    );
  const target = edgesOf(greyOf(frames, reference), region);
  const shifts: Shift[] = Array.from({ length: count }, () => ({ x: 0, y: 0 }));
  const follow = (from: number, to: number) => {
    shifts[to] = match(greyOf(frames, to), target, shifts[from]);
  };
  for (let f = reference + 1; f < count; f++) follow(f - 1, f);
  for (let f = reference - 1; f >= 0; f--) follow(f + 1, f);
  return shifts;
}

/**
 * The film with its pictures moved back by the shifts (bilinear interpolation), so that still things stand still. At
 * the borders the outermost pixels are repeated.
 */
export function stabiliseFrames(frames: Frames, shifts: readonly Shift[]): Frames {
  const count = frameCount(frames);
  if (shifts.length !== count) {
    throw new VideoError(`There are ${shifts.length} shifts for ${count} frames: give one a frame.`);
  }
  const still = createFrames(frames, count);
  const { width, height, channels } = frames;
  const length = frameLength(frames);
  for (let f = 0; f < count; f++) {
    const picture = frameAt(frames, f);
    const columns = taps(width, shifts[f].x);
    const rows = taps(height, shifts[f].y);
    let o = f * length;
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
          still.data[o++] = top + rows.weight * (bottom - top);
        }
      }
    }
  }
  return still;
}

function taps(length: number, shift: number) {
  const whole = Math.floor(shift);
  const clamp = (i: number) => Math.min(Math.max(i, 0), length - 1);
  const before = Int32Array.from({ length }, (_, i) => clamp(i + whole));
  const after = Int32Array.from({ length }, (_, i) => clamp(i + whole + 1));
  return { before, after, weight: shift - whole };
}

/** The pixels of the reference at which brightness changes: those that can show a shift. */
interface Edges {
  column: Int32Array;
  row: Int32Array;
  value: Float64Array;
  /** Slope along x and y, per pixel. */
  slopeX: Float64Array;
  slopeY: Float64Array;
}

/** Slopes below this are noise of compression. */
const faintSlope = 0.01;

/** The strongest edges suffice: a shift has two unknowns. */
const mostEdges = 8000;

function edgesOf({ values: picture, width }: Grey, region: Region): Edges {
  const found: number[][] = [];
  for (let y = region.y + 1; y < region.y + region.height - 1; y++) {
    for (let x = region.x + 1; x < region.x + region.width - 1; x++) {
      const i = y * width + x;
      const slopeX = (picture[i + 1] - picture[i - 1]) / 2;
      const slopeY = (picture[i + width] - picture[i - width]) / 2;
      if (Math.hypot(slopeX, slopeY) > faintSlope) found.push([x, y, picture[i], slopeX, slopeY]);
    }
  }
  found.sort((a, b) => Math.hypot(b[3], b[4]) - Math.hypot(a[3], a[4]));
  found.length = Math.min(found.length, mostEdges);
  return {
    column: Int32Array.from(found, (e) => e[0]),
    row: Int32Array.from(found, (e) => e[1]),
    value: Float64Array.from(found, (e) => e[2]),
    slopeX: Float64Array.from(found, (e) => e[3]),
    slopeY: Float64Array.from(found, (e) => e[4]),
  };
}

function match(picture: Grey, edges: Edges, start: Shift): Shift {
  const shift = { ...start };
  const residuals = new Float64Array(edges.value.length);
  for (let iteration = 0; iteration < 20; iteration++) {
    for (let e = 0; e < residuals.length; e++) {
      residuals[e] = sampleAt(picture, edges.column[e] + shift.x, edges.row[e] + shift.y) - edges.value[e];
    }
    const step = leastSquares(residuals, edges);
    shift.x += step.x;
    shift.y += step.y;
    if (Math.hypot(step.x, step.y) < 1e-3) break;
  }
  return shift;
}

/** Solves sum w (residual + slope . step)^2 = min with Tukey's weights. */
function leastSquares(residuals: Float64Array, { slopeX, slopeY }: Edges): Shift {
  const sorted = residuals
    .filter((_, e) => e % 8 === 0)
    .map(Math.abs)
    .sort();
  const cut = 4.685 * 1.4826 * Math.max(sorted[sorted.length >> 1] ?? 0, 1e-4);
  let [xx, xy, yy, rx, ry] = [0, 0, 0, 0, 0];
  for (let e = 0; e < residuals.length; e++) {
    const u = residuals[e] / cut;
    if (Math.abs(u) >= 1) continue;
    const weight = (1 - u * u) ** 2;
    xx += weight * slopeX[e] * slopeX[e];
    xy += weight * slopeX[e] * slopeY[e];
    yy += weight * slopeY[e] * slopeY[e];
    rx += weight * slopeX[e] * residuals[e];
    ry += weight * slopeY[e] * residuals[e];
  }
  // Keeps a direction without edges where it is.
  const damping = 1e-3 * (xx + yy) + 1e-12;
  const [a, d] = [xx + damping, yy + damping];
  const determinant = a * d - xy * xy;
  return { x: -(d * rx - xy * ry) / determinant, y: -(a * ry - xy * rx) / determinant };
}
