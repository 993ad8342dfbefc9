import { GradsimError } from '@gradsim/core';

/** Contents of the file of a reference case. */
export type CaseContent = Readonly<Record<string, unknown>>;

/** Requirements on an entry of a reference case. */
export interface Field {
  /** @throws for a value of another shape, naming the entry by its path in the file. */
  readonly require: (path: string, value: unknown, sizes: Sizes) => void;
  /** Returns whether a valid value requests something that gradsim does not compute. */
  readonly isOther?: (value: unknown) => boolean;
  readonly optional?: boolean;
  /** True if `expected.gradient` may have the derivative with respect to this entry, under the same name. */
  readonly isParameter?: boolean;
}

/** All entries that a kind of case may have, by path; entries that define a size come before those that use it. */
export type Fields = Readonly<Record<string, Field>>;

/** Sizes by name, such as `particles`; the first array or number that has one defines it. */
type Sizes = Map<string, number>;

/** Requires a finite number. */
export const number: Field = { require: (path, value) => requireNumber(path, value) };

/** Requires a finite number above 0. */
export const positive: Field = {
  require: (path, value) => {
    if (!isNumber(value) || value <= 0) refuse(path, 'a positive number', value);
  },
};

/** Requires a positive integer, which becomes the size of each of `names`. */
export const count = (...names: readonly string[]): Field => ({
  require: (path, value, sizes) => {
    if (!isNumber(value) || !Number.isInteger(value) || value < 1) refuse(path, 'a whole number from 1 on', value);
    for (const name of names) sizes.set(name, value);
  },
});

/** Requires a positive integer, or null if there is no such number. */
export const countOrNull: Field = {
  require: (path, value, sizes) => {
    if (value !== null) count().require(path, value, sizes);
  },
};

/** Requires finite numbers in an array, or nested arrays, with these dimensions. */
export const array = (...dimensions: readonly (number | string)[]): Field => ({
  require: (path, value, sizes) => requireArray(path, value, dimensions, sizes, requireNumber),
});

/** Requires an array of integers, each an index into `target`, counted from 0. */
export const indices = (target: string, ...dimensions: readonly (number | string)[]): Field => ({
  require: (path, value, sizes) =>
    requireArray(path, value, dimensions, sizes, (at, index) => {
      requireIndex(at, index, sizes.get(target) ?? 0, target);
    }),
});

/** Requires the index of one number in a flat array with `components` numbers for each of `target`. */
export const componentOf = (target: string, components: number): Field => ({
  require: (path, value, sizes) =>
    requireIndex(path, value, components * (sizes.get(target) ?? 0), `components of all ${target}`),
});

/** Requires one number for all of `name`, or one for each. */
export const each = (name: string): Field => ({
  require: (path, value, sizes) => {
    if (Array.isArray(value)) requireArray(path, value, [name], sizes, requireNumber);
    else if (!isNumber(value)) refuse(path, `a number, or one for each of the ${name}`, value);
  },
});

/** Requires an array of objects, each with these entries. */
export const records = (fields: Fields): Field => ({
  require: (path, value, sizes) =>
    requireArray(path, value, [path], sizes, (at, record) => {
      if (!isObject(record)) refuse(at, 'an object', record);
      for (const [name, field] of Object.entries(fields)) {
        if (record[name] !== undefined || !field.optional) field.require(`${at}.${name}`, record[name], sizes);
      }
    }),
});

/** Requires a line of text; a case whose text does not match the pattern uses another method and is not supported. */
export const text = (pattern: RegExp): Field => ({
  require: (path, value) => {
    if (typeof value !== 'string') refuse(path, 'a line of text', value);
  },
  isOther: (value) => !pattern.test(String(value).trim()),
});

/**
 * Requires a constant of the method that the files state; a case with another value uses another method and is not
 * supported.
 */
export const constant = (expected: string | number): Field => ({
  require: (path, value) => {
    if (typeof value !== typeof expected) refuse(path, quote(expected), value);
  },
  isOther: (value) => value !== expected,
});

export const optional = (field: Field): Field => ({ ...field, optional: true });

/** Marks an entry that `expected.gradient` may name. */
export const parameter = (field: Field): Field => ({ ...field, isParameter: true });

/** Prefixes entries with `parameters.` and marks them as parameters. */
export const parameters = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [`parameters.${name}`, parameter(field)]));

/**
 * Refuses a case that lacks an entry or has another shape there, numbers that are not finite, or indices out of range.
 * A case that passes is a `Case`, if `fields` lists all of its entries.
 *
 * @throws naming the entry by its path, such as `parameters.v0[3][1]`, the value found and what is expected.
 */
export function requireFields<Case extends object>(
  content: CaseContent,
  fields: Fields,
): asserts content is CaseContent & Case {
  const sizes: Sizes = new Map();
  for (const [path, field] of Object.entries(fields)) {
    const value = valueAt(content, path);
    if (value === undefined && field.optional) continue;
    field.require(path, value, sizes);
  }
  requireGradient(content, fields);
}

