import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws where a new folder cannot be made, or holds something already. */
export function checkFolder(folder: string): void {
  const nearest = existing(folder);
  if (!statSync(nearest).isDirectory())
    throw new Error(`${nearest} is a file; choose another folder with --folder, or move it away.`);
  const [first] = nearest === folder ? readdirSync(folder) : [];
  if (first !== undefined)
    throw new Error(
      `The folder ${folder} is there already and holds ${first}; choose another with --folder, or empty it.`,
    );
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw new Error(`Nothing can be written in ${nearest}; choose another folder with --folder.`);
  }
}

/** Returns the folder, or its nearest existing parent. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));
