import type { Draw } from './draw.ts';
import { replaceWord } from './mutate.ts';

/** A randomly changed text, damaged as by a person, a program or a disk, and a description of the change. */
export interface ChangedText {
  readonly text: string;
  readonly about: string;
}

/** Pieces of text that parsers may take long for when many of them stand in the middle of a file. */
const REPEATED = [
  ...['\n', ' ', '(', '[', '{', '"', "'", '-', '<', '<a>', '&a ', '*a ', '1', 'x', 'a: ', '- ', ','],
  ...['<body>', "<body name='/>'>", '<!--', '<![CDATA[', '&amp;', '\t', '#', ': ', '!!', '%', '\u0000', '\uFEFF'],
];
/** Maximum number of repetitions of an inserted piece of text. */
const MAX_REPEATS = 20_000;

/**
 * Randomly changes a text: truncates it, rewrites a part, or inserts many repetitions of one piece. The result may
 * still be valid, and must be read quickly.
 */
export function changedText(text: string, random: Draw): ChangedText {
  const way = random.pick(['cut', 'word', 'word', 'word', 'repeat', 'swap'] as const);
  const at = random.whole(0, text.length - 1);
  if (way === 'cut') return { text: text.slice(0, at), about: `cut after ${at} characters` };
  if (way === 'word') return replaceWord(text, random);
  if (way === 'swap') {
    const other = random.whole(0, text.length - 1);
    const [a, b] = [Math.min(at, other), Math.max(at, other)];
    return { text: text.slice(0, a) + text.slice(b), about: `characters ${a} to ${b} left out` };
  }
  const [piece, times] = [random.pick(REPEATED), random.whole(2, MAX_REPEATS)];
  return {
    text: text.slice(0, at) + piece.repeat(times) + text.slice(at),
    about: `${JSON.stringify(piece)} ${times} times at ${at}`,
  };
}

/** Writes a text with random line ends (LF or CRLF) and with or without a byte order mark. */
export function withRandomLineEnds(text: string, random: Draw): string {
  const lines = random.chance(0.3) ? text.replaceAll('\n', '\r\n') : text;
  return random.chance(0.3) ? `\uFEFF${lines}` : lines;
}
