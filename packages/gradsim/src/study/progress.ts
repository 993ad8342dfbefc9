import { formatNumber, formatSeconds } from '../terminal/numbers.ts';
import { printable } from '../terminal/printable.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { RunningMedians } from './medians.ts';
import type { Outcome } from './results/outcome.ts';

/** Maximum number of values whose medians are shown in the progress line. */
const MAX_SHOWN = 4;
/**
 * Minimum interval between progress lines when not on a terminal, s; up to the maximum the interval is a quarter of the
 * elapsed time.
 */
const SHORTEST_PAUSE = 2;
/** Maximum interval between progress lines when not on a terminal, s. */
const LONGEST_PAUSE = 30;
/** Minimum interval between redraws of the line on a terminal, s. */
const MIN_REDRAW_SECONDS = 0.1;

/** Display of a study's progress. */
export interface StudyProgress {
  readonly update: (outcome: Outcome) => void;
  /** Removes the display. */
  readonly end: () => void;
}

/** Shows progress: a line that is redrawn on a terminal, occasional lines elsewhere, nothing if quiet. */
export async function showStudyProgress(
  all: number,
  before: number,
  terminal: Terminal,
  quiet: boolean,
): Promise<StudyProgress> {
  if (quiet) return { update: () => {}, end: () => {} };
  const counts = new ProgressCounts(all, before);
  return terminal.isInteractive ? drawLine(counts) : writeLines(counts, terminal);
}

async function drawLine(counts: ProgressCounts): Promise<StudyProgress> {
  const { default: ora } = await import('ora');
  // Raw mode would keep Ctrl+C from arriving as a signal.
  const spinner = ora({ text: 'preparing', stream: process.stderr, discardStdin: false }).start();
  let next = 0;
  return {
    update: (outcome) => {
      counts.add(outcome);
      if (counts.seconds < next) return;
      next = counts.seconds + MIN_REDRAW_SECONDS;
      spinner.text = printable(counts.text());
    },
    end: () => spinner.stop(),
  };
}

function writeLines(counts: ProgressCounts, terminal: Terminal): StudyProgress {
  // The first trials wait for their processes, so they are excluded from the rate.
  let next = SHORTEST_PAUSE;
  return {
    update: (outcome) => {
      counts.add(outcome);
      const { seconds } = counts;
      if (seconds < next && !counts.isComplete) return;
      next = seconds + Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, seconds / 4));
      terminal.say(counts.text());
    },
    end: () => {},
  };
}

/** Counts finished trials, and describes their number, rate, the time left, and medians. */
class ProgressCounts {
  readonly #all: number;
  readonly #before: number;
  readonly #began = performance.now();
  readonly #medians = new RunningMedians();
  readonly #machines = new Set<string>();
  #count = 0;
  #failed = 0;

  constructor(all: number, before: number) {
    this.#all = all;
    this.#before = before;
  }

  add({ ended, from }: Outcome): void {
    this.#count++;
    if (from) this.#machines.add(from.machine);
    if (ended.status === 'failed') {
      this.#failed++;
      return;
    }
    this.#medians.add('seconds', ended.cost.seconds);
    for (const [name, value] of Object.entries(ended.summary))
      if (typeof value === 'number') this.#medians.add(name, value);
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000;
  }

  get isComplete(): boolean {
    return this.#before + this.#count === this.#all;
  }

  text(): string {
    const { seconds } = this;
    const [count, left] = [this.#count, this.#all - this.#before - this.#count];
    const machines = this.#machines.size;
    const shown = this.#medians.all().slice(0, MAX_SHOWN);
    return [
      `${this.#before + count} of ${this.#all} trials`,
      ...(this.#failed > 0 ? [`${this.#failed} failed`] : []),
      `${formatNumber(count / seconds, 3)} a second${machines > 1 ? ` on ${machines} machines` : ''}`,
      left > 0 ? `${formatSeconds((left * seconds) / count)} left` : `in ${formatSeconds(seconds)}`,
      ...(shown.length > 0
        ? [`medians: ${shown.map(([name, value]) => `${name} ${formatNumber(value, 4)}`).join(', ')}`]
        : []),
    ].join(', ');
  }
}
