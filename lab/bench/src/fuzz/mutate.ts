import type { Draw } from './draw.ts';

/** Numbers and words that parsers often mishandle. */
const NASTY_WORDS = [
  '-1',
  '0',
  '1e9',
  '4294967296',
  '1e308',
  '-1e400',
  'NaN',
  'Infinity',
  '0x10',
  '',
  '1e-320',
  '2.5',
  'x',
  '9'.repeat(40),
];

/** Changes one or more random bytes. */
export function flipBytes(bytes: Uint8Array, random: Draw): { bytes: Uint8Array; about: string } {
  const changed = bytes.slice();
  const drawn = Array.from({ length: random.chance(0.7) ? 1 : random.whole(2, 8) }, () =>
    random.whole(0, bytes.length - 1),
  );
  // Changed twice, one may be as it was.
  const places = [...new Set(drawn)];
  for (const at of places) changed[at] ^= random.chance(0.5) ? 1 << random.whole(0, 7) : random.whole(1, 255);
  return { bytes: changed, about: `bytes ${places.join(', ')} changed` };
}

/** Truncates to a random length of at most `last` bytes. */
export function truncateBytes(
  bytes: Uint8Array,
  random: Draw,
  last = bytes.length - 1,
): { bytes: Uint8Array; about: string } {
  const length = random.whole(0, last);
  return { bytes: bytes.slice(0, length), about: `cut to ${length} of ${bytes.length} bytes` };
}

/** Replaces a word by one of {@link NASTY_WORDS}, or drops, doubles or moves a line. */
export function replaceWord(text: string, random: Draw): { text: string; about: string } {
  const lines = text.split('\n');
  const at = random.whole(0, lines.length - 1);
  const way = random.pick(['word', 'word', 'drop', 'twice', 'swap'] as const);
  if (way === 'word') {
    const words = lines[at].split(' ');
    const w = random.whole(0, words.length - 1);
    const word = random.pick(NASTY_WORDS);
    words[w] = word;
    lines[at] = words.join(' ');
    return { text: lines.join('\n'), about: `line ${at + 1}: word ${w + 1} is "${word.slice(0, 20)}"` };
  }
  if (way === 'drop') lines.splice(at, 1);
  else if (way === 'twice') lines.splice(at, 0, lines[at]);
  else [lines[at], lines[0]] = [lines[0], lines[at]];
  return { text: lines.join('\n'), about: `line ${at + 1}: ${way}` };
}

const REPLACEMENT_VALUES: readonly unknown[] = [
  ...[-1, 0, 1, 2, 3, 5, 6, 0.5, 1e6, 1e8, 1e9, 2 ** 31, 1e308],
  ...[null, true, 'x', 'VEC2', 'VEC3', 'MAT4', 5121, 5126, [], {}, [null], [0], [1e6], { sparse: {} }],
];

/** Changes or removes one to three random values of a JSON file. */
export function mutateJson(json: unknown, random: Draw): { json: unknown; about: string } {
  const changed = structuredClone(json);
  const changes = Array.from({ length: random.whole(1, 3) }, () => restructure(changed, random));
  return { json: changed, about: changes.join(', ') };
}

function restructure(json: unknown, random: Draw): string {
  const places: { holder: Record<string, unknown>; key: string; path: string }[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      // The data itself is for flips.
      if (key === 'uri') continue;
      const holder = value as Record<string, unknown>;
      places.push({ holder, key, path: `${path}.${key}` });
      visit(holder[key], `${path}.${key}`);
    }
  };
  visit(json, '');
  if (places.length === 0) return 'nothing';
  const { holder, key, path } = random.pick(places);
  if (random.chance(0.3)) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
    return `${path} left out`;
  }
  const value = structuredClone(random.pick(REPLACEMENT_VALUES));
  holder[key] = value;
  return `${path} is ${JSON.stringify(value)}`;
}

/** Values that are not finite numbers in single precision. */
export const NO_NUMBERS: readonly unknown[] = [
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e39, -1e39, 1e308, 'x', '1', null, {}],
];

/**
 * Misspells a name: a letter is dropped, doubled, changed or moved, or all are upper case. The result is none of the
 * known names.
 */
export function misspellName(name: string, random: Draw, known: readonly string[]): string {
  for (;;) {
    const at = random.whole(0, name.length - 1);
    const [before, letter, after] = [name.slice(0, at), name[at], name.slice(at + 1)];
    const wrong = random.pick([
      before + after,
      before + letter + letter + after,
      `${before}q${after}`,
      before + after.slice(0, 1) + letter + after.slice(1),
      name.toUpperCase(),
    ]);
    if (wrong.length > 0 && wrong !== name && !known.includes(wrong)) return wrong;
  }
}
