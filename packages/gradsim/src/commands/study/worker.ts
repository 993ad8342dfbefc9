import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { queueAddress } from '../../queue/address.ts';
import { connectQueue } from '../../queue/connection.ts';
import { runWorker } from '../../queue/worker.ts';
import { readDataFolder } from '../../study/load/data-folder.ts';
import { loadStudy } from '../../study/load/load-study.ts';
import { recordOf } from '../../study/load/version.ts';
import { watchInterrupt } from '../../terminal/interrupt.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { megabytesOf, type TrialCommandOptions } from './sweep.ts';

/** Options of `gradsim worker`. */
export interface WorkerCommandOptions extends TrialCommandOptions {
  readonly queue: string;
  readonly concurrency: number;
  readonly data?: string;
  readonly out: string;
  readonly lease: number;
}

/**
 * `gradsim worker`: runs trials from a queue until a signal; running trials are finished first. Returns 0.
 * @throws for a study that cannot be loaded, a server that cannot be used, and if only another version of the study is
 * queued there.
 */
export async function workerCommand(file: string, options: WorkerCommandOptions, terminal: Terminal): Promise<number> {
  const { say } = terminal;
  const { concurrency, lease } = options;
  const source = { study: resolve(file) };
  const loaded = await loadStudy(source);
  const data = options.data === undefined ? undefined : await readDataFolder(options.data);
  const record = recordOf(loaded, data, file, 1);
  const connection = await connectQueue(queueAddress(options.queue), say);
  const interrupt = watchInterrupt(
    () => say('Stopping after the trials that run; interrupt once more to end at once.'),
    () => say('Ended. Others take the trials that ran.'),
  );
  try {
    say(`Taking trials of ${file} from ${connection.text}, ${concurrency} side by side, on ${hostname()}.`);
    const { trials, failed } = await runWorker({
      source,
      code: loaded.code,
      out: resolve(options.out),
      data: data?.path,
      megabytes: megabytesOf(options, concurrency),
      connection,
      record,
      concurrency,
      lease,
      say,
      signal: interrupt.signal,
    });
    say(`Ran ${trials} trials, ${failed} of which failed.`);
    return 0;
  } finally {
    interrupt.dispose();
    connection.close();
  }
}
