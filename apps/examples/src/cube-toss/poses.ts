import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { FreeFlight, Poses } from '@gradsim/poses';
import { readPoses, startOfFreeFlight } from '@gradsim/poses';
import { GRAVITY } from './cube.ts';

/** The toss of a table, default the sample's, and how it flies before it touches anything. */
export async function readToss(poses?: string): Promise<{ readonly toss: Poses; readonly flight: FreeFlight }> {
  const path = poses ?? fileURLToPath(new URL('../../sample/cube-toss.csv', import.meta.url));
  const [toss] = readPoses(await readFile(path, 'utf8'), { name: path });
  return { toss, flight: startOfFreeFlight(toss, { gravity: GRAVITY }) };
}
