import { GradsimError } from '@gradsim/kernel';
import { medianSteps, SAMPLES, spreadOver } from './background.ts';
import { coloursOf, type Grid, gridFor, type Survey, surveyOf } from './cells.ts';
import { framesInRange } from './cut.ts';
import type { Footage, PictureReader } from './footage.ts';
import { createFrames, type Frames } from './frames.ts';
import type { FilmSource } from './material.ts';
import { openFootage } from './open.ts';
import { grown } from './patches.ts';
import { type ReadOptions, rateOf } from './read.ts';
import { checkRegion } from './region.ts';
import type { Size } from './resize.ts';
import { type Steps, withPauses } from './steps.ts';
import { TiledFrames } from './tiled.ts';
import { turnedReader } from './turned.ts';
import type { Rotation } from './upright.ts';
import { DEFAULT_TIMEOUT, watchOf } from './watch.ts';

/** Options of {@link readMoving}. */
export interface MovingOptions extends Omit<ReadOptions, 'size' | 'channels' | 'values'> {
  /** Clockwise rotation that brings the pictures upright; `crop` is a region of the upright picture. Default 0. */
  readonly upright?: Rotation;
  /** Pixels of the film along each side of a pixel that is read: 1, 2, 4 or 8. Default: as large things allow. */
  readonly reduction?: number;
  /** Background: a picture, or the range of frames, among those read, of which it is the median. Default: all. */
  readonly still?: FilmSource | readonly [first: number, last: number];
}

/** A film of which the moving things were read. */
export interface MovingFilm {
  /** Colours of the film; where nothing moves those of the background. */
  readonly frames: Frames;
  readonly background: Frames;
  /** Pixels of the film along each side of a pixel of the frames. */
  readonly reduction: number;
  /** Typical width of the things in the film across their shorter side, px of the file; undefined if nothing moves. */
  readonly width: number | undefined;
  /** True if memory required the reduction, false if the size of the things allows it. */
  readonly isForced: boolean;
}

/** Width of things that suffices for an estimate, px: see docs/lab/benchmarks.md, film-memory. */
const ENOUGH = 64;
/** Distance from moving things within which pixels are kept too, px of the frames. */
const MARGIN = 16;
/** Number of bytes that a film takes at most. */
const MOST_BYTES = 400e6;
const REDUCTIONS = [1, 2, 4, 8];
/** Smallest number of cells without motion that tell the noise. */
const FEWEST_STILL = 64;

/**
 * Reads the moving things of a large film: the memory that it takes follows their size, not that of the film. The film is
 * decoded twice. First its pictures are reduced to small cells, of which those that differ from the background are noted;
 * then these cells, with a margin around them, are read in each frame, and the background in some frames. Large things are
 * read at a half, a quarter or an eighth of the film's resolution.
 *
 * @throws GradsimError as `readFrames`, and when the moving parts do not fit in memory.
 */
