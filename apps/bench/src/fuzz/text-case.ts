import type { Draw } from './draw.ts';
import type { Case } from './kind.ts';
import { cameOf } from './kind.ts';
import { changedText, dressed } from './mutate-text.ts';

/** A text that is known, and what reads it. */
export interface KnownText<Read> {
  /** In words: its format, and what it holds. */
  readonly of: string;
  readonly text: () => string;
  /** Reads a text. @throws for what breaks the promises of the reader, too. */
  readonly read: (text: string) => Read | Promise<Read>;
  /** True where the result is the content that the text was made of. */
  readonly isSame: (read: Read) => boolean;
}

/** A value that was spoilt, and what a refusal has to name. */
export interface Spoilt {
  readonly about: string;
  readonly names: readonly string[];
}

/** The text as it is: accepted, with what was put into it. */
export const wholeText = <R>(known: KnownText<R>, random: Draw): Case => ({
  about: `${known.of}: whole`,
  expected: 'valid',
  read: reading(known, dressed(known.text(), random)),
});

/** The text with a value that was spoilt before: refused. */
export const spoiltText = <R>(known: KnownText<R>, { about, names }: Spoilt, random: Draw): Case => ({
  about: `${known.of}: ${about}`,
  expected: 'refused',
  names,
  read: reading({ ...known, isSame: () => false }, dressed(known.text(), random)),
});

/** Case of a text with random changes, which must be accepted or refused. */
export function anyText<R>(known: KnownText<R>, random: Draw): Case {
  const { text, about } = changedText(known.text(), random);
  return { about: `${known.of}: ${about}`, expected: 'either', read: reading(known, text) };
}

/** Outcome of a text. */
export const reading =
  <R>({ read, isSame }: KnownText<R>, text: string): Case['read'] =>
  () =>
    cameOf(async () => isSame(await read(text)));
