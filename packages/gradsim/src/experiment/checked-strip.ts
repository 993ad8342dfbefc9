import { GradsimError } from '@gradsim/core';
import type { Strip } from '@gradsim/optim';
import { describe } from '../terminal/describe.ts';
import { callExperiment } from './call.ts';

/** A strip (target and estimate pictures of a stage) whose pictures are validated as they are read. */
export interface CheckedStrip extends Strip {
  readonly target: (k: number) => Promise<Float32Array>;
  readonly estimate: (k: number) => Promise<Float32Array>;
}

const PARTS = '{ width, height, frames, target, estimate }';

/**
 * Validates the strip of pictures for a report.
 * @param who the strip's name in messages.
 * @throws for an invalid strip; when a picture is read, if its function fails or its size differs from the strip's.
 */
export function checkedStrip(strip: unknown, who: string): CheckedStrip {
  if (typeof strip !== 'object' || strip === null)
    throw new GradsimError(
      'gradsim/experiment-wrong',
      `${who} is ${strip === undefined ? 'nothing' : describe(strip)}.`,
      {
        hint: `It must be pictures: ${PARTS}.`,
      },
    );
  const { width, height, frames, target, estimate } = strip as Record<keyof Strip, unknown>;
  if (!isSize(width))
    throw new GradsimError('gradsim/experiment-wrong', `${who} has the width ${describe(width)}; ${SIZE}`);
  if (!isSize(height))
    throw new GradsimError('gradsim/experiment-wrong', `${who} has the height ${describe(height)}; ${SIZE}`);
  if (!Array.isArray(frames) || !Array.from(frames).every(isNextFrame))
    throw new GradsimError('gradsim/experiment-wrong', `${who} has the frames ${describe(frames)}.`, {
      hint: "They must be numbers of the problem's frames, ascending.",
    });
  const needed = 3 * width * height;
  const pictures = (name: string, read: unknown): CheckedStrip['target'] => {
    if (typeof read !== 'function')
      throw new GradsimError('gradsim/experiment-wrong', `${who} has the ${name} ${describe(read)}.`, {
        hint: 'It must be a function that returns the picture of a frame.',
      });
    return async (k) => {
      const picture: unknown = await callExperiment(`${who}: its function \`${name}\``, () => read(k));
      const which = `the picture ${k} of its ${name}`;
      if (!(picture instanceof Float32Array))
        throw new GradsimError('gradsim/experiment-wrong', `${who} has ${which} ${describe(picture)}.`, {
          hint: 'It must be a Float32Array, [y][x][channel].',
        });
      if (picture.length !== needed)
        throw new GradsimError(
          'gradsim/experiment-wrong',
          `${who} has ${picture.length} values in ${which}, but ${width} x ${height} pixels with 3 channels have ${needed}.`,
        );
      return picture;
    };
  };
  return { width, height, frames, target: pictures('target', target), estimate: pictures('estimate', estimate) };
}

const SIZE = 'it must be a whole number of at least 1.';
const isSize = (size: unknown): size is number => Number.isSafeInteger(size) && (size as number) > 0;

const isNextFrame = (frame: unknown, k: number, frames: readonly unknown[]): boolean =>
  Number.isSafeInteger(frame) && (frame as number) >= 0 && (k === 0 || (frame as number) > (frames[k - 1] as number));
