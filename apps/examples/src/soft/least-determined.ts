import type { Estimate } from '@gradsim/optim';

/** Magnitude of a component, relative to the direction's largest, below which the component is not mentioned. */
const SMALLEST_SHARE = 0.3;

/**
 * A direction in the space of parameters, each relative to its estimate: components of a unit vector, and the relative
 * standard deviation along it.
 */
export interface Direction {
  readonly weights: readonly { readonly name: string; readonly weight: number }[];
  readonly standardDeviation: number;
}

/**
 * Returns the combination of parameters that an estimate determines least: the eigenvector, with the largest
 * eigenvalue, of the covariance of relative errors, by power iteration. Undefined if a parameter is not determined at
 * all.
 */
export function leastDetermined({
  parameters,
  correlation,
}: Pick<Estimate, 'parameters' | 'correlation'>): Direction | undefined {
  const names = Object.keys(parameters);
  const spread = names.map((name) => {
    const { estimate, standardError } = parameters[name];
    return (standardError ?? Number.NaN) / Math.abs(estimate);
  });
  if (!spread.every(Number.isFinite)) return undefined;
  const covariance = correlation.map((row, i) => row.map((c, j) => (c ?? 0) * spread[i] * spread[j]));
  // Begins along the parameter of largest spread, which has a part in the eigenvector.
  const widest = spread.indexOf(Math.max(...spread));
  let vector = spread.map((_, k) => Number(k === widest));
  let variance = 0;
  for (let k = 0; k < 300; k++) {
    const next = covariance.map((row) => row.reduce((sum, c, j) => sum + c * vector[j], 0));
    variance = Math.hypot(...next);
    if (variance === 0) return undefined;
    vector = next.map((x) => x / variance);
  }
  return {
    weights: names.map((name, k) => ({ name, weight: vector[k] })),
    standardDeviation: Math.sqrt(variance),
  };
}

/** Describes a direction in words, by its largest components. */
export function describeDirection({ weights, standardDeviation }: Direction): string {
  const largest = [...weights].sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const named = largest
    .filter(({ weight }) => Math.abs(weight) >= SMALLEST_SHARE * Math.abs(largest[0].weight))
    .slice(0, 4);
  const sign = Math.sign(named[0].weight);
  const parts = named.map(({ name, weight }) => `${name} ${(sign * weight).toFixed(2)}`);
  return `Least determined direction, in relative changes: ${parts.join(', ')}; standard deviation ${standardDeviation.toExponential(2)}.`;
}

/**
 * Notes for the report on the combination of parameters that is determined least; none if a parameter is not determined
 * at all.
 */
export function leastDeterminedNotes(found: Pick<Estimate, 'parameters' | 'correlation'>): string[] {
  const direction = leastDetermined(found);
  return direction ? [describeDirection(direction)] : [];
}
