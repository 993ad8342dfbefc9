import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { GradsimError } from '@gradsim/base';
import { isFile } from '@gradsim/base/files';
import { hashOfFile } from '../../files/hash-of-file.ts';

/** A file as settings of a trial. They include a hash of its content, so that changed content makes another trial. */
export interface FileSettings {
  readonly file: string;
  readonly sha256: string;
}

/**
 * Files of a folder, in the order of their names, as settings.
 *
 * ```ts
 * trials: () => filesOf('clips', ['.mp4', '.mov']),
 * ```
 * @param endings file name extensions in lower case, with dot; all files without.
 * @throws where the folder has no such file.
 */
export async function* filesOf(folder: string, endings?: readonly string[]): AsyncGenerator<FileSettings> {
  // Links are followed, as those of the folder itself are.
  const names = readdirSync(folder)
    .filter((name) => endings?.includes(extname(name).toLowerCase()) ?? true)
    .filter((name) => isFile(join(folder, name)))
    .sort();
  if (names.length === 0)
    throw new GradsimError(
      'study/no-files',
      `The folder ${folder} has no file${endings ? ` that ends in ${endings.join(', ')}` : ''}.`,
    );
  for (const name of names) {
    const file = join(folder, name);
    yield { file, sha256: await hashOfFile(file) };
  }
}
