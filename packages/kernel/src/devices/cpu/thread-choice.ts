/** Run mode: one thread, or all of them together. */
export type ThreadMode = 'alone' | 'together';

/** Approximate duration of a trial run on one thread, ms. */
const TRIAL_MS = 3;
/** Runs per trial. The first run of threads that slept is not counted: waking them can take as long. */
const TRIAL_RUNS = { alone: 1, together: 3 } as const satisfies Record<ThreadMode, number>;
/** Ratio of time spent on the faster mode to time spent on trials of the other one. */
const RUN_PER_TRIAL = 25;
/**
 * Weight of a new, slower time in the running average of a mode, and the multiple of that average at which it is
 * clamped: the run may have been descheduled. A faster time replaces the average.
 */
const [SLOWER, OUTLIER] = [0.25, 3];
/** Ratio of the other mode's time per row to that of the chosen mode below which the modes are switched. */
const SWITCH_RATIO = 0.95;

const otherThan = (mode: ThreadMode): ThreadMode => (mode === 'alone' ? 'together' : 'alone');

/**
 * Chooses the number of threads for a program by measuring its rows: threads gain nothing where phases are short, where
 * cores are slow to pass on data, or where another program occupies the other core, and none of this can be known
 * beforehand. Both modes are timed at first; then the faster one runs, and the other is timed again now and then (about
 * 4 % of the time), so that the choice follows the load of the machine.
 */
export class ThreadChoice {
  /** Average time per row of each mode, ms. */
  readonly #pace = { alone: Number.POSITIVE_INFINITY, together: Number.POSITIVE_INFINITY };
  #chosen: ThreadMode = 'alone';
  #last: ThreadMode = 'alone';
  /** Number of runs left of the current trial of the other mode. */
  #trialRuns = 0;
  readonly #cost = { alone: 0, together: 0 };
  /** Milliseconds that the chosen mode ran since the last trial. */
  #since = 0;

  /**
   * Returns how many of the `left` rows to run next, and in which mode: on one thread until the other threads are
   * ready.
   */
  nextRun(left: number, areReady: boolean): { mode: ThreadMode; rows: number } {
    const rows = this.#rowsFor(left, TRIAL_MS);
    if (!areReady) return { mode: 'alone', rows };
    const other = otherThan(this.#chosen);
    const pace = this.#pace[other];
    const isKnown = pace < Number.POSITIVE_INFINITY;
    const wait = isKnown ? RUN_PER_TRIAL * Math.max(this.#cost[other], TRIAL_RUNS[other] * pace * rows) : 0;
    if (this.#trialRuns === 0 && this.#since >= wait) {
      this.#trialRuns = TRIAL_RUNS[other];
      this.#cost[other] = 0;
    }
    if (this.#trialRuns > 0) return { mode: other, rows };
    return { mode: this.#chosen, rows: this.#rowsFor(left, wait) };
  }

  /** Records the duration of a run of rows, and switches modes if the other one is faster. */
  recordRun(mode: ThreadMode, rows: number, ms: number): void {
    const isWoken = mode === 'together' && this.#last === 'alone';
    this.#last = mode;
    if (!isWoken) this.#pace[mode] = paceAfter(this.#pace[mode], ms / rows);
    if (mode === this.#chosen) this.#since += ms;
    else {
      this.#trialRuns--;
      this.#cost[mode] += ms;
      this.#since = 0;
    }
    const other = otherThan(this.#chosen);
    if (this.#pace[other] >= SWITCH_RATIO * this.#pace[this.#chosen]) return;
    this.#chosen = other;
    this.#trialRuns = 0;
    this.#since = 0;
  }

  /**
   * Returns the rows that one thread runs in `ms` milliseconds, or all where few would be left; the first row measures
   * the pace.
   */
  #rowsFor(left: number, ms: number): number {
    const { alone } = this.#pace;
    const rows = alone === Number.POSITIVE_INFINITY ? 1 : Math.max(1, Math.ceil(ms / alone));
    return 2 * rows > left ? left : rows;
  }
}

const paceAfter = (before: number, newest: number): number =>
  newest <= before ? newest : before + SLOWER * (Math.min(newest, OUTLIER * before) - before);
