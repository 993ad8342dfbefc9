import { describeValue, GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Measure, Measures, Value } from './measure.ts';
import { maybeUnknown } from './measure.ts';
import { numberIn, numbersIn, unitsRead } from './units.ts';

/**
 * Measurements of a kind from texts, as of `--set name=value`.
 * @throws for an unknown name, an invalid value, and missing measurements, naming all of them.
 */
export function measuredOf(
  { name, measures }: { readonly name: string; readonly measures: Measures },
  givenValues: Readonly<Record<string, string>>,
): Record<string, Value> {
  refuseUnknownOptions(`gradsim new ${name}: --set`, givenValues, measures);
  const missing = Object.entries(measures).filter(
    ([key, { default: own, unless }]) =>
      own === undefined && !(key in givenValues) && !unless?.some((other) => other in givenValues),
  );
  if (missing.length > 0) {
    const lines = missing.map(([key, { what, option = `--set ${key}=...` }]) => `  ${option}  ${what}`);
    throw new GradsimError('kinds/measure-missing', `gradsim new ${name} needs to know:\n${lines.join('\n')}`);
  }
  return Object.fromEntries(
    Object.entries(measures).map(([key, measure]) => [
      key,
      key in givenValues ? readValue(`--set ${key}`, measure, givenValues[key]) : (measure.default ?? null),
    ]),
  );
}

const TAKES = {
  file: 'a path',
  camera: 'a path',
  data: 'a path',
  written: 'a path',
  text: 'a text',
  positive: 'a number above 0',
  tolerance: 'a number of at least 0',
  number: 'a number',
  vector: 'three numbers, as in 0,1.2,3',
  numbers: 'numbers, as in 0,1.2,3',
} as const;

/**
 * Parses the value of a measure: a number may have a decimal comma and a unit, `9,8 cm`, and be `unknown` where null is
 * allowed.
 * @param option name of the measure in messages.
 * @throws for an invalid value.
 */
export function readValue(option: string, measure: Measure, text: string): Value {
  const { type, quantity } = measure;
  const isText = typeof type === 'object' || TAKES[type] === 'a path' || type === 'text';
  if ((text === 'null' || (text === 'unknown' && !isText)) && maybeUnknown(measure)) return null;
  const isList = type === 'vector' || type === 'numbers';
  const value = isText ? text : isList ? numbersIn(text, quantity) : numberIn(text, quantity);
  if (!isOf(type, value)) refuse(option, measure, `"${text}"`);
  return value;
}

/**
 * Checks measurements that a module passes.
 * @param kind name of the kind, for messages.
 * @throws for values of other types than the measures have, unknown names and missing ones: a module in JavaScript, or one whose types
 * nobody checked.
 */
export function checkMeasured(kind: string, measures: Measures, measured: object): void {
  refuseUnknownOptions(`The measurements of ${kind}`, measured, measures);
  const values = measured as Readonly<Record<string, Value | undefined>>;
  for (const [name, measure] of Object.entries(measures)) {
    const value = values[name];
    if (value === null ? !maybeUnknown(measure) : !isOf(measure.type, value))
      refuse(name, measure, value === undefined ? 'nothing' : describeValue(value));
  }
}

const isOf = (type: Measure['type'], value: unknown): value is Value => {
  if (typeof type === 'object') return type.includes(value as string);
  if (type === 'vector' || type === 'numbers')
    return Array.isArray(value) && value.every(Number.isFinite) && (type === 'numbers' || value.length === 3);
  if (type !== 'positive' && type !== 'tolerance' && type !== 'number') return typeof value === 'string';
  return (
    Number.isFinite(value) && (type === 'number' || (value as number) >= (type === 'tolerance' ? 0 : Number.MIN_VALUE))
  );
};

function refuse(name: string, measure: Measure, value: string): never {
  const { type, what, quantity } = measure;
  const units = quantity === undefined ? '' : `, with a unit (${unitsRead(quantity).join(', ')}) or without`;
  const takes = typeof type === 'object' ? type.join(' or ') : `${TAKES[type]}${units}`;
  throw new GradsimError('kinds/measure-wrong', `${name} takes ${takes}, not ${value}.`, { field: name, hint: what });
}
