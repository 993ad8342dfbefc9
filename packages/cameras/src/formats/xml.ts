import { GradsimError } from '@gradsim/base';
import type { Entries } from './matrices.ts';
import { numberOf } from './number.ts';
import { DOMParser } from './xml-library.ts';

/** Parses OpenCV's XML: elements of the root, matrices with their numbers in `data`. @throws for invalid XML. */
export function xmlMatrices(text: string, what: string): Entries {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    throw new GradsimError(
      'cameras/file-invalid',
      `${what}: a document type is refused, since its entities could expand without end.`,
      { hint: 'Remove <!DOCTYPE ...>.' },
    );
  const root = rootOf(text, what);
  // An element may have the name of any property.
  const entries: Record<string, unknown> = Object.create(null);
  for (const child of Array.from(root?.childNodes ?? [])) {
    if (child.nodeType !== 1) continue;
    const data = Array.from(child.childNodes).find((inner) => inner.nodeName === 'data');
    const own = (data ?? child).textContent?.trim() ?? '';
    const words = own === '' ? [] : own.split(/\s+/);
    if (data) entries[child.nodeName] = { data: words };
    else
      entries[child.nodeName] =
        words.length > 1 && words.every((word) => Number.isFinite(numberOf(word))) ? words : own;
  }
  return entries;
}

/**
 * Returns the root element of a document. The parser hides errors thrown by its error callback, which only end parsing;
 * the message is kept here.
 */
function rootOf(text: string, what: string) {
  let problem: string | undefined;
  const onError = (_: unknown, message: unknown): never => {
    problem ??= String(message).split('\n')[0];
    throw new Error(problem);
  };
  try {
    return new DOMParser({ onError }).parseFromString(text, 'application/xml').documentElement;
  } catch (cause) {
    throw new GradsimError('cameras/file-invalid', `${what} is no well-formed XML: ${problem ?? String(cause)}`, {
      cause,
    });
  }
}
