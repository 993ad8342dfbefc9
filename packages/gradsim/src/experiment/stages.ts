import { types } from 'node:util';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Estimate, Experiment, ExperimentContext, Stage } from '@gradsim/optim';
import { describe } from '../terminal/describe.ts';
import { callExperiment } from './call.ts';
import { type CheckedStrip, checkedStrip } from './checked-strip.ts';

const LIST = 'It must return a list of stages, [{ name, problem }, ...], or a promise of one';

/**
 * Calls an experiment's function `stages`.
 * @throws its errors, and if it does not return a list of stages, or settings were given to an experiment that reads
 * none: only the experiment knows its settings.
 */
export async function stagesOf(experiment: Experiment, context: ExperimentContext): Promise<readonly Stage[]> {
  const { name } = experiment;
  const { settings } = context;
  let isRead = false;
  const watched = Object.defineProperty({ ...context }, 'settings', {
    enumerable: true,
    get: () => {
      isRead = true;
      return settings;
    },
  });
  const stages: unknown = await callExperiment(`The function \`stages\` of the experiment "${name}"`, () =>
    experiment.stages(watched),
  );
  const given = Object.keys(settings);
  if (given.length > 0 && !isRead)
    throw new GradsimError(
      'gradsim/no-settings',
      `${name} takes no settings, and was given --set ${given.join(', ')}.`,
      {
        field: name,
        hint: 'Say it in the experiment itself, or in the measured.ts beside it.',
      },
    );
  return checkedStages(name, stages);
}

/** @throws if a value is not a list of stages, or two of them share a name. */
function checkedStages(experiment: string, stages: unknown): readonly Stage[] {
  if (!Array.isArray(stages))
    throw new GradsimError(
      'gradsim/experiment-wrong',
      `The function \`stages\` of the experiment "${experiment}" returns ${noList(stages)}`,
    );
  // Holes are visited too.
  const names = Array.from(stages, (stage, k) => checkStage(experiment, stage, k));
  const twice = names.find((name, k) => names.indexOf(name) !== k);
  if (twice !== undefined)
    throw new GradsimError(
      'gradsim/experiment-wrong',
      `The experiment "${experiment}" has two stages named "${twice}".`,
      {
        hint: 'Give them names of their own.',
      },
    );
  return stages;
}

/** Error text for a value returned instead of a list, with advice. */
function noList(value: unknown): string {
  if (value === undefined) return `nothing. Does it lack a \`return\`? ${LIST}.`;
  if (typeof value === 'object' && value !== null) {
    if ('problem' in value) return `a stage that is in no list; write [stage]. ${LIST}.`;
    if ('next' in value && typeof value.next === 'function')
      return `a generator; name it, and write stages: () => [...steps()]. ${LIST}.`;
    if (Symbol.iterator in value) return `${describe(value)}; spread it into a list: [...it]. ${LIST}.`;
  }
  return `${describe(value)}. ${LIST}.`;
}

const PARTS = {
  name: true,
  problem: true,
  strip: true,
  curves: true,
  notes: true,
  plan: true,
  shown: true,
} satisfies Record<keyof Stage, true>;

/** Checks a stage, and returns its name. @throws if it is not a valid stage. */
function checkStage(experiment: string, stage: unknown, k: number): string {
  const place = `Stage ${k + 1} of the experiment "${experiment}"`;
  if (typeof stage !== 'object' || stage === null || Array.isArray(stage) || types.isNativeError(stage))
    throw new GradsimError(
      'gradsim/experiment-wrong',
      `${place} is ${Array.isArray(stage) ? 'a list' : describe(stage)}; each stage is an object { name, problem }.`,
    );
  const holds = Object.keys(stage).length > 0 ? `it holds ${Object.keys(stage).join(', ')}` : 'it is empty';
  const { name, problem, strip, notes, curves, shown } = stage as Partial<Record<keyof typeof PARTS, unknown>>;
  if (name === undefined)
    throw new GradsimError('gradsim/experiment-wrong', `${place} has no name; ${holds}.`, {
      hint: "Give it a name: { name: 'fall', ... }.",
    });
  if (typeof name !== 'string' || name.trim() === '')
    throw new GradsimError('gradsim/experiment-wrong', `${place} has the name ${describe(name)}.`, {
      hint: 'It must be a text that is not empty.',
    });
  const called = `The stage "${name}" of the experiment "${experiment}"`;
  const problemIs = 'problem: { model, frames, frameRate, substeps, parameters, observations }';
  if (problem === undefined)
    throw new GradsimError('gradsim/experiment-wrong', `${called} has no problem; ${holds}.`, {
      hint: `Give it ${problemIs}.`,
    });
  if (typeof problem !== 'object' || problem === null || Array.isArray(problem))
    throw new GradsimError('gradsim/experiment-wrong', `${called} has the problem ${describe(problem)}.`, {
      hint: `Give it ${problemIs}.`,
    });
  refuseUnknownOptions(called, stage, PARTS);
  for (const [part, value] of Object.entries({ strip, notes }))
    if (value !== undefined && typeof value !== 'function')
      throw new GradsimError('gradsim/experiment-wrong', `${called}: its ${part} is ${describe(value)}.`, {
        hint: 'It must be a function of the estimate.',
      });
  if (curves !== undefined && !(Array.isArray(curves) && Array.from(curves).every(isCurve)))
    throw new GradsimError('gradsim/experiment-wrong', `${called}: its curves are ${describe(curves)}.`, {
      hint: 'They must be a list of { name, distances }, with a list of numbers each.',
    });
  if (shown !== undefined && !isShown(shown))
    throw new GradsimError('gradsim/experiment-wrong', `${called}: its shown is ${describe(shown)}.`, {
      hint: 'It must be { answers }, with a sentence for each unknown that is the answer.',
    });
  return name;
}

function isShown(shown: unknown): boolean {
  const { answers } = (shown ?? {}) as { answers?: unknown };
  return (
    typeof answers === 'object' && answers !== null && Object.values(answers).every((own) => typeof own === 'string')
  );
}

function isCurve(curve: unknown): boolean {
  if (typeof curve !== 'object' || curve === null) return false;
  const { name, distances } = curve as { name?: unknown; distances?: unknown };
  return (
    typeof name === 'string' &&
    (Array.isArray(distances) || ArrayBuffer.isView(distances)) &&
    Array.from(distances as ArrayLike<unknown>).every((distance) => typeof distance === 'number')
  );
}

/**
 * Calls a stage's function `notes`, and returns its sentences on the estimate. @throws if it returns something else.
 */
export async function notesOf({ name, notes }: Stage, estimate: Estimate): Promise<readonly string[]> {
  if (!notes) return [];
  const what = `The function \`notes\` of the stage "${name}"`;
  const found: unknown = await callExperiment(what, () => notes(estimate));
  if (found === undefined) return [];
  if (Array.isArray(found) && Array.from(found).every((note) => typeof note === 'string')) return found;
  throw new GradsimError('gradsim/experiment-wrong', `${what} returns ${describe(found)}.`, {
    hint: "It must return a list of sentences, ['It slid.'].",
  });
}

/** Calls a stage's function `strip`, and returns the pictures for its report. @throws if it returns something else. */
export async function stripOf({ name, strip }: Stage, estimate: Estimate): Promise<CheckedStrip | undefined> {
  if (!strip) return undefined;
  const what = `The function \`strip\` of the stage "${name}"`;
  const found: unknown = await callExperiment(what, () => strip(estimate));
  return checkedStrip(found, `The strip of the stage "${name}"`);
}
