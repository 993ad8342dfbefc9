import { findingsOf } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { uncertaintyOf } from '../../src/covariance/uncertainty.ts';
import { studentFactor } from '../../src/noise/correlation.ts';
import type { Precision } from '../../src/posterior/posterior.ts';
import type { Uncertainty } from '../../src/posterior/uncertainty.ts';
import { Unknowns } from '../../src/unknowns/unknowns.ts';
import { precision as check } from '../../src/verdict/checks/precision.ts';
import type { Subject } from '../../src/verdict/subject.ts';
import { motesModel, RUN, vx } from '../motes.ts';

// One unknown with J^T J = 4 and residuals of variance 0.01: a standard error of sqrt(0.01 / 4). Moved starts have J^T r = -4 a,
// so their Gauss-Newton steps are a.
const unknowns = new Unknowns({ model: motesModel(), ...RUN, parameters: [vx] });
const STEP = 0.03;
const ERROR = Math.sqrt(0.01 / 4);

function found(perturbedSystems: Precision['perturbedSystems'], isWhole = true): Uncertainty {
  const precision = { names: ['vx'], noise: [0.8], perturbedSystems, isWhole };
  const hessian = Float64Array.of(4);
  const limits = {
    count: 101,
    floor: 0,
    smallestShare: 1e-11,
    rounding: 0,
    departed: null,
    least: 0,
    leastOfScores: 0,
  };
  const evidence = {
    squares: 1,
    values: 101,
    hessian,
    precision,
    mispredicted: [],
    roundingLengths: [],
    patternSums: null,
  };
  return uncertaintyOf(unknowns, [0.4], { ...evidence, scores: [Float64Array.of(0)], information: [hessian] }, limits);
}
const moved = (step: number, hessian = 4) => ({
  score: Float64Array.of(-hessian * step),
  hessian: Float64Array.of(hessian),
});

describe('standard errors in single precision', () => {
  it('include the scatter due to rounding, measured as the steps to the estimate from two perturbed runs', () => {
    const { standardErrors, roundingFactors } = found([moved(STEP), moved(-STEP)]);
    expect(standardErrors[0]).toBeCloseTo(Math.hypot(ERROR, (STEP * studentFactor(2)) / 1.96), 12);
    expect(roundingFactors).toEqual([1]);
  });

  it('have a rounding factor: 2 if a perturbed run has a quarter of the information, near 1 if rounding scatter dominates', () => {
    // A quarter of the information doubles the error.
    expect(found([moved(0), moved(0, 1)]).roundingFactors[0]).toBeCloseTo(2, 12);
    // Beside a larger part by rounding it is hardly seen.
    expect(found([moved(1), moved(1, 1)]).roundingFactors[0]).toBeLessThan(1.01);
  });

  it('have an infinite rounding factor if a perturbed run failed', () => {
    expect(found([moved(0)], false).roundingFactors).toEqual([Number.POSITIVE_INFINITY]);
  });
});

describe('derivatives that are mostly noise', () => {
  const precision = { names: ['vx'], noise: [0.8], perturbedSystems: [], isWhole: true };
  const remarksOn = (roundingFactors: readonly number[] | null) => {
    const uncertainty = roundingFactors && { roundingFactors };
    return findingsOf({ precision, uncertainty } as unknown as Subject, [check]);
  };
  it('are a critical finding for rounding factors of standard errors of 3, infinity or unknown, not for 1.2', () => {
    const criticalOf = (factors: readonly number[] | null) => remarksOn(factors).map(({ isCritical }) => isCritical);
    expect(criticalOf(null)).toEqual([true]);
    expect(criticalOf([3])).toEqual([true]);
    expect(criticalOf([Number.POSITIVE_INFINITY])).toEqual([true]);
    expect(criticalOf([1.2])).toEqual([false]);
    expect(remarksOn([1.2])[0].note).toContain('which standard errors include');
  });
});