export async function readMoving(
  source: FilmSource | readonly FilmSource[],
  options: MovingOptions = {},
): Promise<MovingFilm> {
  const { upright = 0, chroma, signal, patience = DEFAULT_TIMEOUT, track, onProgress, still } = options;
  const watch = watchOf(signal, patience);
  const open = async (from: FilmSource | readonly FilmSource[]) => {
    const footage = await openFootage(from, watch, from === source ? track : undefined);
    const turned = upright % 180 === 0 ? footage.info : { width: footage.info.height, height: footage.info.width };
    const crop = options.crop ?? { x: 0, y: 0, width: turned.width, height: turned.height };
    checkRegion(crop, turned.width, turned.height, footage.info.name);
    return { footage, size: { width: crop.width, height: crop.height }, crop };
  };
  async function* readers({ footage, crop }: Awaited<ReturnType<typeof open>>, indices: readonly number[]) {
    try {
      for await (const read of footage.pictures(indices, chroma)) {
        const turned = turnedReader(read, upright, footage.info);
        const reader: PictureReader = (region, into) =>
          turned({ ...region, x: crop.x + region.x, y: crop.y + region.y }, into);
        yield reader;
      }
    } finally {
      footage.close();
    }
  }
  const firstOf = async (from: FilmSource): Promise<PictureReader> => {
    for await (const reader of readers(await open(from), [0])) return reader;
    throw new GradsimError('video/nothing-in-film', 'The background has no picture.');
  };

  const first = await open(source);
  const { info } = first.footage;
  const { size } = first;
  const indices = indicesOf(first.footage, options);
  const count = indices.length;
  const frameRate = rateOf(info, options) / (options.every ?? 1);
  const range = Array.isArray(still) ? (still as readonly [number, number]) : undefined;
  const plate = still !== undefined && !range ? await firstOf(still as FilmSource) : undefined;
  const grid = gridFor(size, count);
  const colours: Uint8Array[] = [];
  for await (const read of readers(first, indices)) {
    colours.push(coloursOf(read, grid, size));
    onProgress?.(colours.length, 2 * count);
  }
  const stillColours = plate ? coloursOf(plate, grid, size) : (range ?? [0, count - 1]);
  const survey = await withPauses(
    surveyOf(colours, grid, stillColours as Uint8Array | readonly [number, number]),
    signal,
  );
  colours.length = 0;

  const chosen = await withPauses(choiceOf(survey, grid, size, options.reduction, info.name), signal);
  const { reduction, kept } = chosen;
  const shape = { width: size.width / reduction, height: size.height / reduction, channels: 3 as const, frameRate };
  const background = createFrames(shape, 1);
  const tiles = new Tiles(grid, size, reduction);
  const frames = new TiledFrames({ ...shape, count, tile: tiles.tile }, background.data);
  const [from, to] = range ?? [0, count - 1];
  const sampled = new Set(spreadOver(to - from + 1, SAMPLES).map((k) => from + k));
  const sample = new BackgroundSample(tiles, kept, background);
  let k = 0;
  for await (const read of readers(await open(source), indices)) {
    frames.store(k, kept[k], tiles.read(read, kept[k]));
    if (sampled.has(k)) sample.add(read);
    k++;
    onProgress?.(count + k, 2 * count);
  }
  await withPauses(sample.finish(plate), signal);
  frames.still = sample.still(frameRate);
  return { frames, background, reduction, width: survey.width, isForced: chosen.isForced };
}

function indicesOf({ info, close }: Footage, options: MovingOptions): number[] {
  try {
    return framesInRange(options, info.frameCount, info.name);
  } catch (error) {
    close();
    throw error;
  }
}

/** Reduction of the pictures, and the cells that are kept of each frame. */
interface Choice {
  readonly reduction: number;
  readonly kept: readonly Uint32Array[];
  readonly isForced: boolean;
}

/** The smallest pictures that are enough for things of this size, or smaller ones where memory requires it. */
function* choiceOf(
  { cells, width = 0 }: Survey,
  grid: Grid,
  size: Size,
  fixed: number | undefined,
  name: string,
): Steps<Choice> {
  const possible = REDUCTIONS.filter(
    (by) =>
      size.width % by === 0 && size.height % by === 0 && grid.side / by >= 4 && (fixed === undefined || by === fixed),
  );
  const enough = possible.findLast((by) => width / by >= ENOUGH) ?? possible[0];
  let bytes = 0;
  for (const reduction of possible.slice(possible.indexOf(enough))) {
    // With the cells at corners.
    const reach = Math.ceil((MARGIN * reduction) / grid.side) + 0.5;
    const kept: Uint32Array[] = [];
    const union = new Uint8Array(grid.columns * grid.rows);
    for (const picture of cells) {
      const own = grown(picture, { width: grid.columns, height: grid.rows }, reach);
      const numbers: number[] = [];
      own.forEach((isKept, cell) => {
        if (isKept === 1) union[cell] = numbers.push(cell) > 0 ? 1 : 0;
      });
      kept.push(Uint32Array.from(numbers));
      yield;
    }
    const all = kept.reduce((sum, { length }) => sum + length, 0);
    const swept = union.reduce((sum, one) => sum + one, 0);
    const pixels = (grid.side / reduction) ** 2;
    // Of the frames the colours, masks and outlines; of the background its sample; and the background.
    bytes =
      pixels * (3.5 * all + 3 * swept * Math.min(cells.length, SAMPLES)) +
      (12 * size.width * size.height) / reduction ** 2;
    if (bytes <= MOST_BYTES) return { reduction, kept, isForced: reduction !== enough };
  }
  throw new GradsimError(
    'video/out-of-memory',
    `${name}: what moves in ${cells.length} frames of ${size.width} x ${size.height} pixels takes ${(bytes / 1e9).toFixed(1)} GB, more than the ${MOST_BYTES / 1e9} GB that a film may take.`,
    { hint: 'Read fewer frames (first, last, every), a part of the picture (crop) or a smaller one (size).' },
  );
}

