import { describeValue } from './described.ts';
import { GradsimError } from './error.ts';

/** Maximum number of edits between an unknown name and a suggestion, as a fraction of the unknown name's length. */
const MAX_DIFFERENCE = 1 / 3;

/** Returns the known name with the fewest edits: at most one, or a third of the name's length; else undefined. */
export function nearestTo(name: string, knownNames: Iterable<string>): string | undefined {
  const [best] = [...knownNames].map((of) => ({ of, edits: editDistance(name, of) })).sort((a, b) => a.edits - b.edits);
  return best && best.edits <= Math.max(1, name.length * MAX_DIFFERENCE) ? best.of : undefined;
}

/** Returns `Did you mean "x"?` for an unknown name, or else the list of all known ones. */
export function suggestion(name: string, knownNames: Iterable<string>): string {
  const names = [...knownNames];
  const nearest = nearestTo(name, names);
  return nearest === undefined ? `Known: ${names.join(', ') || 'none'}.` : `Did you mean "${nearest}"?`;
}

/**
 * Refuses unknown options: a misspelt one would be ignored, and its default used.
 *
 * ```ts
 * refuseUnknownOptions<RainOptions>('rain', options, { drops: true, speed: true });
 * ```
 * @param caller name of the function, for messages.
 * @param knownOptions an object with a key for each option: a constant of defaults will do.
 * @throws if `options` is not an object, for an unknown option, with the nearest known name, and for a value that no option
 * can have: a symbol or a BigInt.
 */
export function refuseUnknownOptions<T extends object>(
  caller: string,
  options: T,
  knownOptions: Readonly<Record<keyof T, unknown>>,
): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new GradsimError(
      'base/options-not-by-name',
      `${caller} takes an object of options, not ${Array.isArray(options) ? 'a list' : describeValue(options)}.`,
    );
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(knownOptions, name));
  if (unknown !== undefined)
    throw new GradsimError(
      'base/unknown-option',
      `${caller} has no option "${unknown}". ${suggestion(unknown, Object.keys(knownOptions))}`,
    );
  const odd = Object.entries(options).find(([, value]) => typeof value === 'symbol' || typeof value === 'bigint');
  if (odd !== undefined)
    throw new GradsimError(
      'base/wrong-type',
      `${caller}: ${odd[0]} is ${describeValue(odd[1])}, and must be of another type: no option is a symbol or a BigInt.`,
      {
        field: odd[0],
      },
    );
}

/**
 * Refuses a value that is not one of the choices of an option.
 *
 * @param label name of the option in messages: `rain: drops`.
 */
export function refuseUnknownChoice<T extends string>(label: string, choice: T, choices: readonly T[]): void {
  if (choices.includes(choice)) return;
  throw new GradsimError('base/unknown-choice', `${label} is ${describeValue(choice)}.`, {
    hint: `It must be ${choices.map((c) => `'${c}'`).join(' or ')}.`,
  });
}

/**
 * Counts the insertions, deletions, replacements and swaps of neighbouring letters that turn `a` into `b` (optimal
 * string alignment distance).
 */
function editDistance(a: string, b: string): number {
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

/**
 * Refuses a value of another type than a function can do with.
 *
 * ```ts
 * refuseWrongType('rain: drops', drops, 'a list of entities', Array.isArray(drops));
 * ```
 * @param label name of the option in messages.
 * @param requirement what the value must be.
 * @param isMet whether it is.
 */
export function refuseWrongType(label: string, value: unknown, requirement: string, isMet: boolean): void {
  if (isMet) return;
  throw new GradsimError('base/wrong-type', `${label} is ${describeValue(value)}, and must be ${requirement}.`, {
    field: label.slice(label.lastIndexOf(' ') + 1),
  });
}
