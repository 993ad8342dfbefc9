import { GradsimError } from '@gradsim/base';
/** Progress of a simulation, which decides the requests that are valid now. */
export class RunState {
  #hasRun = false;
  #hasRunBack = false;
  /** True if the simulation is stepped frame by frame. */
  #isStepped = false;
  /** True if an input has been set since the last forward run. */
  #hasChanged = false;
  /** Error for a value that is not finite, once its origin has been located; else null. */
  #spoilt: Error | null = null;
  #isDisposed = false;
  #underWay: 'run' | 'runBack' | null = null;
  /** Number of forward runs and steps so far. */
  #count = 0;

  get hasRun(): boolean {
    return this.#hasRun;
  }
  get hasRunBack(): boolean {
    return this.#hasRunBack;
  }
  get isStepped(): boolean {
    return this.#isStepped;
  }
  get hasChanged(): boolean {
    return this.#hasChanged;
  }
  get spoilt(): Error | null {
    return this.#spoilt;
  }
  /** Number that identifies the current forward run or step. */
  get run(): number {
    return this.#count;
  }

  /**
   * Marks the start of a forward run.
   * @param isStepped true if it proceeds frame by frame.
   */
  start(isStepped: boolean): void {
    this.#count++;
    this.#isStepped = isStepped;
    this.#hasRun = false;
    this.#hasRunBack = false;
    this.#spoilt = null;
    this.#hasChanged = false;
  }
  markDone(): void {
    this.#hasRun = true;
  }

  /** Marks a step of one frame. */
  step(): void {
    if (this.#spoilt)
      throw new GradsimError(
        'core/not-finite',
        'The run has values that are not finite, as reading it said; restart() begins anew.',
        { cause: this.#spoilt },
      );
    this.#count++;
    this.#isStepped = true;
    this.#hasRunBack = false;
    this.#hasChanged = false;
  }

  /** Marks the start of a backward pass. */
  startBack(): void {
    this.refuseWhileRunning('A run back');
    if (!this.#hasRun) throw new GradsimError('core/no-forward-yet', 'backward() needs a forward() before it.');
    if (this.#spoilt)
      throw new GradsimError(
        'core/not-finite',
        'The run had values that are not finite, as reading it said, so there is no gradient of it.',
      );
    if (this.#hasChanged)
      throw new GradsimError(
        'core/input-set-since',
        'An input was set since the last forward(), so there is no gradient of that run any more.',
        { hint: 'Run forward() again before backward().' },
      );
    this.#hasRunBack = false;
  }
  doneBack(): void {
    this.#hasRunBack = true;
  }

  /** Returns whether run `run` and its backward pass were the last, with inputs that are as they were. */
  isStill(run: number): boolean {
    return this.#count === run && this.#hasRunBack && !this.#hasChanged && !this.#isDisposed;
  }

  /** Marks an input as changed. */
  change(): void {
    this.#hasChanged = true;
  }
  /** Marks the results of the run as outdated. */
  markOutdated(): void {
    this.#hasRun = false;
  }
  fail(error: Error): void {
    this.#spoilt = error;
  }
  dispose(): void {
    this.#isDisposed = true;
  }

  /** Refuses everything else while `act` runs. */
  async during(what: 'run' | 'runBack', act: () => Promise<void>): Promise<void> {
    this.#underWay = what;
    try {
      await act();
    } finally {
      this.#underWay = null;
    }
  }

  /** Refuses requests that would disturb the run in progress, or be disturbed by it. */
  refuseWhileRunning(what: string): void {
    if (this.#isDisposed) throw new GradsimError('core/disposed', `${what}: this simulation was disposed of.`);
    if (this.#underWay)
      throw new GradsimError('core/under-way', `${what} while ${this.#underWay}() is under way.`, {
        hint: 'Await that first.',
      });
  }
  refuseBeforeRunBack(what: string): void {
    this.refuseWhileRunning(what);
    if (!this.#hasRunBack) throw new GradsimError('core/no-backward-yet', `${what} needs a backward() before it.`);
  }
  refuseBeforeRun(what: string): void {
    this.refuseWhileRunning(what);
    if (!this.#hasRun)
      throw new GradsimError('core/no-forward-yet', `${what} needs a forward() or a step() before it.`);
  }
}
