/** Letters that may differ: of each three, one. */
const ALLOWED = 1 / 3;

/** The name that takes the fewest changes of a letter, if those are few. */
export function nearestTo(name: string, known: Iterable<string>): string | undefined {
  const [best] = [...known].map((of) => ({ of, edits: edits(name, of) })).sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, name.length * ALLOWED) ? best.of : undefined;
}

/** `Did you mean "x"?` for a name that is none of those known; else all of them. */
export function suggestion(name: string, known: Iterable<string>): string {
  const names = [...known];
  const nearest = nearestTo(name, names);
  return nearest === undefined ? `Known: ${names.join(', ') || 'none'}.` : `Did you mean "${nearest}"?`;
}

/**
 * Refuses options that a function does not have: a misspelt one would be passed over, and its default used.
 *
 * ```ts
 * refuseUnknownOptions<RainOptions>('rain', options, { drops: true, speed: true });
 * ```
 * @param who has the options.
 * @param known an entry for each option: a constant of defaults will do.
 * @throws for what is no object of options, and for one that is not known, with the name that is nearest.
 */
export function refuseUnknownOptions<T extends object>(
  who: string,
  given: T,
  known: Readonly<Record<keyof T, unknown>>,
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new Error(`${who} takes an object of options, not ${Array.isArray(given) ? 'a list' : given}.`);
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined)
    throw new Error(`${who} has no option "${unknown}". ${suggestion(unknown, Object.keys(known))}`);
}

/**
 * Refuses a word that is none of those that an option, or a value, can be.
 *
 * @param what has it, in messages: `rain: drops`.
 */
export function refuseUnknownChoice<T extends string>(what: string, given: T, choices: readonly T[]): void {
  if (choices.includes(given)) return;
  throw new Error(`${what} is ${JSON.stringify(given)}; it must be ${choices.map((c) => `'${c}'`).join(' or ')}.`);
}

/**
 * The fewest insertions, removals, replacements and exchanges of neighbouring letters that make `b` of `a` (optimal string
 * alignment).
 */
function edits(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, k) => k)];
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const kept = row[j] + (a[i] === b[j] ? 0 : 1);
      const isExchange = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const exchanged = isExchange ? before[j - 1] + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(next[j] + 1, row[j + 1] + 1, kept, exchanged));
    }
    [before, row] = [row, next];
  }
  return row[b.length];
}
