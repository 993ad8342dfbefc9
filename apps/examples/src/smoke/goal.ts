import type { StopSignal } from '@gradsim/core';
import { readFrames } from '@gradsim/video';

/** Target of the smoke: its density in each cell, row by row. */
export interface Goal {
  readonly rows: number;
  readonly columns: number;
  readonly density: Float64Array;
}

/** The first picture of a file, its brightness as density. */
export async function goalFrom(file: string, signal?: StopSignal): Promise<Goal> {
  const { width, height, data } = await readFrames(file, { channels: 1, frameRate: 1, last: 0, signal });
  return { rows: height, columns: width, density: Float64Array.from(data.subarray(0, width * height)) };
}

/** A ring, with an edge two cells wide. */
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
