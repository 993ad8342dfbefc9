import type { Current, Iteration } from '@gradsim/optim';
import { formatNumber, formatSeconds } from './numbers.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/** Method of a search, and the reason for its choice. */
type MethodChosen = Pick<Current, 'method' | 'methodReason'>;

/** Display of an estimation's progress. */
export interface Progress {
  readonly update: (iteration: Iteration, of: number, current: MethodChosen) => void;
  /** Removes the display; later calls have no effect. */
  readonly end: () => void;
}

/** Width of the progress bar, characters. */
const BAR = 24;
/**
 * Minimum interval between progress lines when not on a terminal, s; up to the maximum the interval is a quarter of the
 * elapsed time.
 */
const SHORTEST_PAUSE = 2;
/** Maximum interval between progress lines when not on a terminal, s. */
const LONGEST_PAUSE = 15;

/** Shows progress: a bar that is redrawn on a terminal, plain lines elsewhere, nothing if quiet. */
export async function showProgress(title: string, terminal: Terminal, quiet: boolean): Promise<Progress> {
  if (quiet) return { update: () => {}, end: () => {} };
  return terminal.isInteractive ? drawBar(title) : writeLines(title, terminal);
}

async function drawBar(stage: string): Promise<Progress> {
  // Nothing else needs it.
  const { default: ora } = await import('ora');
  const title = printable(stage);
  // Raw mode would keep Ctrl+C from arriving as a signal.
  const spinner = ora({ text: `${title}: preparing`, stream: process.stderr, discardStdin: false }).start();
  return {
    update: (iteration, of, { method }) => {
      const done = Math.round((BAR * Math.min(iteration.iteration, of)) / of);
      const bar = '█'.repeat(done) + '░'.repeat(BAR - done);
      spinner.text = printable(`${title} ${bar} ${method}, ${describe(iteration, of)}`);
      // Iterations keep the thread busy, so the spinner's own timer is late.
      spinner.render();
    },
    end: () => spinner.stop(),
  };
}

function writeLines(title: string, terminal: Terminal): Progress {
  let next = 0;
  let isNamed = false;
  return {
    update: (iteration, of, { method, methodReason }) => {
      if (!isNamed) terminal.say(`${title}: by ${method}, ${methodReason}`);
      isNamed = true;
      const isLast = iteration.iteration >= of;
      if (!isLast && iteration.seconds < next) return;
      next = iteration.seconds + pauseAfter(iteration.seconds);
      terminal.say(`${title}: ${describe(iteration, of)}`);
    },
    end: () => {},
  };
}

/** Pause until the next line, s. */
const pauseAfter = (seconds: number): number => Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, seconds / 4));

/** Maximum number of parameters whose values are shown. */
const MAX_LISTED = 4;

function describe({ iteration, loss, seconds, parameters }: Iteration, of: number): string {
  const all = Object.entries(parameters);
  const told = all.slice(0, MAX_LISTED).map(([name, value]) => `${name} ${formatNumber(value, 4)}`);
  const more = all.length > MAX_LISTED ? [`${all.length - MAX_LISTED} more`] : [];
  // Few searches take all the iterations that they are allowed.
  const left =
    iteration > 0 && iteration < of ? `, at most ${formatSeconds((seconds / iteration) * (of - iteration))} left` : '';
  return [
    `iteration ${iteration} of ${of}, loss ${formatNumber(loss, 4)}`,
    ...told,
    ...more,
    `${formatSeconds(seconds)}${left}`,
  ].join(', ');
}

/** Progress of reading a film: says every few seconds which part of it is done; nothing of what takes no longer. */
export function everyFewSeconds(title: string, say: (line: string) => void): (done: number, of: number) => void {
  const began = performance.now();
  let next = SHORTEST_PAUSE;
  return (done, of) => {
    const seconds = (performance.now() - began) / 1000;
    if (seconds < next || done === of) return;
    next = seconds + pauseAfter(seconds);
    const left = done > 0 ? `, some ${formatSeconds((seconds / done) * (of - done))} left` : '';
    say(`${title}: ${Math.floor((100 * done) / of)} %${left}`);
  };
}

/** Progress of what an experiment reads, see {@link everyFewSeconds}; says what follows a long reading. */
export function readingLines(say: (line: string) => void): (step: 'reading' | 'masks', done: number) => void {
  let isLong = false;
  const reading = everyFewSeconds('Reading the film', (line) => {
    isLong = true;
    say(line);
  });
  return (step, done) => {
    if (step === 'reading') reading(done, 1);
    else if (isLong) say('Looking for what moves in it.');
  };
}
