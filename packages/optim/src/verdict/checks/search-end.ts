import type { Check } from '../../posterior/check.ts';
import { listed } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/**
 * Share of the search's total gain that falls in the last quarter of its iterations, 0 to 1, above which the search was
 * still improving.
 */
const STILL_FALLING = 0.001;

/** Finds searches that were interrupted. */
export const interrupted: Check<Subject, 'search'> = {
  kind: 'interrupted',
  rank: 10,
  isCritical: true,
  needs: ['search'],
  find: ({ search }) => search.stopped === 'interrupted' && { note: 'The search was interrupted before it converged.' },
};

/** Finds searches that ended at their maximum number of iterations. */
export const unfinished: Check<Subject, 'search'> = {
  kind: 'unfinished',
  rank: 120,
  isCritical: true,
  needs: ['search'],
  find: ({ search: { stopped, history }, problem: { worlds } }) => {
    // Losses of redrawn worlds belong to other worlds in each iteration; training ends at its limit.
    const isRedrawn = worlds !== undefined && worlds.drawEachIteration !== false;
    if (stopped !== 'iterations' || history.length < 2 || isRedrawn) return [];
    const last = history[history.length - 1].loss;
    // Losses of shorter horizons are of other frames.
    const whole = history.filter(({ horizon }) => horizon === 1);
    const before = whole[Math.floor(0.75 * (whole.length - 1))].loss;
    const isCritical = before - last > STILL_FALLING * (whole[0].loss - last);
    const note = isCritical
      ? 'The search stopped at the maximum number of iterations while the loss was still falling: allow more `iterations`, on the command line `--iterations`.'
      : 'The search stopped at the maximum number of iterations, though the loss had almost stopped falling.';
    return { isCritical, note };
  },
};

/** Finds points from elsewhere that are not at a minimum: a Gauss-Newton step leads away by more than a standard error. */
export const noMinimum: Check<Subject, 'uncertainty'> = {
  kind: 'no minimum',
  rank: 125,
  isCritical: true,
  needs: ['uncertainty'],
  find: ({ search, isExact, names, uncertainty: { remainingStep, covariance } }) => {
    if (search !== null || isExact) return [];
    const away = names.filter((_, i) => Math.abs(remainingStep[i]) > Math.sqrt(covariance[i * (names.length + 1)]));
    const note = `The point is not at a minimum of the loss: a step towards it changes ${listed(away)} by more than a standard error. Search from there.`;
    return away.length > 0 && { unknowns: away, note };
  },
};
