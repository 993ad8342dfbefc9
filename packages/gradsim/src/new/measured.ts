import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { oneOf, positiveNumber } from '../experiment/settings.ts';
import type { Kind, Measure } from './kinds.ts';

/** Value of a measure. */
export type Value = string | number | readonly number[] | null;

/**
 * Measurements from `--set name=value`.
 * @throws for an unknown name, an invalid value, and missing measurements, naming all of them.
 */
export function measuredOf(
  name: string,
  { measures }: Kind,
  given: Readonly<Record<string, string>>,
): Record<string, Value> {
  refuseUnknownOptions(`gradsim new ${name}: --set`, given, measures);
  const missing = Object.entries(measures).filter(
    ([key, { default: own, unless }]) =>
      own === undefined && !(key in given) && !unless?.some((other) => other in given),
  );
  if (missing.length > 0) {
    const lines = missing.map(([key, { what, option = `--set ${key}=...` }]) => `  ${option}  ${what}`);
    throw new GradsimError('gradsim/option-missing', `gradsim new ${name} needs to know:\n${lines.join('\n')}`);
  }
  return Object.fromEntries(
    Object.entries(measures).map(([key, measure]) => [
      key,
      key in given ? readValue(`--set ${key}`, measure, given[key]) : (measure.default ?? null),
    ]),
  );
}

/**
 * Parses the value of a measure.
 * @param option name of the measure in messages.
 * @throws for an invalid value.
 */
export function readValue(option: string, { type, default: own }: Measure, text: string): Value {
  if (text === 'null' && own !== undefined) return null;
  if (type === 'file' || type === 'camera' || type === 'data' || type === 'written' || type === 'text') return text;
  if (typeof type === 'object') return oneOf(option, text, type);
  if (type === 'tolerance' && text.trim() !== '' && Number(text) === 0) return 0;
  if (type === 'positive' || type === 'tolerance') return positiveNumber(option, text);
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const count = { vector: 3, numbers: numbers.length, number: 1 }[type];
  if (!numbers.every(Number.isFinite) || numbers.length !== count)
    throw new GradsimError(
      'gradsim/option-wrong',
      `${option} takes ${{ vector: 'three numbers, as in 0,1.2,3', numbers: 'numbers, as in 0,1.2,3', number: 'a number' }[type]}, not "${text}".`,
      { field: option },
    );
  return type === 'number' ? numbers[0] : numbers;
}

/** Source of the module that passes the measurements to an experiment. */
export function measuredSource(
  name: string,
  { measures, table }: Kind,
  values: Readonly<Record<string, Value>>,
): string {
  const lines = Object.entries(measures).flatMap(([key, { what }]) => [
    `  /** ${what} */`,
    `  ${key}: ${sourceOf(values[key])},`,
  ]);
  return [
    `import type { Measured } from './${name}.ts';`,
    '',
    `/** Measurements of ${table ? 'recording' : 'film'} and scene: fill them in, and leave null what you do not know. */`,
    'export const measured: Measured = {',
    ...lines,
    '};',
    '',
  ].join('\n');
}

const sourceOf = (value: Value): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value).replaceAll(',', ', ');
