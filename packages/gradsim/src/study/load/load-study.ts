import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import { isFile } from '@gradsim/base/files';
import { GradsimError } from '@gradsim/core';
import { callExperiment } from '../../experiment/call.ts';
import { findExperiment } from '../../experiment/find.ts';
import { PackagesInUse } from '../../modules/in-use.ts';
import { ENDINGS, LocalModules } from '../../modules/local-modules.ts';
import { type Sources, sourcesOf } from '../../modules/sources.ts';
import { findKind } from '../../new/find-kind.ts';
import { describe, messageOf } from '../../terminal/describe.ts';
import { filmStudy } from './film-study.ts';
import { kindStudy } from './kind-study.ts';
import { isIterable } from './list-trials.ts';
import type { LoadedStudy, StudySource } from './source.ts';

/**
 * Loads a study and its experiments.
 * @throws if it is not a module, fails while it loads, exports no study, or names an experiment that cannot be loaded.
 */
export async function loadStudy(source: StudySource): Promise<LoadedStudy> {
  if ('experiment' in source) {
    const file = resolve(source.experiment);
    const sources = await sourcesOfExperiment(file);
    return { study: filmStudy(file), sources, code: codeOf([sources]), folder: dirname(file) };
  }
  if ('kind' in source) {
    const found = await findKind(source.kind);
    const sources = found.sources();
    return { study: kindStudy(found), sources, code: codeOf([sources]), folder: resolve('.') };
  }
  const file = source.study;
  if (!isFile(file)) throw new GradsimError('gradsim/no-study', `There is no study ${file}: no such file.`);
  if (!ENDINGS.includes(extname(file)))
    throw new GradsimError('gradsim/not-a-study', `${file} cannot be a study.`, {
      hint: `It must be a module that ends in ${ENDINGS.join(', ')}.`,
    });
  const path = realpathSync(file);
  const packages = new PackagesInUse();
  const modules = new LocalModules(packages);
  const study = await evaluate(file, () => modules.load(path));
  const sources = sourcesOf(path, modules, packages);
  const folder = dirname(path);
  const all = [sources];
  for (const experiment of study.experiments ?? []) all.push(await sourcesOfExperiment(resolve(folder, experiment)));
  return { study, sources, code: codeOf(all), folder };
}

async function sourcesOfExperiment(file: string): Promise<Sources> {
  // Studies without estimates start faster without it.
  const { loadExperiment } = await import('../../experiment/load.ts');
  return (await loadExperiment(findExperiment(file))).sources();
}

function codeOf(sources: readonly Sources[]): string {
  const hash = createHash('sha256');
  for (const { sha256, modules, versions } of sources) hash.update(JSON.stringify([sha256, modules, versions]));
  return hash.digest('hex');
}

async function evaluate(file: string, load: () => Promise<unknown>): Promise<LoadedStudy['study']> {
  let exported: unknown;
  try {
    exported = ((await callExperiment(`The module ${file}`, load)) as { default?: unknown }).default;
  } catch (error) {
    throw new GradsimError('gradsim/study-not-loaded', `The study ${file} cannot be loaded: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const problem = problemOf(exported);
  if (problem === undefined) return exported as LoadedStudy['study'];
  throw new GradsimError('gradsim/not-a-study', `${file} has no default export that is a study: ${problem}.`, {
    hint: 'Write `export default defineStudy({ trials, run })`, from gradsim/study.',
  });
}

/** Reason why a value is not a study; undefined if it is one. */
function problemOf(value: unknown): string | undefined {
  if (value === undefined) return 'it exports no default';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return `it is ${describe(value)}`;
  const { trials, run, summary, experiments } = value as Partial<Record<keyof LoadedStudy['study'], unknown>>;
  if (typeof run !== 'function') return `\`run\` is ${describe(run)}, and must be a function`;
  if (typeof trials !== 'function' && !isIterable(trials))
    return `\`trials\` is ${describe(trials)}, and must be a list of settings, or a function that returns one`;
  if (summary !== undefined && typeof summary !== 'function')
    return `\`summary\` is ${describe(summary)}, and must be a function`;
  const isList = Array.isArray(experiments) && experiments.every((each) => typeof each === 'string');
  if (experiments !== undefined && !isList)
    return `\`experiments\` is ${describe(experiments)}, and must be a list of files`;
  return undefined;
}
