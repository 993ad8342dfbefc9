import { GradsimError } from '@gradsim/core';
import type { Recording, TogetherEstimate } from '@gradsim/optim';
import { findExperiment } from '../experiment/find.ts';
import { loadExperiment } from '../experiment/load.ts';
import { stagesOf } from '../experiment/stages.ts';
import { OF_TOGETHER, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, takeFolder } from '../run/folder.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { formatEstimate, formatStandardError } from '../terminal/numbers.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseDevice } from './choose-device.ts';
import { asDeviceName } from './device-name.ts';
import type { EstimateCommandOptions } from './estimate.ts';

/** Options that say something of one experiment. */
const OF_ONE = [
  'video',
  'track',
  'resume',
  'seed',
  'iterations',
  'starts',
  'from',
  'intervals',
  'verify',
  'plan',
] as const;
/** Exit code where the result is not trusted. */
const DISTRUSTED = 3;

/**
 * `gradsim estimate` of several experiments, such as films of one thing: what they share has one value, and each has its camera
 * and all else to itself. Prints what is found, and writes `together.json`. Returns the exit code: 3 where the result is not to
 * be trusted.
 * @throws before anything runs, for experiments that are not there, and without a name of what they share.
 */
export async function togetherCommand(
  names: readonly string[],
  options: EstimateCommandOptions,
  terminal: Terminal,
): Promise<number> {
  const { json = false, quiet = false, force = false, out, shared = [] } = options;
  const extra = [
    ...OF_ONE.filter((option) => options[option] !== undefined).map((option) => `--${option}`),
    ...(Object.keys(options.set).length > 0 ? ['--set'] : []),
  ];
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
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const files = names.map(findExperiment);
  const twice = files.find((file, k) => files.indexOf(file) !== k);
  if (twice !== undefined)
    throw new GradsimError('gradsim/options-contradict', `${twice} is named twice: one film says nothing twice.`);
  const loaded = [];
  for (const file of files) loaded.push(await loadExperiment(file));
  const [{ engine, experiment: first }] = loaded;
  const folder = `${first.name}-together`;
  chooseFolder(out, folder, force);
  const { device, printProfile } = await chooseDevice(engine.core, deviceName, options, terminal);
  const interrupt = watchInterrupt(() => terminal.say('Stopping after this film.'), undefined, true);
  const { signal } = interrupt;
  const say = json ? terminal.say : terminal.print;
  try {
    const recordings: Recording[] = [];
    for (const [k, { experiment }] of loaded.entries()) {
      const name = names[k];
      const log = (line: string): void => (quiet ? undefined : terminal.say(`${name}: ${line}`));
      const stages = await stagesOf(experiment, { device, settings: {}, log, signal });
      const stage = stages.at(-1);
      if (!stage) throw new GradsimError('gradsim/no-stage', `The experiment "${experiment.name}" has no stages.`);
      const known = stage.problem.parameters?.map((spec) => spec.name) ?? [];
      const other = shared.find((one) => !known.includes(one));
      if (other !== undefined)
        throw new GradsimError('gradsim/option-wrong', `--shared ${other}: ${name} has no such unknown.`, {
          field: '--shared',
          hint: `It has ${known.join(', ')}.`,
        });
      recordings.push({ name, problem: stage.problem });
    }
    const alone: Recording[] = [];
    for (const { name, problem } of recordings) {
      if (signal.aborted) return interrupt.code();
      if (!quiet) terminal.say(`${name}: alone ...`);
      alone.push({ name, problem, alone: await engine.optim.estimate(problem, { device, signal }) });
    }
    if (signal.aborted) return interrupt.code();
    const found = await engine.optim.estimateTogether(alone, { shared }, { device, signal });
    const result = resultOf(alone, found);
    const taken = takeFolder(out, folder, force);
    try {
      if (force) removeEarlier(taken.path, OF_TOGETHER);
      taken.write('together.json', `${JSON.stringify(result, null, 2)}\n`);
    } finally {
      taken.close();
    }
    if (json) terminal.print(JSON.stringify(result));
    for (const line of linesOf(alone, found)) say(line);
    return found.verdict.trusted ? interrupt.code() : DISTRUSTED;
  } catch (error) {
    if (signal.aborted) return interrupt.code();
    throw error;
  } finally {
    interrupt.dispose();
    printProfile();
    device.dispose();
  }
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

/** Lines for a person: a table of what is shared, together and by each alone, and what speaks against it. */
function linesOf(recordings: readonly Recording[], { shared, verdict }: TogetherEstimate): string[] {
  const table = Object.entries(shared).flatMap(([name, { estimate, standardError, unit }]) => {
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
  });
  return [
    verdict.trusted ? 'The result can be trusted.' : 'The result is not to be trusted:',
    ...verdict.findings.map(({ note }) => note),
    ...alignColumns([['shared', 'estimate', '±', 'unit'], ...table]),
  ];
}
