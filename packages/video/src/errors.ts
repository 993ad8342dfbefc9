/** Returns the message of any thrown value, so that it can be quoted. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Messages by which a library reports that a file contradicts its own assumptions, which say nothing about the file. */
const INTERNAL_ERROR = /internal error|assertion failed|Tried reading|is not a function|Cannot read prop|undefined/i;
/** Words that browsers put before the reason of a failed call. */
const CALL_PREFIX = /^Failed to execute '\w+' on '\w+': /;

/** Returns the reason for which a file or a frame cannot be read, as a sentence of a message. */
export function damageReason(error: unknown): string {
  const reason = reasonOf(error).replace(CALL_PREFIX, '');
  return INTERNAL_ERROR.test(reason) ? 'its parts contradict each other.' : reason;
}
