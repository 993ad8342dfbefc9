import type { GivenEstimate, ParameterEstimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { notableGiven, otherGivenSentence } from '../../src/experiment/record/notable-given.ts';

const given = (estimate: number): GivenEstimate => ({
  value: 1,
  tolerance: 0.01,
  estimate,
  standardError: 0.005,
  unit: 'm',
});
/** A parameter with a standard error of 1, and the parts of it that given quantities cause. */
const parameter = (ofGiven: Record<string, number>): ParameterEstimate => ({
  estimate: 2,
  standardError: 1,
  interval: null,
  determinedBy: 'observations',
  ofGiven,
  unit: '',
  initial: 1,
});

it('given quantities are listed that cause a tenth of a standard error or deviate by a tolerance; the others are counted', () => {
  const estimate = {
    given: { radius: given(1), length: given(1.02), width: given(1.001), height: given(0.999) },
    parameters: { mass: parameter({ radius: 0.2, length: 0.01, width: 0.05 }) },
  };
  const chosen = notableGiven(estimate);
  expect(chosen.notable.map(([name]) => name)).toEqual(['radius', 'length']);
  expect(otherGivenSentence(chosen)).toBe(
    '2 other given quantities agree with the film, and each causes less than a tenth of any standard error.',
  );
  expect(otherGivenSentence({ notable: [], others: 1 })).toBe(
    '1 given quantity agrees with the film, and causes less than a tenth of any standard error.',
  );
  expect(otherGivenSentence({ ...chosen, others: 0 })).toBeUndefined();
});
