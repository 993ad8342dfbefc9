// The process that runs trials, one after another, as its parent sends them.

import { loadStudy } from '../study/load/load-study.ts';
import type { LoadedStudy } from '../study/load/source.ts';
import type { RunMessage, TrialMessage, TrialProcessOptions } from '../study/processes/messages.ts';
import { messageOf } from '../terminal/describe.ts';
import { isMachineTrouble } from './machine-trouble.ts';
import { runTrial } from './run-trial.ts';
import { watchProcess } from './watch.ts';

const options = JSON.parse(process.argv[2]) as TrialProcessOptions;
/** Folders that a trial needs, and did not make. */
const folders = [options.out, ...(options.data === undefined ? [] : [options.data])];
const memory = watchProcess(options.megabytes, options.parent);
const send = (message: TrialMessage): void => {
  if (process.connected) process.send!(message);
};
// The parent that waits for the trial is gone.
process.on('disconnect', () => process.exit(1));

async function load(): Promise<LoadedStudy | undefined> {
  try {
    const loaded = await loadStudy(options.source);
    send({ kind: 'loaded', code: loaded.code });
    return loaded;
  } catch (error) {
    send({ kind: 'not loaded', message: messageOf(error) });
    return undefined;
  }
}

async function run(loaded: LoadedStudy, message: RunMessage): Promise<void> {
  memory.restart();
  const began = process.cpuUsage();
  const cost = (): { cpuSeconds: number; megabytes: number } => {
    const { user, system } = process.cpuUsage(began);
    return { cpuSeconds: (user + system) / 1e6, megabytes: memory.largest() };
  };
  try {
    const { result, summary } = await runTrial(loaded, message, options);
    send({ kind: 'done', result, summary, ...cost() });
  } catch (error) {
    send({ kind: 'threw', message: messageOf(error), isMachine: isMachineTrouble(error, folders), ...cost() });
  }
}

const loaded = await load();
if (loaded) process.on('message', (message: RunMessage) => void run(loaded, message));