/** @throws where a derivative of `expected.gradient` does not have the shape of its parameter in the file. */
function requireGradient(content: CaseContent, fields: Fields): void {
  const gradient = valueAt(content, 'expected.gradient');
  if (!isObject(gradient) || Object.keys(gradient).length === 0)
    refuse('expected.gradient', 'an object with derivatives of the loss', gradient);
  const inputs = parameterPaths(fields);
  for (const [name, derivative] of Object.entries(gradient)) {
    const path = inputs.get(name)!;
    const value = valueAt(content, path);
    const at = `expected.gradient.${name}`;
    if (value === undefined)
      throw new GradsimError(
        'reference/entry-missing',
        `the entry "${at}" is the derivative with respect to "${path}", which is missing.`,
      );
    requireArray(at, derivative, dimensionsOf(value), new Map(), requireNumber);
  }
}

/**
 * Returns a sentence about the part of a case that gradsim does not compute or compare; undefined if there is none.
 *
 * @throws where `parameters`, say, is not an object.
 */
export function findUnsupported(content: CaseContent, fields: Fields): string | undefined {
  const names = [...parameterPaths(fields).keys()].map((name) => `expected.gradient.${name}`);
  const known = new Set(['model', ...Object.keys(fields), ...names]);
  const unknown = pathsOf(content, '', known).find((path) => !known.has(path));
  if (unknown !== undefined)
    return `The entry "${unknown}" (${quote(valueAt(content, unknown))}) is none that this kind of case is checked with.`;
  for (const [path, { isOther }] of Object.entries(fields)) {
    const value = valueAt(content, path);
    if (value !== undefined && value !== null && isOther?.(value))
      return `The entry "${path}" says ${quote(value)}, which is not what gradsim computes.`;
  }
  return undefined;
}

/** Returns the paths of parameters by their name in `expected.gradient`. */
const parameterPaths = (fields: Fields): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(fields)
      .filter(([, { isParameter }]) => isParameter)
      .map(([path]) => [path.slice(path.lastIndexOf('.') + 1), path]),
  );

/** Returns the paths of all entries; an object with known entries inside is replaced by its own entries. */
function pathsOf(content: CaseContent, prefix: string, known: ReadonlySet<string>): string[] {
  return Object.entries(content).flatMap(([name, value]) => {
    const path = `${prefix}${name}`;
    if (![...known].some((other) => other.startsWith(`${path}.`))) return [path];
    if (!isObject(value)) refuse(path, 'an object', value);
    return pathsOf(value, `${path}.`, known);
  });
}

const valueAt = (content: CaseContent, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), content);

const isObject = (value: unknown): value is CaseContent =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isNumber = (value: unknown): value is number => Number.isFinite(value);

function requireNumber(path: string, value: unknown): void {
  if (!isNumber(value)) refuse(path, 'a finite number', value);
}

function requireIndex(path: string, value: unknown, end: number, target: string): void {
  if (!isNumber(value) || !Number.isInteger(value) || value < 0 || value >= end)
    refuse(path, `the number of one of the ${end} ${target}, counted from 0`, value);
}

function requireArray(
  path: string,
  value: unknown,
  [dimension, ...inner]: readonly (number | string)[],
  sizes: Sizes,
  requireEntry: (path: string, value: unknown) => void,
): void {
  if (dimension === undefined) {
    requireEntry(path, value);
    return;
  }
  if (!Array.isArray(value)) refuse(path, 'an array', value);
  const size = typeof dimension === 'number' ? dimension : (sizes.get(dimension) ?? value.length);
  if (typeof dimension === 'string') sizes.set(dimension, size);
  if (value.length !== size) {
    const what = typeof dimension === 'string' ? `, one for each of the ${dimension}` : '';
    throw new GradsimError(
      'reference/wrong-size',
      `the entry "${path}" must hold ${size} values${what}, not ${value.length}.`,
    );
  }
  value.forEach((entry, k) => {
    requireArray(`${path}[${k}]`, entry, inner, sizes, requireEntry);
  });
}

/** Returns the dimensions of an array and its nested arrays. */
const dimensionsOf = (value: unknown): number[] =>
  Array.isArray(value) ? [value.length, ...dimensionsOf(value[0])] : [];

function refuse(path: string, wanted: string, value: unknown): never {
  const what = value === undefined ? 'is missing; it must be' : 'must be';
  const found = value === undefined ? '' : `, not ${quote(value)}`;
  throw new GradsimError('reference/wrong-entry', `the entry "${path}" ${what} ${wanted}${found}.`);
}

function quote(value: unknown): string {
  // JSON has no way to write these, so they would read as null.
  const json = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}
