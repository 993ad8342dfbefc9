import { GradsimError } from '@gradsim/base';
import { evenlySpacedFrames, MAX_SAMPLES } from '../background/background.ts';
import { framesInRange } from '../edit/cut.ts';
import type { Size } from '../edit/resize.ts';
import { turnedReader } from '../edit/turned-back.ts';
import { createFrames, type Frames } from '../frames/frames.ts';
import { dilate } from '../frames/patches.ts';
import { checkRegion, type Region } from '../frames/region.ts';
import { TiledFrames, type TiledShape } from '../frames/tiled.ts';
import type { QuarterTurn } from '../frames/upright.ts';
import { openFootage } from '../read/open.ts';
import { type ReadOptions, rateOf } from '../read/read.ts';
import type { Footage, PictureReader } from '../source/footage.ts';
import type { FilmSource } from '../source/material.ts';
import { DEFAULT_TIMEOUT, readingLimits } from '../source/watch.ts';
import { runStepsWithPauses, type WorkSteps } from '../steps.ts';
import { BackgroundSample } from './background-sample.ts';
import { type CellGrid, coloursOf, framesOf, gridFor, type Survey, surveyOf } from './cells.ts';
import { Tiles } from './tiles.ts';

/** Options of {@link readMoving}. */
export interface MovingOptions extends Omit<ReadOptions, 'size' | 'channels' | 'values'> {
  /** Clockwise rotation that brings the pictures upright; `crop` is a region of the upright picture. Default 0. */
  readonly upright?: QuarterTurn;
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
const MIN_WIDTH = 64;
/** Distance from moving things within which pixels are kept too, px of the frames. */
const MARGIN = 16;
/** Number of bytes that a film takes at most. */
const MOST_BYTES = 400e6;
const REDUCTIONS = [1, 2, 4, 8];

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
  const { signal, onProgress, still } = options;
  const firstOf = async (from: FilmSource): Promise<PictureReader> => {
    for await (const reader of readers(await openUpright(from, { ...options, track: undefined }), [0], options))
      return reader;
    throw new GradsimError('video/nothing-in-film', 'The background has no picture.');
  };

  const first = await openUpright(source, options);
  const { info } = first.footage;
  const { size } = first;
  const indices = indicesOf(first.footage, options);
  const count = indices.length;
  const frameRate = rateOf(info, options) / (options.every ?? 1);
  const range = Array.isArray(still) ? (still as readonly [number, number]) : undefined;
  const plate = still !== undefined && !range ? await firstOf(still as FilmSource) : undefined;
  const grid = gridFor(size, count);
  const colours: Uint8Array[] = [];
  for await (const read of readers(first, indices, options)) {
    colours.push(coloursOf(read, grid, size));
    onProgress?.(colours.length, 2 * count);
  }
  const stillColours = plate ? coloursOf(plate, grid, size) : (range ?? ([0, count - 1] as const));
  const { width, chosen } = await runStepsWithPauses(
    planReading(colours, stillColours, grid, size, options, info.name),
    signal,
  );
  const { reduction, keptCells } = chosen;
  const shape = { width: size.width / reduction, height: size.height / reduction, channels: 3 as const, frameRate };
  const background = createFrames(shape, 1);
  const tiles = new Tiles(grid, size, chosen);
  const frames = new TiledFrames({ ...shape, count, tile: tiles.tile, levels: chosen.levels }, background.data);
  const [from, to] = range ?? [0, count - 1];
  const sampled = new Set(evenlySpacedFrames(to - from + 1, MAX_SAMPLES).map((k) => from + k));
  const sample = new BackgroundSample(tiles, keptCells, background);
  let k = 0;
  for await (const read of readers(await openUpright(source, options), indices, options)) {
    frames.store(k, keptCells[k], tiles.read(read, keptCells[k]));
    if (sampled.has(k)) sample.add(read);
    k++;
    onProgress?.(count + k, 2 * count);
  }
  await runStepsWithPauses(sample.finish(plate), signal);
  frames.stillPixels = sample.stillPixels(frameRate);
  return { frames, background, reduction, width, isForced: chosen.isForced };
}

/**
 * Reads an overview of a film: the mean colours of square cells, as pixels of small pictures, each from some rows of the
 * cell. That is faster than reading small pictures, and takes little memory for long films.
 *
 * @param most number of values of all pictures together, at most. Default 8e6.
 */
export async function readOverview(
  source: FilmSource | readonly FilmSource[],
  options: Omit<MovingOptions, 'reduction' | 'still'> & { readonly most?: number } = {},
): Promise<Frames> {
  const footage = await openUpright(source, options);
  const indices = indicesOf(footage.footage, options);
  const grid = gridFor(footage.size, indices.length, options.most ?? 8e6);
  const colours: Uint8Array[] = [];
  for await (const read of readers(footage, indices, options)) {
    colours.push(coloursOf(read, grid, footage.size));
    options.onProgress?.(colours.length, indices.length);
  }
  return framesOf(colours, grid, rateOf(footage.footage.info, options) / (options.every ?? 1));
}

