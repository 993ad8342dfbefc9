import { GradsimError } from '@gradsim/kernel';
/** What a simulation has run, and what may be asked of it now. */
export class RunState {
  #hasRun = false;
  #hasRunBack = false;
  /** Whether it goes frame by frame. */
  #isStepped = false;
  /** Whether an input was set since the last run forward. */
  #hasChanged = false;
  /** The error for a value that is not finite, once what the run left was gone through to find where it came from. */
  #spoilt: Error | null = null;
  #isDisposed = false;
  #underWay: 'run' | 'runBack' | null = null;
  /** Runs forward so far, and steps. */
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
  /** Tells one run forward from another, and one step from the next. */
  get run(): number {
    return this.#count;
  }

  /** A run forward begins, of all frames or of one after the other. */
  start(isStepped: boolean): void {
    this.#count++;
    this.#isStepped = isStepped;
    this.#hasRun = false;
    this.#hasRunBack = false;
    this.#spoilt = null;
    this.#hasChanged = false;
  }
  done(): void {
    this.#hasRun = true;
  }

  /** A step goes on from what has run. */
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

  /** A run back begins. */
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

  /** An input is set. */
  change(): void {
    this.#hasChanged = true;
  }
  /** What the run left is no longer what it was. */
  forget(): void {
    this.#hasRun = false;
  }
  spoil(error: Error): void {
    this.#spoilt = error;
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
