import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FreeFlight, Poses } from '@gradsim/recordings/poses';
import { readPoses, startOfFreeFlight } from '@gradsim/recordings/poses';
import { GRAVITY } from './cube.ts';

/** Reads a table of poses, by default the sample's, and finds the free flight before the first contact. */
export async function readToss(poses?: string): Promise<{ readonly toss: Poses; readonly flight: FreeFlight }> {
  const path = poses ?? fileURLToPath(new URL('../../sample/cube-toss.csv', import.meta.url));
  const [toss] = readPoses(await readFile(path, 'utf8'), { name: path });
  return { toss, flight: startOfFreeFlight(toss, { gravity: GRAVITY }) };
}
