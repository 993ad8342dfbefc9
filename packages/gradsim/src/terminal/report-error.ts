import { inspect } from 'node:util';
import { GradsimError, isGradsimError } from '@gradsim/core';
import { messageOf } from './describe.ts';
import type { Terminal } from './terminal.ts';

/** Converts any thrown value to an error with a code: its own, or `gradsim/unexpected`. */
const coded = (thrown: unknown): GradsimError =>
  isGradsimError(thrown) ? thrown : new GradsimError('gradsim/unexpected', messageOf(thrown), { cause: thrown });

/**
 * Reports the error that ended a command on standard error, as message and code, or with `--debug` the whole error;
 * with `--json` also one line `{ "error": { "code", "message", "where", ... } }` on standard output.
 */
export function reportError(thrown: unknown, args: readonly string[], { print, say }: Terminal): void {
  const error = coded(thrown);
  // Of another's error, an experiment's say, the message is all.
  const said = error === thrown ? `${error.message} [${error.code}]` : error.message;
  say(args.includes('--debug') ? inspect(thrown) : said);
  if (args.includes('--json')) print(JSON.stringify({ error }));
}
