import { inspect, types } from 'node:util';

/** Maximum length of a described value, characters. */
const MAX_LENGTH = 80;

/**
 * Short description of any value for messages. Runs no code of a value that is not an error: neither getters nor
 * `inspect.custom`.
 */
export function describe(value: unknown): string {
  if (types.isNativeError(value)) {
    const message = messageIn(value);
    return message === undefined ? 'an error without a message' : `the error "${message.slice(0, MAX_LENGTH)}"`;
  }
  const text = inspect(value, {
    depth: 0,
    customInspect: false,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: 3,
    maxStringLength: 40,
  }).replace(/\s+/g, ' ');
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text;
}

/** Message of a thrown value; undefined if it has none, since any value can be thrown. */
export function messageIn(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined;
  try {
    const { message } = thrown as { message?: unknown };
    return typeof message === 'string' && message.trim() !== '' ? message : undefined;
  } catch {
    // The message is a getter that throws.
    return undefined;
  }
}

/** Sentence that describes a thrown value. */
export const messageOf = (thrown: unknown): string =>
  messageIn(thrown) ??
  `Something failed with ${describe(thrown)} in place of a message. Add --debug to see where in the code.`;