/** A film that was opened, and the part of its upright pictures that is read. */
interface OpenedFilm {
  readonly footage: Footage;
  readonly crop: Region;
  readonly size: Size;
}

async function openUpright(source: FilmSource | readonly FilmSource[], options: MovingOptions): Promise<OpenedFilm> {
  const { upright = 0, signal, patience = DEFAULT_TIMEOUT, track } = options;
  const footage = await openFootage(source, readingLimits(signal, patience), track);
  const { name, width, height } = footage.info;
  const turned = upright % 180 === 0 ? { width, height } : { width: height, height: width };
  const crop = options.crop ?? { x: 0, y: 0, ...turned };
  try {
    checkRegion(crop, turned.width, turned.height, name);
  } catch (error) {
    footage.close();
    throw error;
  }
  return { footage, crop, size: { width: crop.width, height: crop.height } };
}

/** Yields readers of frames, in whose coordinates the upright part that is read begins at 0, 0. */
async function* readers(
  { footage, crop }: OpenedFilm,
  indices: readonly number[],
  { upright = 0, chroma }: MovingOptions,
): AsyncGenerator<PictureReader> {
  try {
    for await (const read of footage.pictures(indices, chroma)) {
      const turned = turnedReader(read, upright, footage.info);
      yield (region, into) => turned({ ...region, x: crop.x + region.x, y: crop.y + region.y }, into);
    }
  } finally {
    footage.close();
  }
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
interface ReadingPlan {
  readonly reduction: number;
  readonly keptCells: readonly Uint32Array[];
  readonly levels: TiledShape['levels'];
  readonly isForced: boolean;
}

/** Surveys the film by its colours, which are given up, and chooses what is read of it. */
function* planReading(
  colours: Uint8Array[],
  still: Parameters<typeof surveyOf>[2],
  grid: CellGrid,
  size: Size,
  options: MovingOptions,
  name: string,
): WorkSteps<{ readonly width: number | undefined; readonly chosen: ReadingPlan }> {
  const survey = yield* surveyOf(colours, grid, still);
  colours.length = 0;
  return { width: survey.width, chosen: yield* chooseReduction(survey, grid, size, options.reduction, name) };
}

/** The smallest pictures that are enough for things of this size, or smaller ones where memory requires it. */
function* chooseReduction(
  { cells, width = 0 }: Survey,
  grid: CellGrid,
  size: Size,
  fixed: number | undefined,
  name: string,
): WorkSteps<ReadingPlan> {
  const possible = REDUCTIONS.filter(
    (by) =>
      size.width % by === 0 && size.height % by === 0 && grid.side / by >= 4 && (fixed === undefined || by === fixed),
  );
  const enough = possible.findLast((by) => width / by >= MIN_WIDTH) ?? possible[0];
  let bytes = 0;
  for (const reduction of possible.slice(possible.indexOf(enough))) {
    // With the cells at corners.
    const reach = Math.ceil((MARGIN * reduction) / grid.side) + 0.5;
    const keptCells: Uint32Array[] = [];
    const union = new Uint8Array(grid.columns * grid.rows);
    for (const picture of cells) {
      const own = dilate(picture, { width: grid.columns, height: grid.rows }, reach);
      const numbers: number[] = [];
      own.forEach((isKept, cell) => {
        if (isKept === 1) union[cell] = numbers.push(cell) > 0 ? 1 : 0;
      });
      keptCells.push(Uint32Array.from(numbers));
      yield;
    }
    const all = keptCells.reduce((sum, { length }) => sum + length, 0);
    const swept = union.reduce((sum, one) => sum + one, 0);
    const pixels = (grid.side / reduction) ** 2;
    // Of the frames the colours, with the sample for the background or with masks and outlines; and the background.
    const sample = 3 * swept * Math.min(cells.length, MAX_SAMPLES);
    const values = pixels * (3 * all + Math.max(sample, all / 2));
    for (const levels of [65535, 255] as const) {
      bytes = (levels === 255 ? 1 : 2) * values + (12 * size.width * size.height) / reduction ** 2;
      if (bytes <= MOST_BYTES) return { reduction, keptCells, levels, isForced: reduction !== enough };
    }
  }
  throw new GradsimError(
    'video/out-of-memory',
    `${name}: what moves in ${cells.length} frames of ${size.width} x ${size.height} pixels takes ${(bytes / 1e9).toFixed(1)} GB, more than the ${MOST_BYTES / 1e9} GB that a film may take.`,
    { hint: 'Read fewer frames (first, last, every), a part of the picture (crop) or a smaller one (size).' },
  );
}
