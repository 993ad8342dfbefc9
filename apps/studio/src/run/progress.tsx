import type { WorkerProgress } from '@gradsim/optim';
import type { JSX } from 'preact';
import { valueText } from '../../../../packages/gradsim/src/components/index.ts';

const STEPS = ['reading', 'masks', 'start', 'search'] as const;
const TITLES: Readonly<Record<(typeof STEPS)[number], string>> = {
  reading: 'Read the film',
  masks: 'Find what moves',
  start: 'Guess a start',
  search: 'Search',
};

interface ProgressProps {
  /** Answers that are looked for, of which the first is shown as it settles. */
  readonly answers: readonly string[];
  readonly progress?: WorkerProgress;
}

/** Steps of a running estimation with the finished part of the current one, and a number as it settles. */
export function Progress({ answers, progress }: ProgressProps): JSX.Element {
  const { stage = 'loading', building = null, iteration = null, of = 0, best = null } = progress ?? {};
  const isSearching = stage === 'compiling' || stage === 'running';
  const step = isSearching ? 'search' : (building?.step ?? 'reading');
  const at = (STEPS as readonly string[]).indexOf(step);
  const fraction = isSearching ? (iteration ? iteration.iteration / of : 0) : (building?.fraction ?? 0);
  const name = best && answers.find((each) => each in best.parameters);
  return (
    <div class="progress">
      <ol>
        {STEPS.map((name, k) => (
          <li class={k < at ? 'done' : k === at ? 'now' : ''} aria-current={k === at ? 'step' : undefined}>
            {TITLES[name]}
            <progress max="1" value={k < at ? 1 : k === at ? fraction : 0} aria-label={TITLES[name]} />
          </li>
        ))}
      </ol>
      <p role="status">
        {iteration ? `Iteration ${iteration.iteration} of at most ${of}` : 'Preparing'}
        {name && `; ${name} is ${valueText(best.parameters[name])} so far`}
      </p>
    </div>
  );
}
