import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Poses } from '@gradsim/recordings/poses';

/** A recorded toss as stored in its file: quaternions are (w, x, y, z). */
interface Recorded {
  readonly rate_hz: number;
  readonly position_m: readonly (readonly number[])[];
  readonly orientation_wxyz: readonly (readonly number[])[];
}

/** A recording of one rate. */
export type Toss = Poses & { readonly frameRate: number };

/** Reads all tosses of a folder, sorted by file name. @throws if there are none. */
export async function readTosses(folder: string): Promise<Toss[]> {
  const names = await readdir(folder).catch(() => {
    throw new Error(`There is no folder ${folder}: give that of the cube tosses, --data FOLDER.`);
  });
  const files = names.filter((name) => name.startsWith('toss-') && name.endsWith('.json')).sort();
  if (files.length === 0) throw new Error(`There are no files toss-*.json in ${folder}.`);
  return Promise.all(
    files.map(async (file): Promise<Toss> => {
      const { rate_hz, position_m, orientation_wxyz }: Recorded = JSON.parse(
        await readFile(join(folder, file), 'utf8'),
      );
      const poses = position_m.map((position, f) => {
        const [w, x, y, z] = orientation_wxyz[f];
        return { position, orientation: [x, y, z, w] };
      });
      return { name: file.replace('.json', ''), frameRate: rate_hz, poses };
    }),
  );
}
