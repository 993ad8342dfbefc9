import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isFile } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { MARK_OF_PAGES } from '../components/index.ts';
import { PNG_MARK } from '../report/marks.ts';

/** Number of bytes at the start of a file by which its kind is recognised. */
const BEGINNING_BYTES = 4096;

/** Name patterns of files that a command writes, each with a test of a file's first bytes. */
type Kinds = readonly {
  readonly name: RegExp;
  readonly isOwn: (beginning: Buffer, folder: string) => boolean;
}[];

const begins =
  (pattern: RegExp) =>
  (beginning: Buffer): boolean =>
    pattern.test(beginning.toString('latin1'));
const isPage = (beginning: Buffer): boolean => beginning.includes(MARK_OF_PAGES);

/** Patterns and tests of the files that `gradsim estimate` writes. */
export const OF_ESTIMATES: Kinds = [
  { name: /^result\.json$/, isOwn: begins(/^\{\s*"experiment":/) },
  { name: /^report\.html$/, isOwn: isPage },
  { name: /^frames-\d+\.png$/, isOwn: (beginning) => beginning.includes(PNG_MARK) },
  { name: /^run\.json$/, isOwn: begins(/^\{\s*"format":\s*\d/) },
  { name: /^run\.journal$/, isOwn: begins(/^gradsim journal /) },
];

/**
 * Files of `gradsim look`. CSV tables count as its files only if its page is in the folder: users write such tables by
 * hand, too.
 */
export const OF_LOOKS: Kinds = [
  { name: /^look\.html$/, isOwn: isPage },
  { name: /^look\.json$/, isOwn: begins(/^\{\s*"film":/) },
  {
    name: /^tracks(-metres)?\.csv$/,
    isOwn: (beginning, folder) => begins(/^track,frame,/)(beginning) && isOwnPage(join(folder, 'look.html')),
  },
];

/** Files of `gradsim track`. */
export const OF_TRACKS: Kinds = [
  { name: /^track\.html$/, isOwn: isPage },
  { name: /^track\.json$/, isOwn: begins(/^\{\s*"film":/) },
  { name: /^track\.csv$/, isOwn: begins(/^frame,t \[s\],px /) },
  { name: /^track\.trk$/, isOwn: begins(/^<\?xml[^>]*>\s*<object class="org\.opensourcephysics\.cabrillo/) },
];

/** Files of `gradsim plan`. */
export const OF_PLANS: Kinds = [
  {
    name: /^motion\.csv$/,
    isOwn: (beginning, folder) => begins(/^time,pos_/)(beginning) && existsSync(join(folder, 'plan.json')),
  },
  {
    name: /^motion\.mcap$/,
    isOwn: (beginning, folder) => begins(/^\x89MCAP0/)(beginning) && existsSync(join(folder, 'plan.json')),
  },
  { name: /^plan\.json$/, isOwn: begins(/^\{\s*"plan":/) },
];

/** Files of `gradsim estimate` of several experiments. */
export const OF_TOGETHER: Kinds = [...OF_ESTIMATES, { name: /^together\.json$/, isOwn: begins(/^\{\s*"together":/) }];

/** Files of `gradsim new robot`. */
export const OF_ROBOTS: Kinds = [
  { name: /^report\.html$/, isOwn: isPage },
  { name: /^calibration\.json$/, isOwn: begins(/^\{\s*"(model|verdict)":/) },
  { name: /^posterior\.json$/, isOwn: begins(/^\{\s*"combinations":/) },
  { name: /^isaac_lab_events\.py$/, isOwn: begins(/^"""Events of Isaac Lab that randomise the robot of /) },
];

const isOwnPage = (file: string): boolean => existsSync(file) && isPage(beginningOf(file));

/**
 * Removes the files of an earlier run of a command from a folder, and nothing else.
 * @param needed files that the new run reads.
 * @throws before anything is removed, if a file has a name that the command uses but another origin, or if a file to be
 * removed is needed.
 */
export function removeEarlier(folder: string, kinds: Kinds, needed: readonly string[] = []): void {
  const found = readdirSync(folder).flatMap((name) =>
    kinds.filter((kind) => kind.name.test(name)).map(({ isOwn }) => ({ file: join(folder, name), isOwn })),
  );
  const foreign = found.find(({ file, isOwn }) => !isOwn(beginningOf(file), folder));
  if (foreign)
    throw new GradsimError(
      'gradsim/file-exists',
      `${foreign.file} has the name of a file that would be written, and is not one that gradsim wrote: --force does not replace it.`,
      { hint: 'Move it away, or name another folder with --out.' },
    );
  const read = new Set(needed.filter((file) => existsSync(file)).map((file) => realpathSync(file)));
  const kept = found.find(({ file }) => read.has(realpathSync(file)));
  if (kept)
    throw new GradsimError(
      'gradsim/file-exists',
      `The run reads ${kept.file}, which --force would remove before it begins.`,
      { hint: 'Name another folder with --out.' },
    );
  for (const { file } of found) rmSync(file);
}

/** First bytes of a file; empty for anything that is not a regular file, or a dangling link. */
function beginningOf(path: string): Buffer {
  if (!isFile(path)) return Buffer.alloc(0);
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(BEGINNING_BYTES);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