/** Cells of a grid as tiles of the reduced picture. */
class Tiles {
  readonly grid: Grid;
  /** Side of a tile, px of the reduced picture. */
  readonly tile: number;
  readonly #size: Size;
  readonly #reduction: number;
  #scratch = new Float32Array();

  constructor(grid: Grid, size: Size, reduction: number) {
    this.grid = grid;
    this.tile = grid.side / reduction;
    this.#size = size;
    this.#reduction = reduction;
  }

  /** Number of bytes of a tile. */
  get length(): number {
    return 3 * this.tile ** 2;
  }

  /** Reads cells of a picture, in ascending order, as the bytes of one tile after another. */
  read(read: PictureReader, cells: Uint32Array): Uint8Array {
    const { side, columns } = this.grid;
    const { width, height } = this.#size;
    const bytes = new Uint8Array(cells.length * this.length);
    for (let first = 0, next = 1; first < cells.length; first = next++) {
      const [column, row] = [cells[first] % columns, Math.floor(cells[first] / columns)];
      while (next < cells.length && cells[next] === cells[next - 1] + 1 && cells[next] % columns !== 0) next++;
      const [x, y] = [column * side, row * side];
      const region = {
        ...{ x, y, width: Math.min((next - first) * side, width - x) },
        height: Math.min(side, height - y),
      };
      const length = 4 * region.width * region.height;
      if (this.#scratch.length < length) this.#scratch = new Float32Array(length);
      read(region, this.#scratch);
      this.#reduce(region, bytes.subarray(first * this.length));
    }
    return bytes;
  }

  /** Averages the pixels that were read, and writes them as tiles. */
  #reduce({ width, height }: Size, into: Uint8Array): void {
    const [by, { tile, length }] = [this.#reduction, this];
    const rgba = this.#scratch;
    const factor = 255 / by ** 2;
    for (let v = 0; v < height / by; v++)
      for (let u = 0; u < width / by; u++) {
        const to = Math.floor(u / tile) * length + 3 * (v * tile + (u % tile));
        let [red, green, blue] = [0, 0, 0];
        for (let y = v * by; y < (v + 1) * by; y++)
          for (let at = 4 * (y * width + u * by); at < 4 * (y * width + (u + 1) * by); at += 4) {
            red += rgba[at];
            green += rgba[at + 1];
            blue += rgba[at + 2];
          }
        into[to] = Math.round(factor * red);
        into[to + 1] = Math.round(factor * green);
        into[to + 2] = Math.round(factor * blue);
      }
  }

  /** Writes the values of a tile into a picture. */
  put(cell: number, values: ArrayLike<number>, { data, width, height }: Frames): void {
    const { tile } = this;
    const { columns } = this.grid;
    const [x, y] = [(cell % columns) * tile, Math.floor(cell / columns) * tile];
    for (let v = 0; v < Math.min(tile, height - y); v++)
      for (let k = 0; k < 3 * Math.min(tile, width - x); k++)
        data[3 * ((y + v) * width + x) + k] = values[3 * v * tile + k];
  }
}

/** Pictures of a sample of frames, of which the background is computed. */
class BackgroundSample {
  readonly #tiles: Tiles;
  readonly #background: Frames;
  /** Cells through which something moves, and the others. */
  readonly #swept: Uint32Array;
  readonly #quiet: Uint32Array;
  /** Bytes of the former in each frame; sums of the bytes of the latter. */
  readonly #pictures: Uint8Array[] = [];
  readonly #sums: Float32Array;
  /** First pixels of cells that show the noise, by frame. */
  readonly #corners: Uint8Array[] = [];

  constructor(tiles: Tiles, kept: readonly Uint32Array[], background: Frames) {
    this.#tiles = tiles;
    this.#background = background;
    const swept = new Uint8Array(tiles.grid.columns * tiles.grid.rows);
    for (const cells of kept) for (const cell of cells) swept[cell] = 1;
    const numbers = Uint32Array.from(swept.keys());
    this.#swept = numbers.filter((cell) => swept[cell] === 1);
    this.#quiet = numbers.filter((cell) => swept[cell] === 0);
    this.#sums = new Float32Array(this.#quiet.length * tiles.length);
  }

  add(read: PictureReader): void {
    const moving = this.#tiles.read(read, this.#swept);
    const quiet = this.#tiles.read(read, this.#quiet);
    this.#pictures.push(moving);
    for (let i = 0; i < quiet.length; i++) this.#sums[i] += quiet[i];
    this.#corners.push(this.#cornersOf(this.#hasQuiet ? quiet : moving));
  }

  get #hasQuiet(): boolean {
    return this.#quiet.length >= FEWEST_STILL;
  }

  /** Colours of the first pixels of tiles. */
  #cornersOf(bytes: Uint8Array): Uint8Array {
    const { length } = this.#tiles;
    const corners = new Uint8Array((3 * bytes.length) / length);
    for (let k = 0; 3 * k < corners.length; k++) corners.set(bytes.subarray(k * length, k * length + 3), 3 * k);
    return corners;
  }

