import { isGradsimError } from '@gradsim/core';

/** Error as shown in the page: a sentence, and what to do. */
export interface ErrorSentence {
  readonly message: string;
  readonly hint?: string;
}

/** Advice for options of the command line, which a page has under other names. */
const OF_THE_COMMAND = /--\w|gradsim (?:look|new|calibrate)|readFilm|frameRate/;

/** Sentence for an error, with its hint where that holds in the page too. */
export function sentenceOf(error: unknown): ErrorSentence {
  // A browser has no other programs.
  const whole = (error instanceof Error ? error.message : String(error)).replace(
    /, and with the program ffmpeg [^.]*/,
    '',
  );
  const hint = isGradsimError(error) ? error.hint : undefined;
  if (hint === undefined) return { message: whole };
  // The message of an error may end with its hint.
  const message = whole.endsWith(hint) ? whole.slice(0, -hint.length).trimEnd() : whole;
  return { message, ...(OF_THE_COMMAND.test(hint) ? {} : { hint }) };
}
