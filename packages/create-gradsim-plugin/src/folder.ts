import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** @throws where a new folder cannot be made, or holds something already. */
export function checkFolder(folder: string): void {
  if (existsSync(folder)) {
    refuseFile(folder);
    const [first] = readdirSync(folder);
    if (first !== undefined)
      throw new Error(
        `The folder ${folder} is there already and holds ${first}; choose another with --folder, or empty it.`,
      );
  }
  const nearest = existing(folder);
  refuseFile(nearest);
  try {
    accessSync(nearest, constants.W_OK);
  } catch {
    throw new Error(`Nothing can be written in ${nearest}; choose another folder with --folder.`);
  }
}

function refuseFile(path: string): void {
  if (!statSync(path).isDirectory())
    throw new Error(`${path} is a file; choose another folder with --folder, or move it away.`);
}

/** The folder, or the nearest one upwards that is there. */
const existing = (folder: string): string => (existsSync(folder) ? folder : existing(dirname(folder)));
