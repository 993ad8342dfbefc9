import type { Device } from '@gradsim/core';
import { GradsimError, selectDevice } from '@gradsim/core';
import { estimate } from '../estimate.ts';
import { Objective } from '../objective/objective.ts';
import type { Iteration } from '../posterior/found.ts';
import type { Current, Estimate } from '../result.ts';
import { EstimateError } from '../result.ts';
import { Unknowns } from '../unknowns/unknowns.ts';
import { failureOf } from './failure.ts';
import { holdLock } from './lock.ts';
import type { MakeProblem } from './make-problem.ts';
import type { Report, Task } from './messages.ts';
import { AlivePulse } from './pulse.ts';

type Post = (report: Report, transfer?: readonly ArrayBuffer[]) => void;

/** Runs the task of a worker and reports to the page. */
export class Work {
  readonly #post: Post;
  readonly #pulse: AlivePulse;
  readonly #ending = new AbortController();
  #over = Promise.resolve();

  constructor(post: Post) {
    this.#post = post;
    this.#pulse = new AlivePulse((stage) => post({ kind: 'alive', stage }));
  }

  /** Runs a task; the last message reports success or failure. */
  run(task: Task, problemOf: () => MakeProblem): void {
    this.#over = this.#run(task, problemOf);
  }
  async #run(task: Task, problemOf: () => MakeProblem): Promise<void> {
    // Before anything of the problem runs: without it the page would not notice the end of the worker.
    if (task.lock && (await holdLock(task.lock))) this.#post({ kind: 'held' });
    this.#pulse.enter('building');
    try {
      const make = problemOf();
      const { threads, workerUrl } = task;
      const device = await selectDevice(task.device, { threads, workerUrl });
      this.#post({ kind: 'opened', device: device.kind });
      const found = await this.#estimate(task, make, device).finally(() => device.dispose());
      this.#post({ kind: 'done', estimate: found });
    } catch (error) {
      // The best so far has been reported.
      const cause = error instanceof EstimateError ? error.cause : error;
      this.#post({ kind: 'failed', failure: failureOf(cause) });
    }
  }

  async #estimate({ settings, frames }: Task, make: MakeProblem, own: Device): Promise<Estimate> {
    const device = this.#pulse.wrapDevice(own);
    const problem = await make({
      settings,
      device,
      signal: this.#ending.signal,
      onProgress: (step, fraction) => this.#post({ kind: 'building', building: { step, fraction } }),
    });
    if (frames.length > 0) refuseUnseen(new Objective(problem, new Unknowns(problem)), frames);
    this.#pulse.enter('compiling');
    const show = new Show(frames);
    return estimate(problem, {
      device,
      onIteration: async (line, of, current) => {
        const shown = await show.read(current);
        this.#post(progress(line, of, current, shown), Object.values(shown).map(bufferOf));
      },
    });
  }

  /** Ends the task; the promise resolves when the device is released. */
  end(): Promise<void> {
    this.#pulse.stop();
    this.#ending.abort(new GradsimError('optim/ended', 'The estimation was ended.'));
    return this.#over;
  }
}

/** Makes the message that is sent after every iteration, with the best result, in case the worker ends suddenly. */
const progress = (line: Iteration, of: number, { best }: Current, frames: RecordedFrames): Report => ({
  kind: 'progress',
  line,
  of,
  frames,
  best: { ...best(), history: [] },
});

const bufferOf = ({ buffer }: Float64Array): ArrayBuffer => buffer as ArrayBuffer;

/** Checks the requested frames. @throws for a field that no observation or loss uses, so that it is not recorded. */
function refuseUnseen({ fields }: Objective, frames: readonly string[]): void {
  const other = frames.find((key) => !fields.includes(key));
  if (other !== undefined)
    throw new GradsimError(
      'optim/unseen-frames',
      `\`frames\` asks for ${other}, which no observation and no loss looks at, so that no run keeps it. There are: ${fields.join(', ')}.`,
    );
}

type RecordedFrames = Readonly<Record<string, Float64Array>>;

/** Minimum interval between frames sent to the page, ms. */
const MIN_FRAME_INTERVAL = 50;
/** Minimum interval between frames sent to the page, as a multiple of the time that reading them takes. */
const MIN_INTERVAL_RATIO = 4;

/** Reads the requested frames for progress messages, not too often and with limited cost. */
class Show {
  readonly #fields: readonly string[];
  #next = Number.NEGATIVE_INFINITY;

  constructor(fields: readonly string[]) {
    this.#fields = [...new Set(fields)];
  }

  /** Reads all frames of the requested fields, by key; returns none if it is too soon after the last time. */
  async read({ frames }: Current): Promise<RecordedFrames> {
    const began = performance.now();
    if (this.#fields.length === 0 || began < this.#next) return {};
    const all = await Promise.all(this.#fields.map(async (field) => [field, await frames(field)] as const));
    const now = performance.now();
    this.#next = now + Math.max(MIN_FRAME_INTERVAL, MIN_INTERVAL_RATIO * (now - began));
    return Object.fromEntries(all);
  }
}
