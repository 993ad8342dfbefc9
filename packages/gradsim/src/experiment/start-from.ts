import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isFile, isFolder, statusOf } from '@gradsim/base/files';
import { GradsimError, isGradsimError } from '@gradsim/core';
import type { Problem, Stage } from '@gradsim/optim';
import { textOfFile } from '../files/file-content.ts';
import { list, number, object, optional, problemOf, record, text } from '../shape.ts';

/** Parts of an earlier run's result from which another run starts. */
interface Earlier {
  readonly stage: string;
  readonly parameters: Readonly<Record<string, { readonly estimate: number; readonly standardError?: number | null }>>;
  readonly given?: Readonly<Record<string, { readonly estimate: number }>>;
  readonly arrays?: Readonly<Record<string, { readonly estimate: readonly number[] }>>;
}

/**
 * Makes stages start where an earlier run ended: each parameter starts at its value in the earlier stage of the same
 * name, or else in the last earlier stage that has the parameter. Parameters unknown to the earlier run keep the
 * experiment's start.
 * @param from `result.json` of the earlier run, or its folder.
 * @throws if it is not a result, shares no parameter with any stage, or has an array of another size.
 */
export function startingFrom(from: string, stages: readonly Stage[]): Stage[] {
  const { file, earlier } = readResult(from);
  let taken = 0;
  const started = stages.map((stage): Stage => {
    const own = [
      ...earlier.filter(({ stage: name }) => name !== stage.name),
      ...earlier.filter(({ stage: name }) => name === stage.name),
    ];
    const find = <T>(of: (each: Earlier) => T | undefined): T | undefined =>
      own.map(of).findLast((value) => value !== undefined);
    const { parameters = [], arrays = [] } = stage.problem;
    const problem: Problem = {
      ...stage.problem,
      parameters: parameters.map((spec) => {
        const start = find((each) => each.parameters[spec.name]?.estimate);
        if (start === undefined) return spec;
        taken++;
        return { ...spec, start };
      }),
      arrays: arrays.map((spec) => {
        const start = find((each) => each.arrays?.[spec.name]?.estimate);
        if (start === undefined) return spec;
        const { name, initial } = spec;
        if (typeof initial !== 'number' && initial.length !== start.length)
          throw new GradsimError(
            'gradsim/other-model',
            `${file} is of another model: its ${name} has ${start.length} values, and this experiment's has ${initial.length}.`,
          );
        taken++;
        return { ...spec, start };
      }),
    };
    return { ...stage, problem };
  });
  if (taken === 0) {
    const names = earlier.flatMap(({ parameters, arrays }) => [
      ...Object.keys(parameters),
      ...Object.keys(arrays ?? {}),
    ]);
    throw new GradsimError(
      'gradsim/other-model',
      `${file} has none of this experiment's parameters; it has ${[...new Set(names)].join(', ') || 'none'}.`,
    );
  }
  return started;
}

/** Most bytes of a result: a hundred times what arrays of a hundred thousand particles take. */
const LARGEST = 5e8;

/** Path of an earlier run's `result.json`, given the file or its folder. @throws if it does not exist. */
export function resultFile(from: string): string {
  const file = isFolder(from) ? join(from, 'result.json') : from;
  if (!existsSync(file))
    throw new GradsimError(
      'gradsim/no-result',
      `${file} is not there: --from takes the result.json of an estimate, or its folder.`,
    );
  if (!isFile(file))
    throw new GradsimError('gradsim/not-a-file', `${file} is no file.`, {
      hint: '--from takes the result.json of an estimate, or its folder.',
    });
  // Before it is hashed, which takes as long as reading it.
  const size = Number(statusOf(file)?.size);
  if (size > LARGEST)
    throw new GradsimError(
      'gradsim/file-unreadable',
      `${file} has ${Math.round(size / 1e6)} MB: no result is that large.`,
      {
        hint: '--from takes the result.json of an estimate, or its folder.',
      },
    );
  return file;
}

const VALUE = object({ estimate: number }, true);
const VALUES = object({ estimate: list(number) }, true);
const RESULT = object(
  {
    stages: list(
      object(
        { stage: text, parameters: record(VALUE), arrays: optional(record(VALUES)), given: optional(record(VALUE)) },
        true,
      ),
    ),
  },
  true,
);

/** Values and standard errors that an earlier run found in a stage, or in its last one, by name. @throws for no result. */
export function readFound(from: string, stage: string) {
  const { earlier } = readResult(from);
  const own = earlier.find(({ stage: name }) => name === stage) ?? earlier.at(-1);
  if (!own) throw new GradsimError('gradsim/not-a-result', `${resultFile(from)} has no stage.`);
  const all = Object.entries({ ...own.parameters, ...own.given });
  return {
    values: Object.fromEntries(all.map(([name, { estimate }]) => [name, estimate])),
    errors: Object.fromEntries(
      Object.entries(own.parameters).map(([name, { standardError = null }]) => [name, standardError]),
    ),
  };
}

function readResult(from: string): { file: string; earlier: readonly Earlier[] } {
  const file = resultFile(from);
  let read: unknown;
  try {
    read = JSON.parse(textOfFile(file, 'result'));
  } catch (cause) {
    if (isGradsimError(cause)) throw cause;
    throw new GradsimError(
      'gradsim/not-a-result',
      `${file} is no result of gradsim estimate, which --from takes: it is no JSON.`,
      { cause },
    );
  }
  const problem = problemOf(read, RESULT);
  if (problem !== undefined)
    throw new GradsimError(
      'gradsim/not-a-result',
      `${file} is no result of gradsim estimate, which --from takes: ${problem}.`,
    );
  return { file, earlier: (read as { stages: readonly Earlier[] }).stages };
}
