import { types } from 'node:util';
import { GradsimError } from '@gradsim/core';
import { describe, messageIn } from '../terminal/describe.ts';

const pending: string[] = [];

/** Name of the function of an experiment, or of the module, whose promise the run is awaiting. */
export const waitingFor = (): string | undefined => pending.at(-1);

/**
 * Calls a function that an experiment's author has written.
 * @param what the function's name in messages: ``The function `stages` of the experiment "toss"``.
 * @throws the function's own errors; an error that names the function for errors thrown by JavaScript itself, and for
 * thrown values without a message.
 */
export async function callExperiment<T>(what: string, call: () => T | Promise<T>): Promise<T> {
  pending.push(what);
  try {
    return await call();
  } catch (thrown) {
    const message = messageIn(thrown);
    if (message === undefined)
      throw new GradsimError('gradsim/experiment-failed', `${what} threw ${describe(thrown)}.`, {
        hint: 'Add --debug to see where in the code.',
        cause: thrown,
      });
    if (!isOfJavaScript(thrown)) throw thrown;
    throw new GradsimError('gradsim/experiment-failed', `${what} failed: ${message.replace(/\.$/, '')}.`, {
      hint: 'Add --debug to see where in the code.',
      cause: thrown,
    });
  } finally {
    pending.splice(pending.lastIndexOf(what), 1);
  }
}

/** True for an error class that JavaScript itself throws, such as TypeError, whose message names no place. */
export const isOfJavaScript = (error: unknown): boolean =>
  types.isNativeError(error) && ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(error.name);
