/** What a simulation has run, and what may be asked of it now. */
export class RunState {
  #hasRun = false;
  #hasRunBack = false;
  /** Whether an input was set since the last run forward. */
  #hasChanged = false;
  /** Whether the run was gone through again to find where a value that is not finite came from. */
  #isSpoilt = false;
  #isDisposed = false;
  #underWay: 'run' | 'runBack' | null = null;
  /** Runs forward so far. */
  #count = 0;

  get hasRun(): boolean {
    return this.#hasRun;
  }
  get hasRunBack(): boolean {
    return this.#hasRunBack;
  }
  get hasChanged(): boolean {
    return this.#hasChanged;
  }
  /** Tells one run forward from another. */
  get run(): number {
    return this.#count;
  }

  /** A run forward begins. */
  start(): void {
    this.#count++;
    this.#hasRun = false;
    this.#hasRunBack = false;
    this.#isSpoilt = false;
    this.#hasChanged = false;
  }
  done(): void {
    this.#hasRun = true;
  }

  /** A run back begins. */
  startBack(): void {
    this.refuseWhileRunning('A run back');
    if (!this.#hasRun) throw new Error('backward() needs a forward() before it.');
    if (this.#isSpoilt)
      throw new Error(
        'The run had values that are not finite, as reading it said, so there is no gradient of it.',
      );
    if (this.#hasChanged)
      throw new Error(
        'An input was set since the last forward(), so there is no gradient of that run any more. Run forward() again before backward().',
      );
    this.#hasRunBack = false;
  }
  doneBack(): void {
    this.#hasRunBack = true;
  }

  /** An input is set. */
  change(): void {
    this.#hasChanged = true;
  }
  /** What the run left is no longer what it was. */
  forget(): void {
    this.#hasRun = false;
  }
  spoil(): void {
    this.#isSpoilt = true;
  }
  dispose(): void {
    this.#isDisposed = true;
  }

  /** Has everything else refused while `act` goes on. */
  async during(what: 'run' | 'runBack', act: () => Promise<void>): Promise<void> {
    this.#underWay = what;
    try {
      await act();
    } finally {
      this.#underWay = null;
    }
  }

  /** Refuses what would be spoilt, or would spoil what is under way. */
  refuseWhileRunning(what: string): void {
    if (this.#isDisposed) throw new Error(`${what}: this simulation was disposed of.`);
    if (this.#underWay) throw new Error(`${what} while ${this.#underWay}() is under way; await that first.`);
  }
  refuseBeforeRun(what: string): void {
    this.refuseWhileRunning(what);
    if (!this.#hasRun) throw new Error(`${what} needs a forward() before it.`);
  }
}
