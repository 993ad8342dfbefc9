import { GradsimError } from '@gradsim/core';
import type { Recording, Stage, TogetherEstimate } from '@gradsim/optim';
import { type Html, html, list, table } from '../../components/index.ts';
import { findExperiment } from '../../experiment/find.ts';
import { type LoadedExperiment, loadExperiment } from '../../experiment/load.ts';
import type { EstimateRequest } from '../../experiment/record/record.ts';
import { type FinishedStage, runExperiment } from '../../experiment/run.ts';
import { stagesOf } from '../../experiment/stages.ts';
import { reportHtml } from '../../report/report.ts';
import { OF_TOGETHER, removeEarlier } from '../../run/earlier.ts';
import { chooseFolder, type RunFolder, takeFolder } from '../../run/folder.ts';
import { alignColumns } from '../../terminal/align-columns.ts';
import { formatEstimate, formatStandardError } from '../../terminal/numbers.ts';
import { readingLines } from '../../terminal/progress.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { formulasOf } from '../../track/options.ts';
import { asDeviceName } from '../device/device-name.ts';
import type { EstimateCommandOptions } from './estimate-options.ts';
import { DISTRUSTED, runInFolder, type Task } from './run-in-folder.ts';

/** Options that say something of one experiment. */
const OF_ONE = ['video', 'track', 'from', 'plan'] as const;

/**
 * `gradsim estimate` of several experiments, such as films of one thing: what they share has one value, and each has its camera
 * and all else to itself. Estimates each alone, as `gradsim estimate` does, and then all together; writes `together.json` and
 * `report.html`, and is resumed as a run of one. Returns the exit code: 3 where the result is not to be trusted.
 * @throws before anything runs, for experiments that are not there, and without a name of what they share.
 */
export async function togetherCommand(
  names: readonly string[],
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { force = false, out, shared = [], seed, iterations, starts, intervals, verify, set: settings } = options;
  if (options.json) terminal.reserveOutput?.();
  const extra = OF_ONE.filter((option) => options[option] !== undefined).map((option) => `--${option}`);
  if (options.resume !== undefined)
    throw new GradsimError(
      'gradsim/options-contradict',
      `--resume goes on with a run as it was asked for, so leave out ${names.map((name) => `"${name}"`).join(', ')}.`,
    );
  if (extra.length > 0)
    throw new GradsimError(
      'gradsim/options-contradict',
      `Of ${names.length} experiments leave out ${extra.join(', ')}, which are of one.`,
    );
  if (shared.length === 0)
    throw new GradsimError('gradsim/option-missing', `What do the ${names.length} experiments share?`, {
      field: '--shared',
      hint: 'Name an unknown that has one value in all of them, as in --shared gravity; it may be given again.',
    });
  asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const [experiment, ...others] = names;
  const request: EstimateRequest = {
    experiment,
    others,
    shared,
    seed,
    iterations,
    starts,
    intervals,
    verify,
    settings,
  };
  const files = names.map(findExperiment);
  const twice = files.find((file, k) => files.indexOf(file) !== k);
  if (twice !== undefined)
    throw new GradsimError('gradsim/options-contradict', `${twice} is named twice: one film says nothing twice.`);
  if (out !== undefined) chooseFolder(out, experiment, force);
  const take = (folder: string) => (): RunFolder => {
    const taken = takeFolder(out, folder, force);
    try {
      if (force) removeEarlier(taken.path, OF_TOGETHER, Object.values(settings));
      return taken;
    } catch (error) {
      taken.close();
      throw error;
    }
  };
  const first = await loadExperiment(files[0]);
  const folder = `${first.experiment.name}-together`;
  chooseFolder(out, folder, force);
  return runTogether({ request, take: take(folder), before: null }, options, terminal);
}

