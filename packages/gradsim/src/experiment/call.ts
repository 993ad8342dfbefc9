import { types } from 'node:util';
import { GradsimError } from '@gradsim/core';
import { describe, messageIn } from '../terminal/describe.ts';

const pending: string[] = [];

/** The function of an experiment, or the module, that a run waits for at the moment. */
export const waitingFor = (): string | undefined => pending.at(-1);

/**
 * Calls what an experiment's author wrote.
 * @param what names it in messages: ``The function `stages` of the experiment "toss"``.
 * @throws what it throws; for mistakes that JavaScript reports by itself, and for what has no message, an error that names
 * the function.
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

/** Whether an error is one that JavaScript throws by itself, which names no place. */
export const isOfJavaScript = (error: unknown): boolean =>
  types.isNativeError(error) && ['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(error.name);
