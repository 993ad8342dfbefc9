import { GradsimError } from '@gradsim/core';
import type { ScalarPrior } from '../problem/parameter.ts';
import type { Problem } from '../problem/problem.ts';
import type { JointRecordingSystem } from './member.ts';

/**
 * Priors of the shared parameters, in their order: each counts once, however many recordings state it.
 * @throws for recordings that state different priors of one parameter.
 */
export function sharedPriors(
  recordings: readonly { readonly name: string; readonly problem: Problem }[],
  shared: readonly string[],
): (ScalarPrior | undefined)[] {
  return shared.map((name) => {
    const all = recordings.map(({ problem }) => problem.parameters?.find((spec) => spec.name === name)?.prior);
    const [first] = all;
    const other = all.findIndex(
      (prior) =>
        prior?.mean !== first?.mean ||
        prior?.standardDeviation !== first?.standardDeviation ||
        (prior?.isLogNormal ?? false) !== (first?.isLogNormal ?? false),
    );
    if (other > 0)
      throw new GradsimError(
        'optim/not-in-joint',
        `The recordings ${recordings[0].name} and ${recordings[other].name} have different priors of ${name}, which they share.`,
        { hint: 'What is known of it beforehand is one thing: give all the same prior, or none.' },
      );
    return first;
  });
}

/** Deviations of shared values from their priors' means, in standard deviations, with their slopes by the coordinates. */
export function deviationsOf(
  priors: readonly (ScalarPrior | undefined)[],
  values: readonly number[],
  slopes: readonly number[],
): { readonly deviation: number; readonly slope: number }[] {
  return priors.map((prior, i) => {
    if (!prior) return { deviation: 0, slope: 0 };
    const { mean, standardDeviation, isLogNormal = false } = prior;
    return {
      deviation: (isLogNormal ? Math.log(values[i] / mean) : values[i] - mean) / standardDeviation,
      slope: slopes[i] / (isLogNormal ? values[i] : 1) / standardDeviation,
    };
  });
}

/** The priors of shared parameters as a further recording, which observes these alone. */
export function priorSystem(
  deviations: readonly { readonly deviation: number; readonly slope: number }[],
): JointRecordingSystem {
  const n = deviations.length;
  const hessian = new Float64Array(n * n);
  deviations.forEach(({ slope }, i) => {
    hessian[i * n + i] = slope * slope;
  });
  return {
    loss: 0,
    hessian,
    gradient: Float64Array.from(deviations, ({ deviation, slope }) => deviation * slope),
    weight: 1,
    shared: deviations.map((_, i) => i),
    ownUnknowns: [],
  };
}
