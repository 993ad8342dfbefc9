import { describe } from './terminal/describe.ts';

/** Rule for a value: returns a description of what the value must be, or undefined if it is valid. */
export type Rule = (value: unknown) => string | undefined;

export const rule =
  (must: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : `is ${describe(value)}, and must be ${must}`;

export const text = rule('a text that is not empty', (value) => typeof value === 'string' && value !== '');
export const whole = (least: number): Rule =>
  rule(`a whole number of at least ${least}`, (value) => Number.isSafeInteger(value) && (value as number) >= least);
export const oneOf = (...words: unknown[]): Rule => rule(words.join(' or '), (value) => words.includes(value));
export const optional =
  (inner: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : inner(value);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Rule for an object that has valid values for these keys and, unless it is `open`, no other keys. */
export const object =
  (rules: Readonly<Record<string, Rule>>, open = false): Rule =>
  (value) => {
    if (!isRecord(value)) return `is ${describe(value)}, and must be an object`;
    for (const key of new Set([...Object.keys(rules), ...(open ? [] : Object.keys(value))])) {
      if (!Object.hasOwn(rules, key)) return `has "${key}", which is not known`;
      const problem = rules[key](value[key]);
      if (problem !== undefined) return joined(key, problem);
    }
    return undefined;
  };

const each =
  (entriesOf: (value: unknown) => [string, unknown][] | undefined, must: string, inner: Rule): Rule =>
  (value) => {
    const entries = entriesOf(value);
    if (!entries) return `is ${describe(value)}, and must be ${must}`;
    for (const [key, entry] of entries) {
      const problem = inner(entry);
      if (problem !== undefined) return joined(key, problem);
    }
    return undefined;
  };
export const list = (inner: Rule): Rule =>
  each((value) => (Array.isArray(value) ? Object.entries(value) : undefined), 'a list', inner);
export const record = (inner: Rule): Rule =>
  each((value) => (isRecord(value) ? Object.entries(value) : undefined), 'an object', inner);

/**
 * Prefixes a problem with the path of the part that it concerns: `request` and `seed is -1, ...` give `request.seed is
 * -1, ...`.
 */
const joined = (key: string, problem: string): string =>
  /^(is|has) /.test(problem) ? `${key} ${problem}` : `${key}.${problem}`;

export const anyText = rule('a text', (value) => typeof value === 'string');
export const number = rule('a number', Number.isFinite);
export const notNegative = rule('a number of at least 0', (value) => Number.isFinite(value) && (value as number) >= 0);

/** Maximum depth of lists and objects in each other, in settings and results. */
export const DEEPEST = 100;

/** True if lists and objects in a value are more than {@link DEEPEST} deep in each other, or hold themselves. */
export function isTooDeep(value: unknown): boolean {
  const isObject = (each: unknown): each is object => typeof each === 'object' && each !== null;
  let level: ReadonlySet<object> = new Set([value].filter(isObject));
  for (let depth = 0; depth <= DEEPEST && level.size > 0; depth++) {
    const below = new Set<object>();
    for (const each of level) for (const inner of Object.values(each)) if (isObject(inner)) below.add(inner);
    level = below;
  }
  return level.size > 0;
}

/** Rule for a value that was read from JSON. */
export const json = rule(
  `there, with lists and objects at most ${DEEPEST} deep in each other`,
  (value) => value !== undefined && !isTooDeep(value),
);

/** Describes how a value violates a rule, with the path of the wrong part; undefined if it does not. */
export function problemOf(value: unknown, rule: Rule): string | undefined {
  const problem = rule(value);
  return problem !== undefined && /^(is|has) /.test(problem) ? `it ${problem}` : problem;
}
