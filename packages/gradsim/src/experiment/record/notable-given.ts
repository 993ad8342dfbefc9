import type { Estimate, GivenEstimate } from '@gradsim/optim';

/** Share of a standard error that a given quantity must cause to be listed, 0 to 1. */
const SOME_SHARE = 0.1;
/** Difference between the measured value and that with the film, in tolerances, from which on a quantity is listed. */
const SOME_SHIFT = 1;

/** Given quantities that matter for an estimate, and the number of the others. */
export interface NotableGiven {
  readonly notable: readonly (readonly [name: string, given: GivenEstimate])[];
  readonly others: number;
}

/**
 * Chooses the given quantities that cause at least a tenth of some parameter's standard error, or that the film puts
 * more than one tolerance from the measured value.
 */
export function notableGiven({ given, parameters }: Pick<Estimate, 'given' | 'parameters'>): NotableGiven {
  const all = Object.entries(given);
  const notable = all.filter(
    ([name, { value, tolerance, estimate }]) =>
      Math.abs(estimate - value) > SOME_SHIFT * tolerance ||
      Object.values(parameters).some(
        ({ ofGiven, standardError }) => (ofGiven?.[name] ?? 0) > SOME_SHARE * (standardError ?? 0),
      ),
  );
  return { notable, others: all.length - notable.length };
}

/** Sentence about given quantities that are not listed; undefined if all are. */
export const otherGivenSentence = ({ notable, others }: NotableGiven): string | undefined =>
  others === 0
    ? undefined
    : `${others} ${notable.length > 0 ? 'other ' : ''}given ${others > 1 ? 'quantities agree' : 'quantity agrees'} with the film, and ${others > 1 ? 'each causes' : 'causes'} less than a tenth of any standard error.`;
