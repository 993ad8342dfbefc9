import { mean, median } from '@gradsim/base';
import { BIAS_BINS } from './drawn.ts';
import type { Outcome, UnknownOutcome } from './trial.ts';

/**
 * Share of unknowns, over several estimates, that meet a condition, with the lower end of its one-sided 95 % interval.
 */
interface Share {
  readonly share: number;
  readonly least: number;
  readonly unknowns: number;
  readonly answers: number;
}

/** 95 % quantile of the standard normal distribution. */
const ONE_SIDED = 1.645;

/**
 * Computes a share with its interval. Errors of one estimate's unknowns are correlated, so the variance of the share is
 * computed from sums per estimate (ratio estimator). The interval is Wilson's (1927) for the number of independent
 * unknowns with that variance, at most all of them; if all unknowns agree, for the number of estimates.
 */
export function shareOf(answers: readonly (readonly boolean[])[]): Share | null {
  const all = answers.reduce((sum, each) => sum + each.length, 0);
  if (all === 0) return null;
  const hits = answers.map((each) => each.filter(Boolean).length);
  const share = hits.reduce((sum, h) => sum + h, 0) / all;
  const squares = answers.reduce((sum, each, k) => sum + (hits[k] - share * each.length) ** 2, 0);
  const count = answers.length;
  const variance = count > 1 ? ((count / (count - 1)) * squares) / all ** 2 : 0;
  const independent = variance > 0 ? Math.min(all, (share * (1 - share)) / variance) : count;
  const z2 = ONE_SIDED ** 2 / independent;
  const middle = share + z2 / 2;
  const half = Math.sqrt(z2 * (share * (1 - share) + z2 / 4));
  return { share, least: (middle - half) / (1 + z2), unknowns: all, answers: count };
}

/**
 * Significance, in standard deviations, above which a test of many directions at a false-alarm rate of 1e-4 can find a
 * model error.
 */
const VISIBLE = 6;

const isWithin =
  (errors: number) =>
  ({ z }: UnknownOutcome): boolean =>
    z !== null && Math.abs(z) <= errors;
const withinOf = (outcomes: readonly Outcome[], errors: number): Share | null =>
  shareOf(outcomes.map(({ unknowns }) => unknowns.map(isWithin(errors))));
const isWrong = ({ unknowns }: Outcome): boolean => !unknowns.every(isWithin(4));
const largestBiasOf = ({ unknowns }: Outcome): number => Math.max(...unknowns.map(({ b }) => Math.abs(b)));
const shareWhere = <T>(items: readonly T[], holds: (item: T) => boolean): number | null =>
  items.length > 0 ? items.filter(holds).length / items.length : null;
const medianOf = (values: readonly number[]): number | null => (values.length > 0 ? median(values) : null);
const isTrusted = ({ trusted }: Outcome): boolean => trusted;

/** Counts over a group of estimates, for example those with one model error or of one kind of film. */
function figuresOf(outcomes: readonly Outcome[]) {
  const trusted = outcomes.filter(isTrusted);
  const errors = trusted.flatMap(({ unknowns }) => unknowns.map(({ z }) => Math.abs(z ?? Number.NaN)));
  return {
    answers: outcomes.length,
    trusted: trusted.length,
    within2: withinOf(trusted, 2)?.share ?? null,
    within4: withinOf(trusted, 4)?.share ?? null,
    worstZ: errors.length > 0 ? Math.max(...errors) : null,
    bias: medianOf(outcomes.map(largestBiasOf)),
    /** Number of trusted estimates in which some unknown is more than four standard errors from the truth. */
    trustedAndWrong: trusted.filter(isWrong).length,
  };
}

const groupsOf = (outcomes: readonly Outcome[], name: (outcome: Outcome) => string) =>
  Object.fromEntries(
    [...new Set(outcomes.map(name))].sort().map((each) => [each, figuresOf(outcomes.filter((o) => name(o) === each))]),
  );

const faultOf = ({ drawn: { fault, tolerances } }: Outcome): string =>
  tolerances === null ? fault : `${fault} beyond tolerance`;

/** Name of the interval that a bias, in standard errors, lies in. */
function binOf(bias: number): string {
  const [, [low, middle], [, high]] = BIAS_BINS;
  if (bias < low) return `below ${low}`;
  if (bias < middle) return `${low} to ${middle}`;
  return bias < high ? `${middle} to ${high}` : `above ${high}`;
}

/** Summary of all trials that ran without failure. */
export function summaryOf(outcomes: readonly Outcome[]) {
  const trusted = outcomes.filter(isTrusted);
  const right = outcomes.filter(({ drawn }) => drawn.fault === 'none');
  const wrong = outcomes.filter(({ drawn, isCovered }) => drawn.fault !== 'none' && !isCovered);
  const rightUnknowns = right.flatMap(({ unknowns }) => unknowns);
  const ratios = rightUnknowns.flatMap(({ standardError, whiteNoiseError: plainError }) =>
    standardError === null ? [] : [standardError / plainError],
  );
  return {
    answers: outcomes.length,
    trusted: { answers: trusted.length, within2: withinOf(trusted, 2), within4: withinOf(trusted, 4) },
    /** Trusted estimates in which some unknown is more than four standard errors off, and how many list what is unseen. */
    trustedAndWrong: {
      answers: trusted.filter(isWrong).length,
      listed: trusted.filter((o) => isWrong(o) && Object.keys(o.unseen).length > 0).length,
    },
    yield: {
      trustedBelowHalf: shareWhere(
        wrong.filter((o) => largestBiasOf(o) < 0.5),
        isTrusted,
      ),
      distrustedAbove5: shareWhere(
        wrong.filter((o) => largestBiasOf(o) > 5),
        (o) => !o.trusted,
      ),
      /** Share of distrusted estimates among those with a bias above 5 and a model error that a test can detect. */
      distrustedAbove5Visible: shareWhere(
        wrong.filter((o) => largestBiasOf(o) > 5 && o.visible > VISIBLE),
        (o) => !o.trusted,
      ),
      /** Share of the estimates with a bias above 5 standard errors whose model error no test can detect. */
      invisibleAbove5: shareWhere(
        wrong.filter((o) => largestBiasOf(o) > 5),
        (o) => o.visible <= VISIBLE,
      ),
    },
    right: {
      answers: right.length,
      distrusted: shareWhere(right, (o) => !o.trusted),
      coverage: shareWhere(rightUnknowns, ({ isHeld }) => isHeld),
      ratio: medianOf(ratios),
    },
    /**
     * Estimates with a model error within the stated tolerance of a measured quantity; they are left out of the figures
     * on wrong models.
     */
    covered: figuresOf(outcomes.filter(({ isCovered }) => isCovered)),
    byFault: groupsOf(outcomes, faultOf),
    byKind: groupsOf(outcomes, ({ drawn }) => drawn.kind),
    byBias: groupsOf(wrong, (o) => binOf(largestBiasOf(o))),
    byNoise: groupsOf(outcomes, ({ drawn }) => (drawn.isNoiseGiven ? 'given' : 'not given')),
    seconds: {
      estimation: outcomes.length > 0 ? mean(outcomes.map(({ seconds }) => seconds.estimation)) : null,
      all: outcomes.length > 0 ? mean(outcomes.map(({ seconds }) => seconds.all)) : null,
    },
  };
}
