import type { Draw } from './draw.ts';
import type { Case } from './kind.ts';
import { outcomeOf } from './kind.ts';
import { changedText, withRandomLineEnds } from './mutate-text.ts';

/** A text with known content, and the function that reads it. */
export interface KnownText<Read> {
  /** Description: format and content. */
  readonly description: string;
  readonly text: () => string;
  /** Reads a text. @throws also if the result violates what the reader guarantees. */
  readonly read: (text: string) => Read | Promise<Read>;
  /** True if the result equals the content that the text was written from. */
  readonly isSame: (read: Read) => boolean;
}

/** Description of an invalid value, and the words that the refusal must contain. */
export interface SpoiltValue {
  readonly about: string;
  readonly names: readonly string[];
}

/** Case of the unchanged text, which must be accepted with its original content. */
export const wholeText = <R>(known: KnownText<R>, random: Draw): Case => ({
  about: `${known.description}: whole`,
  expected: 'valid',
  read: reading(known, withRandomLineEnds(known.text(), random)),
});

/** Case of a text with an invalid value already in it, which must be refused. */
export const spoiltText = <R>(known: KnownText<R>, { about, names }: SpoiltValue, random: Draw): Case => ({
  about: `${known.description}: ${about}`,
  expected: 'refused',
  names,
  read: reading({ ...known, isSame: () => false }, withRandomLineEnds(known.text(), random)),
});

/** Case of a text with random changes, which must be accepted or refused. */
export function anyText<R>(known: KnownText<R>, random: Draw): Case {
  const { text, about } = changedText(known.text(), random);
  return { about: `${known.description}: ${about}`, expected: 'either', read: reading(known, text) };
}

/** Returns a function that reads a text and classifies the outcome. */
export const reading =
  <R>({ read, isSame }: KnownText<R>, text: string): Case['read'] =>
  () =>
    outcomeOf(async () => isSame(await read(text)));
