import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { type Frames, readFrames, writeFrames } from '@gradsim/video';
import { textOfFile } from '../files/file-content.ts';
import type { ComparedFrames } from '../report/result.ts';
import { list, number, object, optional, problemOf, text, whole } from '../shape.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * `gradsim render FOLDER --compare`: target, estimate and difference side by side as a film, from the results of an
 * estimate.
 * @param stage name of the stage whose frames are used; default: the last stage that has frames.
 * @param target returns the path to write to, or throws.
 * @throws when the folder holds no results, or they have no frames.
 */
export async function compareCommand(
  folder: string,
  stage: string | undefined,
  target: (fallback: string) => string,
  overwrite: boolean,
  terminal: Terminal,
): Promise<number> {
  const chosen = framesOf(folder, stage);
  const out = target(join(folder, 'comparison.gif'));
  // A single picture, which has no rate.
  const sheet = await readFrames(join(folder, chosen.file), { channels: 3, frameRate: 1 });
  requireTiles(chosen, sheet, join(folder, chosen.file));
  const film = filmOf(chosen, sheet);
  await writeFrames(out, film, { overwrite });
  terminal.say(
    `Wrote ${chosen.frames.length} frames of ${film.width} x ${film.height} to ${out}: target, estimate, difference × ${chosen.gain.toPrecision(2)}.`,
  );
  return 0;
}

interface Results {
  readonly stages: readonly { readonly stage: string; readonly pictures?: ComparedFrames }[];
}

const PICTURES = object(
  {
    file: text,
    width: whole(1),
    height: whole(1),
    columns: whole(1),
    gain: number,
    frames: list(whole(0)),
    seconds: list(number),
  },
  true,
);
const RESULTS = object({ stages: list(object({ stage: text, pictures: optional(PICTURES) }, true)) }, true);

/** Reads a stage's results from `result.json`. @throws if the file is not a result of an estimate. */
function readResults(file: string): Results {
  let read: unknown;
  try {
    read = JSON.parse(textOfFile(file, 'result'));
  } catch (cause) {
    if (isGradsimError(cause)) throw cause;
    throw new GradsimError('gradsim/not-a-result', `${file} is no result of gradsim estimate: it is no JSON.`, {
      cause,
    });
  }
  const problem = problemOf(read, RESULTS);
  if (problem !== undefined)
    throw new GradsimError('gradsim/not-a-result', `${file} is no result of gradsim estimate: ${problem}.`);
  return read as Results;
}

function framesOf(folder: string, stage: string | undefined): ComparedFrames {
  const file = join(folder, 'result.json');
  if (!existsSync(file))
    throw new GradsimError(
      'gradsim/no-result',
      `${file} is not there: --compare takes the folder that gradsim estimate has written its results to.`,
    );
  const { stages } = readResults(file);
  const withFrames = stages.filter(({ pictures }) => pictures);
  if (withFrames.length === 0)
    throw new GradsimError(
      'gradsim/no-frames',
      `The results in ${folder} have no frames to compare: no stage of the experiment has a strip function.`,
    );
  const found = stage === undefined ? withFrames.at(-1) : withFrames.find((each) => each.stage === stage);
  if (!found?.pictures)
    throw new GradsimError(
      'gradsim/no-stage',
      `No stage "${stage}" with frames is in ${file}; there ${withFrames.length === 1 ? 'is' : 'are'} ${withFrames.map((each) => each.stage).join(', ')}.`,
    );
  return found.pictures;
}

/** @throws if a picture does not have the tile size stated in the results. */
function requireTiles({ width, height, frames, columns }: ComparedFrames, sheet: Frames, file: string): void {
  const size = [3 * width * columns, height * Math.ceil(frames.length / columns)];
  if (frames.length === 0 || sheet.width !== size[0] || sheet.height !== size[1])
    throw new GradsimError(
      'gradsim/other-run',
      `${file} is a picture of ${sheet.width} x ${sheet.height}, and result.json speaks of ${frames.length} frames, which make ${size.join(' x ')}: one of the two is of another run.`,
    );
}

/** Film of a sheet's tiles, one frame per tile, at the mean frame rate of the tiles. */
function filmOf({ width, height, frames, columns, seconds }: ComparedFrames, sheet: Frames): Frames {
  const row = 3 * 3 * width;
  const data = new Float32Array(row * height * frames.length);
  frames.forEach((_, tile) => {
    for (let y = 0; y < height; y++) {
      const from = row * (columns * (Math.floor(tile / columns) * height + y) + (tile % columns));
      data.set(sheet.data.subarray(from, from + row), row * (tile * height + y));
    }
  });
  const frameRate = frames.length / seconds.reduce((sum, each) => sum + each, 0);
  return { width: 3 * width, height, channels: 3, frameRate, data };
}
