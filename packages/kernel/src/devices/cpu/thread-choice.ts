/** One thread, or all of them together. */
export type Way = 'alone' | 'together';

/** Milliseconds that a run of a trial takes on one thread, about. */
const TRIAL = 3;
/** Runs of a trial. The first one of threads that slept is not counted: waking them can take as long. */
const TRIAL_RUNS = { alone: 1, together: 3 } as const satisfies Record<Way, number>;
/** Factor by which more time is spent on the faster way than on trials of the other one. */
const PATIENCE = 25;
/**
 * Weight of a time in the pace of a way where it is slower than before, as a multiple of which it counts at most: a run may
 * have been descheduled. Where it is faster, it is the pace.
 */
const [SLOWER, OUTLIER] = [0.25, 3];
/** Fraction of the pace of the chosen way below which the other one is chosen. */
const GAIN = 0.95;

const otherThan = (way: Way): Way => (way === 'alone' ? 'together' : 'alone');

/**
 * Chooses how many threads run a program, by the time that its rows take: threads gain nothing where phases are short,
 * where cores are slow to pass on data, or where another program has the other core, and none of it can be known
 * beforehand. Both ways are timed at first; then the faster one runs, and the other is timed again now and then (some 4 %
 * of the time), so that the choice follows what else the machine is doing.
 */
export class ThreadChoice {
  /** Milliseconds a row. */
  readonly #pace = { alone: Number.POSITIVE_INFINITY, together: Number.POSITIVE_INFINITY };
  #chosen: Way = 'alone';
  #last: Way = 'alone';
  /** Runs that are left of a trial of the other way, and the milliseconds that the last trial of each way took. */
  #trialRuns = 0;
  readonly #cost = { alone: 0, together: 0 };
  /** Milliseconds that the chosen way ran since the last trial. */
  #since = 0;

  /** How many of `left` rows to run next, and how: by one thread until the others are ready. */
  next(left: number, areReady: boolean): { way: Way; rows: number } {
    const rows = this.#rowsFor(left, TRIAL);
    if (!areReady) return { way: 'alone', rows };
    const other = otherThan(this.#chosen);
    const pace = this.#pace[other];
    const isKnown = pace < Number.POSITIVE_INFINITY;
    const wait = isKnown ? PATIENCE * Math.max(this.#cost[other], TRIAL_RUNS[other] * pace * rows) : 0;
    if (this.#trialRuns === 0 && this.#since >= wait) {
      this.#trialRuns = TRIAL_RUNS[other];
      this.#cost[other] = 0;
    }
    if (this.#trialRuns > 0) return { way: other, rows };
    return { way: this.#chosen, rows: this.#rowsFor(left, wait) };
  }

  /** Notes that rows took so many milliseconds. */
  took(way: Way, rows: number, ms: number): void {
    const isWoken = way === 'together' && this.#last === 'alone';
    this.#last = way;
    if (!isWoken) this.#pace[way] = paceAfter(this.#pace[way], ms / rows);
    if (way === this.#chosen) this.#since += ms;
    else {
      this.#trialRuns--;
      this.#cost[way] += ms;
      this.#since = 0;
    }
    const other = otherThan(this.#chosen);
    if (this.#pace[other] >= GAIN * this.#pace[this.#chosen]) return;
    this.#chosen = other;
    this.#trialRuns = 0;
    this.#since = 0;
  }

  /** Rows that one thread runs in so many milliseconds, or all where few would be left; the first row shows the pace. */
  #rowsFor(left: number, ms: number): number {
    const { alone } = this.#pace;
    const rows = alone === Number.POSITIVE_INFINITY ? 1 : Math.max(1, Math.ceil(ms / alone));
    return 2 * rows > left ? left : rows;
  }
}

const paceAfter = (before: number, newest: number): number =>
  newest <= before ? newest : before + SLOWER * (Math.min(newest, OUTLIER * before) - before);
