import { randomBytes } from 'node:crypto';
import { readTextSync } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import type { RunFolder } from '../run/folder.ts';
import { object, problemOf, text } from '../shape.ts';

/** File with the id under which a folder's trials are queued. */
const FILE = 'queue.json';

/**
 * Id of the sweep in a folder: constant when the sweep is started again, on any machine. @throws if its file is
 * damaged.
 */
export function sweepIdIn(folder: RunFolder): string {
  if (!folder.has(FILE)) {
    const sweep = randomBytes(6).toString('hex');
    folder.write(FILE, `${JSON.stringify({ sweep })}\n`);
    return sweep;
  }
  let read: unknown;
  try {
    read = JSON.parse(readTextSync(folder.join(FILE)));
  } catch {
    read = undefined;
  }
  const problem = problemOf(read, object({ sweep: text }));
  if (problem === undefined) return (read as { sweep: string }).sweep;
  throw new GradsimError('gradsim/study-damaged', `${folder.join(FILE)} is damaged: it ${problem}.`, {
    hint: 'Remove it: trials without a result are queued anew.',
  });
}
