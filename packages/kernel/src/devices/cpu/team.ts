import { Workers } from './workers.ts';

/** The workers of a device, started when a model first needs them. */
export class Team {
  readonly threads: number;
  /** Whether they are there before a model runs. */
  readonly startsAtOnce: boolean;
  #workers: Workers | null = null;
  constructor(threads: number, startsAtOnce: boolean) {
    this.threads = threads;
    this.startsAtOnce = startsAtOnce;
  }
  get workers(): Workers {
    this.#workers ??= new Workers(this.threads);
    return this.#workers;
  }
  dispose(): void {
    this.#workers?.dispose();
    this.#workers = null;
  }
}