  /** Computes the background: of a picture if there is one, else the median, and the mean where nothing moves. */
  *finish(plate: PictureReader | undefined): Steps<void> {
    const { length } = this.#tiles;
    const count = this.#pictures.length;
    const tileOf = (values: Uint8Array | Float32Array, k: number, by: number): Float32Array => {
      const tile = new Float32Array(length);
      for (let i = 0, at = k * length; i < length; i++, at++) tile[i] = values[at] / by;
      return tile;
    };
    const swept = plate && this.#tiles.read(plate, this.#swept);
    const quiet = plate && this.#tiles.read(plate, this.#quiet);
    for (const [k, cell] of this.#quiet.entries()) {
      const values = quiet ? tileOf(quiet, k, 255) : tileOf(this.#sums, k, 255 * count);
      this.#tiles.put(cell, values, this.#background);
      if (k % 64 === 0) yield;
    }
    const shape = { width: length / 3, height: 1, channels: 3 as const, frameRate: 1 };
    for (const [k, cell] of this.#swept.entries()) {
      if (swept) this.#tiles.put(cell, tileOf(swept, k, 255), this.#background);
      else {
        const tiles = createFrames(shape, count);
        this.#pictures.forEach((picture, f) => {
          tiles.data.set(tileOf(picture, k, 255), f * length);
        });
        const { data } = yield* medianSteps(tiles);
        this.#tiles.put(cell, data, this.#background);
      }
      yield;
    }
  }

  /** Pixels that show the noise, and their background. */
  still(frameRate: number): NonNullable<TiledFrames['still']> {
    const cells = this.#hasQuiet ? this.#quiet : this.#swept;
    const shape = { width: cells.length, height: 1, channels: 3 as const, frameRate };
    const frames = createFrames(shape, this.#corners.length);
    this.#corners.forEach((picture, f) => {
      for (let i = 0; i < picture.length; i++) frames.data[f * picture.length + i] = picture[i] / 255;
    });
    const background = createFrames(shape, 1);
    const { tile } = this.#tiles;
    const { columns } = this.#tiles.grid;
    const { data, width } = this.#background;
    cells.forEach((cell, k) => {
      const [x, y] = [(cell % columns) * tile, Math.floor(cell / columns) * tile];
      for (let c = 0; c < 3; c++) background.data[3 * k + c] = data[3 * (y * width + x) + c];
    });
    return { frames, background };
  }
}
