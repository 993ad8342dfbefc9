import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { GradsimError } from '@gradsim/base';
import { reasonOf } from '../errors.ts';

const NUMBER_PATTERN = /%0?\d*d/;

/**
 * Returns the paths of the images in a folder or of a pattern such as `frames/%04d.png`, in the order of their numbers,
 * which must be consecutive; null if the address is neither.
 *
 * @throws GradsimError when a number is missing or occurs twice, the images of a folder belong to several sequences, or
 * there are none.
 */
export async function listImages(address: string): Promise<string[] | null> {
  const found = await stat(address).catch(() => undefined);
  // A file is that file, whatever is in its name.
  if (found) return found.isDirectory() ? listFolder(address) : null;
  return NUMBER_PATTERN.test(basename(address)) ? listPattern(address) : null;
}

async function listPattern(address: string): Promise<string[]> {
  const folder = dirname(address);
  const [before, after] = basename(address).split(NUMBER_PATTERN);
  const names = (await namesIn(folder)).filter((name) => numberIn(name, before, after) !== undefined);
  if (names.length === 0) throw new GradsimError('video/no-file', `No file matches ${address}.`);
  return inOrder(address, folder, names, before, after);
}

async function listFolder(folder: string): Promise<string[]> {
  const all = (await namesIn(folder)).filter((name) => !name.startsWith('.'));
  const pngs = all.filter((name) => /\.png$/i.test(name));
  const names = pngs.length > 0 ? pngs : all.filter((name) => /\.jpe?g$/i.test(name));
  if (names.length === 0)
    throw new GradsimError('video/nothing-in-film', `The folder ${folder} holds no PNG or JPEG images.`);
  if (names.length === 1) return [join(folder, names[0])];
  const [before, after] = partsAroundNumber(names);
  const odd = names.find((name) => numberIn(name, before, after) === undefined);
  if (odd !== undefined)
    throw new GradsimError(
      'video/not-a-sequence',
      `The images of the folder ${folder} are no single sequence: beside ${names.find((name) => name !== odd)} there is ${odd}. Names must differ in one number only.`,
      { hint: `Give a pattern such as ${join(folder, '%04d.png')}.` },
    );
  return inOrder(`the folder ${folder}`, folder, names, before, after);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    throw new GradsimError('video/file-unreadable', `The folder ${folder} cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

/** Returns the parts before and after the number that all file names have in common. */
function partsAroundNumber(names: readonly string[]): [before: string, after: string] {
  const common = (a: string, b: string, from: (text: string, k: number) => string): number => {
    let k = 0;
    while (k < Math.min(a.length, b.length) && from(a, k) === from(b, k)) k++;
    return k;
  };
  const [first, ...rest] = names;
  const before = Math.min(...rest.map((name) => common(first, name, (text, k) => text[k])));
  const after = Math.min(...rest.map((name) => common(first, name, (text, k) => text[text.length - 1 - k])));
  return [first.slice(0, before).replace(/\d+$/, ''), first.slice(first.length - after).replace(/^\d+/, '')];
}

function numberIn(name: string, before: string, after: string): number | undefined {
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined;
  const digits = name.slice(before.length, name.length - after.length);
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

function inOrder(what: string, folder: string, names: readonly string[], before: string, after: string): string[] {
  const numbered = names
    .map((name) => ({ name, number: numberIn(name, before, after)! }))
    .sort((a, b) => a.number - b.number);
  numbered.forEach(({ name, number }, i) => {
    if (i === 0) return;
    const expected = numbered[i - 1].number + 1;
    if (number === expected) return;
    const wrong =
      number < expected
        ? `${numbered[i - 1].name} and ${name} have the same number`
        : `number ${expected} is missing before ${number}`;
    throw new GradsimError('video/not-a-sequence', `The images of ${what} are not consecutive: ${wrong}.`);
  });
  return numbered.map(({ name }) => join(folder, name));
}
