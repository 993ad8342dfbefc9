import type { Device } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { WorkerStage } from './messages.ts';

/** Interval between signs of life, ms. */
const PAUSE = 50;

/**
 * Signs of life of a worker, with its stage: from a timer while it waits, and from the device while computing blocks
 * the thread.
 */
export class Pulse {
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #beat: (stage: WorkerStage) => void;
  #stage: WorkerStage = 'loading';
  #last = Number.NEGATIVE_INFINITY;
  #hasStopped = false;

  constructor(beat: (stage: WorkerStage) => void) {
    this.#beat = beat;
    this.#timer = setInterval(() => this.feel(), PAUSE);
  }

  /** Ends work with the device: its next call throws. */
  stop(): void {
    this.#hasStopped = true;
    clearInterval(this.#timer);
  }
  #refuse(): void {
    if (this.#hasStopped) throw new GradsimError('optim/ended', 'The estimation was ended.');
  }

  /** Sends a sign of life if one is due; called as often as possible. */
  feel(): void {
    const now = performance.now();
    if (now - this.#last < PAUSE) return;
    this.#last = now;
    this.#beat(this.#stage);
  }

  enter(stage: WorkerStage): void {
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#last = performance.now();
    this.#beat(stage);
  }

  /** Wraps a device so that its calls send signs of life. The device must not be shared. */
  of(device: Device): Device {
    const createExecutor = device.createExecutor.bind(device);
    device.createExecutor = async (spec) => {
      this.#refuse();
      this.enter('compiling');
      const executor = await createExecutor(spec);
      this.feel();
      const run = executor.run.bind(executor);
      executor.run = (program, registers, only) => {
        this.#refuse();
        this.enter('running');
        run(program, registers, only);
        this.feel();
      };
      return executor;
    };
    return device;
  }
}