/** Runs a request of several experiments, or goes on with it. */
export async function runTogether(task: Task, options: EstimateCommandOptions, terminal: Terminal): Promise<number> {
  const { json = false, quiet = false } = options;
  const { experiment, others = [], shared = [], ...rest } = task.request;
  const names = [experiment, ...others];
  const loaded: LoadedExperiment[] = [];
  for (const name of names) loaded.push(await loadExperiment(findExperiment(name)));
  const say = json ? terminal.say : terminal.print;
  const formulas = formulasOf(options);
  return runInFolder(loaded, task, options, terminal, async ({ device, signal }) => {
    const made: (readonly Stage[])[] = [];
    for (const [k, { experiment: own }] of loaded.entries()) {
      const log = (line: string): void => (quiet ? undefined : terminal.say(`${names[k]}: ${line}`));
      const onProgress = quiet ? undefined : readingLines(log);
      made.push(await stagesOf(own, { device, settings: rest.settings, log, signal, onProgress }));
      checkShared(names[k], own.name, made[k], shared);
    }
    return async ({ open, shared: record }) => {
      const done: FinishedStage[][] = [];
      const reported = (before?: Html): Promise<string> =>
        reportHtml(
          { name: `${names.length} experiments together`, description: `They share ${shared.join(', ')}.` },
          done.flat(),
          { before, titleOf },
        );
      for (const [k, own] of loaded.entries()) {
        if (!quiet) terminal.say(`${names[k]}: alone ...`);
        done[k] = await runExperiment(own, {
          device,
          signal,
          terminal,
          json,
          quiet,
          formulas,
          shared: record,
          made: made[k],
          request: { ...rest, experiment: names[k] },
          journal: { of: (stage) => open.journal.of(`${names[k]}, ${stage}`) },
          onStage: async (stages) => {
            done[k] = [...stages];
            open.folder.write('report.html', await reported());
          },
        });
        if (signal.aborted) return 0;
      }
      const recordings = done.map((stages, k): Recording => {
        const { problem, estimate: alone } = stages[stages.length - 1];
        return { name: names[k], problem, alone };
      });
      const found = await loaded[0].engine.optim.estimateTogether(recordings, { shared }, { device, signal });
      if (signal.aborted) return 0;
      const result = resultOf(recordings, found);
      open.folder.write('together.json', `${JSON.stringify(result, null, 2)}\n`);
      open.folder.write('report.html', await reported(sharedSection(recordings, found)));
      if (json) terminal.print(JSON.stringify(result));
      for (const line of ['', ...linesOf(recordings, found)]) say(line);
      if (!quiet) terminal.say(`Report: ${open.name}/report.html`);
      return found.verdict.trusted ? 0 : DISTRUSTED;
    };
  });
}

/** Title of a stage among those of several experiments: the experiment as it was named, and the stage. */
const titleOf = ({ record }: FinishedStage): string => `${record.repeat.experiment.file}, alone: ${record.stage}`;

/** Checks that the last stage of an experiment has what is shared. @throws otherwise. */
function checkShared(name: string, title: string, stages: readonly Stage[], shared: readonly string[]): void {
  const stage = stages.at(-1);
  if (!stage) throw new GradsimError('gradsim/no-stage', `The experiment "${title}" has no stages.`);
  const known = stage.problem.parameters?.map((spec) => spec.name) ?? [];
  const other = shared.find((one) => !known.includes(one));
  if (other === undefined) return;
  throw new GradsimError('gradsim/option-wrong', `--shared ${other}: ${name} has no such unknown.`, {
    field: '--shared',
    hint: `It has ${known.join(', ')}.`,
  });
}

/** Section of the report on the shared values, together and by each alone. */
function sharedSection(recordings: readonly Recording[], found: TogetherEstimate): Html {
  const [head, ...rows] = tableOf(recordings, found);
  const [verdict, ...reasons] = verdictOf(found);
  return html`<section><div class="${found.verdict.trusted ? 'reached' : 'distrust'}"><b>${verdict}</b>${list(reasons)}</div>
${table(head, rows)}</section>`;
}

/** Content of `together.json`: the shared values, and of each experiment its own ones with the shared ones fixed, and its estimate alone. */
function resultOf(recordings: readonly Recording[], { shared, recordings: all, verdict, seconds }: TogetherEstimate) {
  const valuesOf = (parameters: NonNullable<Recording['alone']>['parameters']) =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, { estimate, standardError, interval, unit }]) => [
        name,
        { estimate, standardError, interval, unit },
      ]),
    );
  return {
    together: recordings.map(({ name }) => name),
    shared,
    verdict,
    experiments: all.map(({ name, estimate }, k) => ({
      name,
      verdict: estimate.verdict,
      parameters: valuesOf(estimate.parameters),
      alone: valuesOf(recordings[k].alone!.parameters),
    })),
    seconds,
  };
}

/** Sentences on whether the result can be trusted, and what speaks against it. */
const verdictOf = ({ verdict }: TogetherEstimate): string[] => [
  verdict.trusted ? 'The result can be trusted.' : 'The result is not to be trusted:',
  ...verdict.findings.map(({ note }) => note),
];

/** Table of what is shared, together and by each alone, with a row of headings. */
const tableOf = (recordings: readonly Recording[], { shared }: TogetherEstimate): string[][] => [
  ['shared', 'estimate', '±', 'unit'],
  ...Object.entries(shared).flatMap(([name, { estimate, standardError, unit }]) => {
    const row = (who: string, value: number, error: number | null): string[] => [
      who,
      formatEstimate(value, error),
      formatStandardError(error, 'unknown'),
      unit,
    ];
    return [
      row(`${name}, together`, estimate, standardError),
      ...recordings.map(({ name: who, alone }) => {
        const own = alone!.parameters[name];
        return row(`${name}, ${who} alone`, own.estimate, own.standardError);
      }),
    ];
  }),
];

/** Lines for a person. */
const linesOf = (recordings: readonly Recording[], found: TogetherEstimate): string[] => [
  ...verdictOf(found),
  ...alignColumns(tableOf(recordings, found)),
];
