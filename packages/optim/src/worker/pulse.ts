import type { Device } from '@gradsim/core';
import { GradsimError } from '@gradsim/core';
import type { WorkerStage } from './messages.ts';

/** Minimum interval between two alive messages, ms. */
const MIN_PULSE_INTERVAL = 50;

/**
 * Sends messages that the worker is alive, with its stage: from a timer while it waits, and from calls of the device
 * while computation blocks the thread.
 */
export class AlivePulse {
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #beat: (stage: WorkerStage) => void;
  #stage: WorkerStage = 'loading';
  #last = Number.NEGATIVE_INFINITY;
  #hasStopped = false;

  constructor(sendIfDue: (stage: WorkerStage) => void) {
    this.#beat = sendIfDue;
    this.#timer = setInterval(() => this.sendIfDue(), MIN_PULSE_INTERVAL);
  }

  /** Stops the messages, and makes the next call of the device throw, which ends the estimation. */
  stop(): void {
    this.#hasStopped = true;
    clearInterval(this.#timer);
  }
  #refuse(): void {
    if (this.#hasStopped) throw new GradsimError('optim/ended', 'The estimation was ended.');
  }

  /** Sends an alive message if one is due. */
  sendIfDue(): void {
    const now = performance.now();
    if (now - this.#last < MIN_PULSE_INTERVAL) return;
    this.#last = now;
    this.#beat(this.#stage);
  }

  enter(stage: WorkerStage): void {
    if (stage === this.#stage) return;
    this.#stage = stage;
    this.#last = performance.now();
    this.#beat(stage);
  }

  /** Modifies a device, in place, so that its calls send alive messages. The device must not be shared. */
  wrapDevice(device: Device): Device {
    const createExecutor = device.createExecutor.bind(device);
    device.createExecutor = async (spec) => {
      this.#refuse();
      this.enter('compiling');
      const executor = await createExecutor(spec);
      this.sendIfDue();
      const run = executor.run.bind(executor);
      executor.run = (program, registers, only) => {
        this.#refuse();
        this.enter('running');
        run(program, registers, only);
        this.sendIfDue();
      };
      return executor;
    };
    return device;
  }
}
