import { isMostlyNoise, MAINLY_NOISE, MIN_NOISY_CHANGE } from '../../covariance/precision.ts';
import type { Check } from '../../posterior/check.ts';
import { listed } from '../../posterior/sentences.ts';
import type { Subject } from '../subject.ts';

/**
 * Finds noisy derivatives. Mostly noisy ones are critical, unless standard errors, which include the effect of rounding
 * on the estimate, agree between differently rounded derivatives.
 */
export const precision: Check<Subject, 'precision'> = {
  kind: 'precision',
  rank: 100,
  isCritical: false,
  needs: ['precision'],
  find: ({ precision: { names, noise }, uncertainty }) => {
    const factors = uncertainty?.roundingFactors ?? null;
    const which = (is: (k: number) => boolean): string[] => names.filter((_, k) => is(k));
    const remark = (isCritical: boolean, unknowns: string[], what: string) => ({
      isCritical,
      unknowns,
      note: `In single precision ${what} when every initial value is changed by one rounding of single precision. Compute in double precision: \`--device f64\`.${isCritical ? ' If derivatives still jump there, contacts begin in another substep: use more substeps per frame.' : ''}`,
    });
    const largest = (of: readonly string[]): string => {
      const most = Math.max(...of.map((name) => noise[names.indexOf(name)]));
      return Number.isFinite(most) ? `${Number((100 * most).toPrecision(2))} %` : 'more than can be computed';
    };
    const noisy = which((k) => isMostlyNoise(noise, factors, k));
    if (noisy.length > 0)
      return remark(
        true,
        noisy,
        `the derivatives with respect to ${listed(noisy)} are mostly noise: they change by up to ${largest(noisy)}`,
      );
    const some = which((k) => noise[k] > MIN_NOISY_CHANGE);
    if (some.length === 0) return null;
    const included = factors && which((k) => noise[k] > MAINLY_NOISE).length > 0;
    const what = `the derivatives with respect to ${listed(some)} change by up to ${largest(some)}`;
    return remark(false, some, included ? `${what}, which standard errors include,` : what);
  },
};
