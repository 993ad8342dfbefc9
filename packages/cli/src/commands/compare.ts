import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Frames, readFrames, writeFrames } from '@gradsim/video';
import type { ComparedFrames } from '../report/result.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * `gradsim render FOLDER --compare`: target, estimate and difference side by side as a film, of the results of an
 * estimate.
 * @param stage whose frames; the last that has some unless given.
 * @param target gives what is written to, or throws.
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
  // One picture, which has no rate.
  const sheet = await readFrames(join(folder, chosen.file), { channels: 3, frameRate: 1 });
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

function framesOf(folder: string, stage: string | undefined): ComparedFrames {
  const file = join(folder, 'result.json');
  if (!existsSync(file))
    throw new Error(
      `${file} is not there: --compare takes the folder that gradsim estimate has written its results to.`,
    );
  const { stages } = JSON.parse(readFileSync(file, 'utf8')) as Results;
  const withFrames = stages.filter(({ pictures }) => pictures);
  if (withFrames.length === 0)
    throw new Error(
      `The results in ${folder} have no frames to compare: no stage of the experiment has a strip function.`,
    );
  const found = stage === undefined ? withFrames.at(-1) : withFrames.find((each) => each.stage === stage);
  if (!found?.pictures)
    throw new Error(
      `No stage "${stage}" with frames is in ${file}; there ${withFrames.length === 1 ? 'is' : 'are'} ${withFrames.map((each) => each.stage).join(', ')}.`,
    );
  return found.pictures;
}

/** The tiles of the sheet, one after another, at the rate of their numbers in the mean. */
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
