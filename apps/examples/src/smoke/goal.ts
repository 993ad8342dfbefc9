import type { StopSignal } from '@gradsim/core';
import { readFrames } from '@gradsim/video';

/** Target density of the smoke in each cell, row by row from the top. */
export interface Goal {
  readonly rows: number;
  readonly columns: number;
  readonly density: Float64Array;
}

/** Reads a goal from the first picture of a file: its brightness is the density. */
export async function goalFrom(file: string, signal?: StopSignal): Promise<Goal> {
  const { width, height, data } = await readFrames(file, { channels: 1, frameRate: 1, last: 0, signal });
  return { rows: height, columns: width, density: Float64Array.from(data.subarray(0, width * height)) };
}

/** Goal with density 1 in a ring whose edges are two cells wide, and 0 elsewhere. */
export function ringGoal(size: number): Goal {
  const [outer, inner] = [0.36 * size, 0.22 * size];
  const density = Float64Array.from({ length: size * size }, (_, k) => {
    const middle = (size - 1) / 2;
    const radius = Math.hypot(Math.floor(k / size) - middle, (k % size) - middle);
    const part = (x: number): number => Math.min(Math.max(0.5 + x / 2, 0), 1);
    return part(outer - radius) * part(radius - inner);
  });
  return { rows: size, columns: size, density };
}
