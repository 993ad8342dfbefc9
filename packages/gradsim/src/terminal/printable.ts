import type { Terminal } from './terminal.ts';

/** Control characters, and characters that change the direction of text or break lines. */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/**
 * Makes text safe for a terminal: names of files and stages, and messages of other programs, can contain sequences that
 * move its cursor or rename its window. Control characters are written as `\u001b`, which means the same character in
 * JSON; line breaks and tabs stay.
 */
export const printable = (text: string): string =>
  text.replace(CONTROLS, (character) =>
    character === '\n' || character === '\t'
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** A terminal that applies {@link printable} to its lines. */
export const printableTerminal = (terminal: Terminal): Terminal => ({
  ...terminal,
  print: (line) => terminal.print(printable(line)),
  say: (line) => terminal.say(printable(line)),
});
