import type { Strip } from '@gradsim/optim';
import { describe } from '../terminal/describe.ts';

const PARTS = '{ width, height, frames, target, estimate }';

/**
 * Checks pictures for a report.
 * @param who names them in messages.
 * @throws where they are none, or their arrays are not what their size and frames say.
 */
export function checkStrip(strip: unknown, who = 'The strip'): asserts strip is Strip {
  if (typeof strip !== 'object' || strip === null)
    throw new Error(`${who} is ${strip === undefined ? 'nothing' : describe(strip)}; it must be pictures: ${PARTS}.`);
  const { width, height, frames, target, estimate } = strip as Record<keyof Strip, unknown>;
  for (const [name, size] of Object.entries({ width, height }))
    if (!(Number.isSafeInteger(size) && (size as number) > 0))
      throw new Error(`${who} has the ${name} ${describe(size)}; it must be a whole number of at least 1.`);
  if (!Array.isArray(frames) || !Array.from(frames).every(isNextFrame))
    throw new Error(
      `${who} has the frames ${describe(frames)}; they must be numbers of the problem's frames, ascending.`,
    );
  const needed = 3 * (width as number) * (height as number) * frames.length;
  for (const [name, data] of Object.entries({ target, estimate })) {
    if (!(data instanceof Float32Array))
      throw new Error(`${who} has the ${name} ${describe(data)}; it must be a Float32Array, [frame][y][x][channel].`);
    if (data.length !== needed)
      throw new Error(
        `${who} has ${data.length} values in its ${name}, but ${frames.length} frames of ${width} x ${height} with 3 channels have ${needed}.`,
      );
  }
}

const isNextFrame = (frame: unknown, k: number, frames: readonly unknown[]): boolean =>
  Number.isSafeInteger(frame) && (frame as number) >= 0 && (k === 0 || (frame as number) > (frames[k - 1] as number));
