import type { Loss, Problem } from '@gradsim/optim';
import { defineProblem, lossOf } from '@gradsim/optim';
import { carts, rolled, TRACK } from '../carts.ts';
import { motesProblem } from '../motes.ts';

/** Settings of the test's problem: its variant, and how it fails. */
export interface Settings {
  readonly target?: Float64Array;
  readonly options?: Problem['options'];
  /** Number of substeps per frame, which determines how long a run takes. */
  readonly substeps?: number;
  readonly carts?: number;
  /** Action of the loss function in its third evaluation, if it fails. */
  readonly mishap?: 'throws' | 'exits' | 'throws later' | 'hangs';
  /** Duration of building the problem, s, and how it is spent: waiting or computing. */
  readonly making?: { readonly seconds: number; readonly by: 'waiting' | 'computing' };
}

async function passing({ seconds, by }: NonNullable<Settings['making']>): Promise<void> {
  if (by === 'waiting') await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  const end = performance.now() + 1000 * seconds;
  while (by === 'computing' && performance.now() < end);
}

function mishaps(kind: NonNullable<Settings['mishap']>): Loss {
  let calls = 0;
  return lossOf({
    name: 'mishap',
    recordedFields: { seen: 'motes.seen' },
    evaluate: async ({ seen }) => {
      if (++calls === 3) {
        if (kind === 'throws') throw new Error('the tripod fell', { cause: new Error('wind') });
        if (kind === 'exits') process.exit(7);
        if (kind === 'throws later')
          setTimeout(() => {
            throw new Error('nobody caught this');
          });
        for (;;)
          if (kind === 'hangs') continue;
          else await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return { value: 1 / calls, gradient: { seen: seen.map(() => 1) } };
    },
  });
}

export default defineProblem<Settings>(async ({ settings, onProgress }) => {
  onProgress?.('resting', 0.5);
  if (settings.making) await passing(settings.making);
  if (settings.mishap) return { ...motesProblem([]), observations: [], losses: [mishaps(settings.mishap)] };
  if (settings.target) return motesProblem(settings.target, { options: settings.options });
  const { carts: count = 2, substeps = TRACK.substeps } = settings;
  return {
    model: carts(count),
    ...TRACK,
    substeps,
    arrays: [{ name: 'push', field: 'carts.push', window: substeps, initial: 0 }],
    observations: [{ field: 'carts.position', target: rolled(count, (n, c) => Math.sin(n + c)) }],
    options: settings.options,
  };
});
