import { relative } from 'node:path';
import { GradsimError } from '@gradsim/core';
import { filmFiles } from '@gradsim/video';
import { findExperiment } from '../experiment/find.ts';
import { loadExperiment } from '../experiment/load.ts';
import { storedPlan } from '../experiment/plan-file.ts';
import type { PlanCommandOptions } from '../experiment/plan-options.ts';
import { PLAN_COLUMNS, planRow, planStage, wantedOf } from '../experiment/plan-stage.ts';
import { stagesOf } from '../experiment/stages.ts';
import { readFound, resultFile } from '../experiment/start-from.ts';
import { filmOf, sayTrack } from '../experiment/track.ts';
import { isRobotFile, planRobot } from '../robot/plan.ts';
import { OF_PLANS, removeEarlier } from '../run/earlier.ts';
import { chooseFolder, takeFolder } from '../run/folder.ts';
import { alignColumns } from '../terminal/align-columns.ts';
import { watchInterrupt } from '../terminal/interrupt.ts';
import { readingLines } from '../terminal/progress.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { chooseDevice } from './device/choose-device.ts';
import { asDeviceName } from './device/device-name.ts';

/**
 * `gradsim plan`: foretells which experiment to do next, by the model of an experiment with its priors and tolerances, and
 * stores it, so that `gradsim estimate --plan` says whether it was kept. Of a robot's file it plans the motion of a log.
 * @throws before anything is written, for an experiment that cannot be planned.
 */
export async function planCommand(name: string, options: PlanCommandOptions, terminal: Terminal): Promise<number> {
  const { json = false, force = false, from, choose } = options;
  if (json) terminal.reserveOutput?.();
  if (isRobotFile(name)) return planRobot(name, options, terminal);
  const video = filmOf(options.video, options.track);
  const deviceName = asDeviceName(options.device, ['auto', 'cpu', 'webgpu', 'f64']);
  const file = findExperiment(name);
  if (video !== undefined) {
    await filmFiles(video);
    await sayTrack(video, terminal);
  }
  if (from !== undefined) resultFile(from);
  const { experiment, engine } = await loadExperiment(file);
  const folder = `plan-${experiment.name}`;
  chooseFolder(options.out, folder, force);
  const { device } = await chooseDevice(engine.core, deviceName, { threads: options.threads }, terminal);
  const interrupt = watchInterrupt(() => {}, undefined, true);
  const { signal } = interrupt;
  try {
    const onProgress = readingLines(terminal.say);
    const context = { device, video, settings: options.set, log: terminal.say, signal, onProgress };
    const stages = await stagesOf(experiment, context);
    const stage = stages.at(-1);
    if (!stage) throw new GradsimError('gradsim/no-stage', `The experiment "${experiment.name}" has no stages.`);
    const wanted = wantedOf(stage, options.wanted);
    const found = from === undefined ? undefined : readFound(from, stage.name);
    if (!found && stage.problem.observations?.some(({ noise }) => noise === undefined))
      throw new GradsimError(
        'gradsim/option-missing',
        `${experiment.name} does not state the noise of what it observes.`,
        {
          hint: 'Estimate first, and give its result: --from RESULT.',
        },
      );
    const plan = await planStage(engine, stage, wanted, found, { device, signal });
    const all = [plan.now, ...plan.planned];
    const chosen = plan.planned[choose - 1];
    if (!chosen)
      throw new GradsimError(
        'gradsim/option-wrong',
        `--choose ${choose}: there are ${plan.planned.length} experiments.`,
        {
          field: '--choose',
        },
      );
    const stored = storedPlan({ plan: experiment.name, stage: stage.name, wanted, chosen: chosen.words }, plan);
    const files = takeFolder(options.out, folder, force);
    try {
      if (force) removeEarlier(files.path, OF_PLANS, from === undefined ? [] : [resultFile(from)]);
      files.write('plan.json', `${JSON.stringify(stored, null, 2)}\n`);
    } finally {
      files.close();
    }
    if (json) terminal.print(JSON.stringify(stored));
    const say = json ? terminal.say : terminal.print;
    for (const line of alignColumns([PLAN_COLUMNS(wanted), ...all.map((own) => planRow(own, wanted))])) say(line);
    for (const { words, reason } of plan.failed) say(`To ${words} cannot be foretold: ${reason}`);
    say(
      from === undefined
        ? 'By the noise that was stated or read in the film, at the values from which a search would start. --from RESULT takes those that an estimate found, and its noise.'
        : 'By the values that the estimate found: its standard errors times what each experiment makes of them.',
    );
    const path = relative('.', files.path) || '.';
    terminal.say(
      `Once "${chosen.words}" is done: gradsim estimate EXPERIMENT --plan ${path} says whether it was kept.`,
    );
    return 0;
  } catch (error) {
    if (signal.aborted) return interrupt.code();
    throw error;
  } finally {
    interrupt.dispose();
    device.dispose();
  }
}
