import type { Check } from '../../posterior/check.ts';
import type { Subject } from '../subject.ts';

/** Maximum number of unknowns for which standard errors, with one world each, cost no more than a run of the search. */
const FEW_WORLDS = 64;

/**
 * Finds missing standard errors. Critical if a run like those of the search could compute them; goals and losses that
 * are no sums of squared residuals have none.
 */
export const noStandardErrors: Check<Subject, 'withoutErrors'> = {
  kind: 'no standard errors',
  rank: 110,
  isCritical: true,
  needs: ['withoutErrors'],
  find: ({ withoutErrors: { reason, isAvailable }, search, names }) =>
    search?.stopped !== 'interrupted' && { isCritical: isAvailable && names.length <= FEW_WORLDS, note: reason },
};

/** Says that standard errors assume independent residuals. */
export const correlationNotMeasured: Check<Subject, 'uncertainty'> = {
  kind: 'correlation not measured',
  rank: 260,
  isCritical: false,
  needs: ['uncertainty'],
  find: ({ uncertainty: { residuals } }) =>
    residuals.measured === null && {
      note: 'There are too few frames and values to measure the correlation of residuals. Standard errors assume that residuals are independent, and are too small if they are not.',
    },
};
