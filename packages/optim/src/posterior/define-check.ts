import type { Check } from './check.ts';
import type { Posterior } from './posterior.ts';

/**
 * Defines a check of estimates for the option `checks`. What it `needs` of the posterior is there when it is made.
 *
 * ```ts
 * const lightEnough = defineCheck({
 *   kind: 'too heavy',
 *   rank: 80,
 *   isCritical: true,
 *   find: ({ names, values }) => values[names.indexOf('mass')] > 2 && { note: 'No scale here goes to 2 kg.' },
 * });
 * ```
 */
export const defineCheck = <Needs extends keyof Posterior = never>(
  check: Check<Posterior, Needs>,
): Check<Posterior, Needs> => check;
