import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { types } from 'node:util';
import { GradsimError } from '@gradsim/core';
import { DEEPEST, isTooDeep } from '../shape.ts';
import { describe } from '../terminal/describe.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** Name of the folder in a study's folder that holds the trials' own files. */
export const TRIALS = 'trials';
/** Prefix of the folder names of unfinished attempts. */
export const DRAFT = '.draft-';

/** Removes the files of unfinished attempts whose folder names `isStale` accepts. */
export function removeDrafts(out: string, isStale: (name: string) => boolean): void {
  const folder = join(out, TRIALS);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names)
    if (name.startsWith(DRAFT) && isStale(name)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** A queued trial: plain data, so that it can be queued on another machine. */
export interface Trial {
  /** Hash of the settings and of the study's version: equal for a trial in every run, on every machine. */
  readonly id: string;
  readonly settings: Json;
}

/** Trial with given settings. @throws unless they are a plain JSON object. */
export function trialOf(settings: unknown, number: number, code: string): Trial {
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings))
    throw new GradsimError('gradsim/trial-settings', `The settings of trial ${number} are ${describe(settings)}.`, {
      hint: 'They must be an object.',
    });
  if (isTooDeep(settings))
    throw new GradsimError(
      'gradsim/trial-settings',
      `The settings of trial ${number} hold themselves, or are more than ${DEEPEST} deep in each other.`,
    );
  const json = jsonOf(settings, `trial ${number}`);
  const hash = createHash('sha256').update(code).update('\n').update(JSON.stringify(json)).digest('hex');
  return { id: hash.slice(0, 20), settings: json };
}

/**
 * Converts a value to plain JSON with sorted object keys, so that equal settings have equal texts.
 * @throws for values that JSON cannot represent: functions, class instances, `undefined`, numbers that are not finite;
 * the message names the value's path.
 */
function jsonOf(value: unknown, place: string): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new GradsimError(
      'gradsim/trial-settings',
      `The settings are no JSON: ${place} is ${value}, and JSON has finite numbers alone.`,
    );
  }
  if (Array.isArray(value)) return value.map((each, k) => jsonOf(each, `${place}[${k}]`));
  if (isPlain(value))
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, each]) => [name, jsonOf(each, `${place}.${name}`)]),
    );
  throw new GradsimError('gradsim/trial-settings', `The settings are no JSON: ${place} is ${describe(value)}.`, {
    hint: 'Write it as numbers, texts, lists and objects.',
  });
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
