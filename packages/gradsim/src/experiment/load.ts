import { realpathSync } from 'node:fs';
import { extname } from 'node:path';
import { GradsimError } from '@gradsim/core';
import type { Experiment } from '@gradsim/optim';
import { prepareDecoder } from '@gradsim/video';
import { PackagesInUse } from '../modules/in-use.ts';
import { ENDINGS, LocalModules } from '../modules/local-modules.ts';
import { type Sources, sourcesOf } from '../modules/sources.ts';
import { describe, messageOf } from '../terminal/describe.ts';
import { callExperiment } from './call.ts';
import { type Engine, loadEngine } from './engine.ts';

/** An experiment, and its source files. */
export interface LoadedExperiment {
  readonly experiment: Experiment;
  readonly engine: Engine;
  /** Returns the sources loaded so far: a stage may import more while it runs. */
  readonly sources: () => Sources;
}

/**
 * Loads an experiment: the default export of a TypeScript or JavaScript module. Its package imports, and those of the
 * modules that it imports, resolve as Node does from each module's folder; packages missing there are taken from those
 * installed with the command.
 * @throws if the file is not a module, fails while it loads, exports no experiment, or mixes copies of a package.
 */
export async function loadExperiment(file: string): Promise<LoadedExperiment> {
  if (!ENDINGS.includes(extname(file)))
    throw new GradsimError('gradsim/not-an-experiment', `${file} cannot be an experiment.`, {
      hint: `It must be a module that ends in ${ENDINGS.join(', ')}.`,
    });
  const path = realpathSync(file);
  const packages = new PackagesInUse();
  // Decoders are ready by the time that an experiment reads its film.
  let isPrepared = false;
  const modules = new LocalModules(packages, () => {
    if (isPrepared || !packages.has('@gradsim/video')) return;
    isPrepared = true;
    prepareDecoder();
  });
  const engine = await loadEngine(path, packages);
  const experiment = await evaluate(file, () => modules.load(path));
  return { experiment, engine, sources: () => sourcesOf(path, modules, packages) };
}

async function evaluate(file: string, load: () => Promise<unknown>): Promise<Experiment> {
  let exported: unknown;
  try {
    exported = ((await callExperiment(`The module ${file}`, load)) as { default?: unknown }).default;
  } catch (error) {
    throw new GradsimError(
      'gradsim/experiment-not-loaded',
      `The experiment ${file} cannot be loaded: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
  const problem = problemOf(exported);
  if (problem === undefined) return exported as Experiment;
  throw new GradsimError(
    'gradsim/not-an-experiment',
    `${file} has no default export that is an experiment: ${problem}.`,
    {
      hint: 'Write `export default defineExperiment({ name, description, stages })`, from @gradsim/optim.',
    },
  );
}

/** Reason why a value is not an experiment; undefined if it is one. */
function problemOf(value: unknown): string | undefined {
  if (value === undefined) return 'it exports no default';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `it is ${describe(value)}`;
  const { name, description, stages, ...others } = value as Record<keyof Experiment, unknown>;
  if (typeof name !== 'string' || name.trim() === '')
    return `its name is ${describe(name)}, and must be a text that is not empty`;
  if (typeof description !== 'string')
    return `the description of "${name}" is ${describe(description)}, and must be a text`;
  if (typeof stages !== 'function')
    return `\`stages\` of "${name}" is ${describe(stages)}, and must be a function that returns a list of them`;
  for (const part of ['render', 'motion'] as const)
    if (others[part] !== undefined && typeof others[part] !== 'function')
      return `\`${part}\` of "${name}" is ${describe(others[part])}, and must be a function`;
  return undefined;
}
