import { inspect } from 'node:util';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { messageOf } from './describe.ts';
import type { Terminal } from './terminal.ts';

/** Converts any thrown value to an error with a code: its own, or `gradsim/unexpected`. */
const coded = (thrown: unknown): GradsimError =>
  isGradsimError(thrown) ? thrown : new GradsimError('gradsim/unexpected', messageOf(thrown), { cause: thrown });

/**
 * Prints the error that ended a command on standard error: the message, with the code of gradsim's own errors in
 * brackets, or with `--debug` the whole error; with `--json` also one line `{ "error": { "code", "message", "where",
 * ... } }` on standard output.
 */
export function reportError(thrown: unknown, args: readonly string[], { print, say }: Terminal): void {
  const error = coded(thrown);
  // For an error thrown by other code, such as an experiment, only the message is printed.
  const said = error === thrown ? `${error.message} [${error.code}]` : error.message;
  say(args.includes('--debug') ? inspect(thrown) : said);
  if (args.includes('--json')) print(JSON.stringify({ error }));
}
