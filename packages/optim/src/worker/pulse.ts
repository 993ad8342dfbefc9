import type { Device } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { WorkerStage } from './messages.ts';

/** From one sign of life to the next, ms. */
const PAUSE = 50;

/**
 * Signs of life from a worker, and what it is at: from a timer while it waits, and from the device while it computes, which
 * keeps a thread to itself.
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

  /** Has what works with the device come to an end: it throws where it next wants something of it. */
  stop(): void {
    this.#hasStopped = true;
    clearInterval(this.#timer);
  }
  #refuse(): void {
    if (this.#hasStopped) throw new GradsimError('optim/ended', 'The estimation was ended.');
  }

  /** Called as often as can be. */
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

  /** The device, as it is, that tells of its work. It has to be one that nobody else has. */
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
