import { randomUUID } from 'node:crypto';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { reasonOf, VideoError } from '../errors.ts';
import type { Platform } from '../platform.ts';
import { findFfmpeg } from './ffmpeg.ts';

/** Files of the machine, the codecs of `@mediabunny/server`, and the program ffmpeg. */
export const platform: Platform = {
  read,
  listImages,
  write,
  registerCodecs,
  externalCodec: findFfmpeg,
  codecAdvice:
    'Install the package @mediabunny/server (npm install @mediabunny/server), or the program ffmpeg 5.1 or newer ' +
    '(for reading), and try again. GIF and PNG need neither.',
};

async function read(path: string, limit?: number): Promise<Uint8Array> {
  try {
    if (limit === undefined) return await readFile(path);
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(new Uint8Array(limit), 0, limit, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new VideoError(`There is no file ${path}.`, { cause: error });
    if (code === 'EISDIR') throw new VideoError(`${path} is a folder, not a file.`, { cause: error });
    throw new VideoError(`${path} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
}

async function listImages(address: string): Promise<string[] | null> {
  const pattern = /%0?(\d*)d/.exec(basename(address));
  if (pattern) return listPattern(address);
  const isFolder = await stat(address).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return null;
  const names = (await readdir(address)).filter((name) => /\.png$/i.test(name) && !name.startsWith('.'));
  if (names.length === 0) throw new VideoError(`The folder ${address} holds no PNG images.`);
  const collator = new Intl.Collator('en', { numeric: true });
  return names.sort(collator.compare).map((name) => join(address, name));
}

/** The files of a printf pattern such as `%04d.png`: consecutive numbers from the lowest one found. */
async function listPattern(address: string): Promise<string[]> {
  const folder = dirname(address);
  const [before, after] = basename(address).split(/%0?\d*d/);
  const names = await readdir(folder).catch((error) => {
    throw new VideoError(`The folder ${folder} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  const numbered = names
    .filter((name) => name.startsWith(before) && name.endsWith(after))
    .map((name) => ({ name, digits: name.slice(before.length, name.length - after.length) }))
    .filter(({ digits }) => /^\d+$/.test(digits))
    .map(({ name, digits }) => ({ name, number: Number(digits) }))
    .sort((a, b) => a.number - b.number);
  if (numbered.length === 0) throw new VideoError(`No file matches ${address}.`);
  numbered.forEach(({ number }, i) => {
    if (number !== numbered[0].number + i) {
      throw new VideoError(
        `The images of ${address} are not consecutive: number ${numbered[0].number + i} is missing before ${number}.`,
      );
    }
  });
  return numbered.map(({ name }) => join(folder, name));
}

async function write(
  files: ReadonlyMap<string, Uint8Array>,
  { overwrite }: { overwrite: boolean },
): Promise<void> {
  for (const path of files.keys()) {
    const taken = await access(path).then(
      () => true,
      () => false,
    );
    if (taken && !overwrite) {
      throw new VideoError(`${path} exists already: choose another name, or say overwrite: true.`);
    }
  }
  const written = new Map<string, string>();
  try {
    for (const [path, bytes] of files) {
      await mkdir(dirname(path), { recursive: true });
      const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
      written.set(temporary, path);
      await writeFile(temporary, bytes);
    }
    for (const [temporary, path] of written) await rename(temporary, path);
  } catch (error) {
    await Promise.all([...written.keys()].map((temporary) => rm(temporary, { force: true })));
    throw new VideoError(`Nothing was written: ${reasonOf(error)}`, { cause: error });
  }
}

let registered: Promise<void> | undefined;

function registerCodecs(): Promise<void> {
  registered ??= (async () => {
    let server: typeof import('@mediabunny/server');
    try {
      server = await import('@mediabunny/server');
    } catch (error) {
      if (isAbsent(error)) return;
      throw new VideoError(`The package @mediabunny/server is there but does not load: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    // Software codecs give the same pictures on every machine and look for no graphics driver.
    server.registerMediabunnyServer({ hardwareContext: null });
  })();
  return registered;
}

function isAbsent(error: unknown): boolean {
  return (
    (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND' &&
    reasonOf(error).includes('@mediabunny/server')
  );
}
