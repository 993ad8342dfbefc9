import { backgroundSteps, evenlySpacedFrames, MAX_SAMPLES } from '../background/background.ts';
import { distanceSteps } from '../background/departure.ts';
import { noiseLevel } from '../background/levels.ts';
import type { Size } from '../edit/resize.ts';
import { createFrames, type Frames } from '../frames/frames.ts';
import { erode, patchesOf } from '../frames/patches.ts';
import { levelOf } from '../frames/tiled.ts';
import type { PictureReader } from '../source/footage.ts';
import type { WorkSteps } from '../steps.ts';

/** Square cells into which a picture is divided; the last of a row or column may be smaller. */
export interface CellGrid {
  /** Side of a cell, px. */
  readonly side: number;
  readonly columns: number;
  readonly rows: number;
}

/** Smallest side of a cell, px. */
const MIN_CELL_SIDE = 16;
/** Number of values of the mean colours of all cells of all frames at most, a byte each. */
const MOST_VALUES = 128e6;
/** Rows of a cell that are read for its colour, evenly spread: noise averages out over them. */
const SAMPLED_ROWS = 4;
/**
 * Distance of a cell's mean colour from the background's that shows a thing at least: a tenth of the cell covered by one
 * that stands out little.
 */
const MIN_MOTION = 0.012;
/** Part of the area of the largest thing in a frame below which another one counts as a speck. */
const MIN_RELATIVE_AREA = 0.05;
/** Number of frames in which things are measured at most, evenly spread. */
const MEASURED_FRAMES = 200;

/**
 * Grid for a film: its cells are as small as memory for their colours allows.
 * @param maxValues number of colour values of all frames.
 */
export function gridFor({ width, height }: Size, count: number, maxValues = MOST_VALUES): CellGrid {
  for (let side = MIN_CELL_SIDE; ; side *= 2) {
    const [columns, rows] = [Math.ceil(width / side), Math.ceil(height / side)];
    if (3 * columns * rows * count <= maxValues || columns * rows === 1) return { side, columns, rows };
  }
}

/** Mean colours of the cells of a picture, three bytes each. */
export function coloursOf(read: PictureReader, { side, columns, rows }: CellGrid, { width, height }: Size): Uint8Array {
  const bytes = new Uint8Array(3 * columns * rows);
  const line = new Float32Array(4 * width);
  const sums = new Float64Array(3 * columns);
  for (let row = 0; row < rows; row++) {
    sums.fill(0);
    let lines = 0;
    const step = side / SAMPLED_ROWS;
    for (let y = row * side + (step >> 1); y < Math.min((row + 1) * side, height); y += step, lines++) {
      read({ x: 0, y, width, height: 1 }, line);
      for (let column = 0, at = 0; column < columns; column++) {
        let [red, green, blue] = [0, 0, 0];
        for (const end = 4 * Math.min((column + 1) * side, width); at < end; at += 4) {
          red += line[at];
          green += line[at + 1];
          blue += line[at + 2];
        }
        sums[3 * column] += red;
        sums[3 * column + 1] += green;
        sums[3 * column + 2] += blue;
      }
    }
    for (let k = 0; k < sums.length; k++) {
      const across = Math.min(side, width - side * Math.floor(k / 3));
      bytes[3 * columns * row + k] = levelOf(sums[k] / (across * Math.max(lines, 1)), 255);
    }
  }
  return bytes;
}

/** Mean colours of the cells as a film whose pixels are the cells. */
export function framesOf(pictures: readonly Uint8Array[], { columns, rows }: CellGrid, frameRate = 1): Frames {
  const frames = createFrames({ width: columns, height: rows, channels: 3, frameRate }, pictures.length);
  pictures.forEach((picture, k) => {
    for (let i = 0; i < picture.length; i++) frames.data[k * picture.length + i] = picture[i] / 255;
  });
  return frames;
}

/** Cells in which something differs from the background. */
export interface Survey {
  /** Ones at these cells, by frame. */
  readonly cells: readonly Uint8Array[];
  /** Typical width of the things across their shorter side, px; undefined if nothing moves. */
  readonly width: number | undefined;
}

/**
 * Finds the cells in which something moves.
 * @param colours of each frame.
 * @param isStill colours of the background, or the range of frames of which it is the median.
 */
export function* surveyOf(
  colours: readonly Uint8Array[],
  grid: CellGrid,
  isStill: Uint8Array | readonly [first: number, last: number],
): WorkSteps<Survey> {
  const { columns, rows, side } = grid;
  const asFrames = (pictures: readonly Uint8Array[]): Frames => framesOf(pictures, grid);
  const [first, last] = isStill instanceof Uint8Array ? [0, colours.length - 1] : isStill;
  const sample = asFrames(evenlySpacedFrames(last - first + 1, MAX_SAMPLES).map((k) => colours[first + k]));
  const background =
    isStill instanceof Uint8Array ? asFrames([isStill]) : yield* backgroundSteps(sample, MAX_SAMPLES, 1);
  const shadows = { shadows: false };
  const low = Math.max(MIN_MOTION, noiseLevel(yield* distanceSteps(sample, background, shadows), MIN_MOTION / 3));
  const cells: Uint8Array[] = [];
  for (const picture of colours) {
    const { data } = yield* distanceSteps(asFrames([picture]), background, shadows);
    cells.push(Uint8Array.from(data, (value) => Number(value > low)));
  }
  const widths: number[] = [];
  for (const frame of evenlySpacedFrames(cells.length, MEASURED_FRAMES)) {
    const patches = patchesOf(cells[frame], { width: columns, height: rows });
    const largest = Math.max(0, ...patches.map(({ length }) => length));
    for (const patch of patches) {
      if (patch.length < MIN_RELATIVE_AREA * largest) continue;
      const alone = new Uint8Array(cells[frame].length);
      for (const cell of patch) alone[cell] = 1;
      widths.push(side * (2 * erosionDepth(alone, { width: columns, height: rows }) - 1));
    }
    yield;
  }
  // Smaller things than most decide: what is measured may be one of them.
  return { cells, width: widths.sort((a, b) => a - b)[widths.length >> 2] };
}

/** Number of times that a picture of ones can be eroded until nothing is left. */
function erosionDepth(picture: Uint8Array, size: Size): number {
  let depth = 0;
  for (let left = picture; left.includes(1); left = erode(left, size, 1)) depth++;
  return depth;
}
