import { mapEigenvalues, symmetricEigen } from '@gradsim/base/decompositions';

/** Weight of an unknown in an undetermined direction up to which the unknown counts as determined. */
const NEGLIGIBLE_WEIGHT = 0.05;

/** Eigenvalues and eigenvectors of the information matrix, with each unknown in natural steps. */
export interface Directions {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
  /** For each direction: true if its information is negligible. */
  readonly isUndetermined: readonly boolean[];
}

export function directionsOf(information: ArrayLike<number>, scales: Float64Array, smallestShare: number): Directions {
  const n = scales.length;
  const scaled = Float64Array.from(
    { length: n * n },
    (_, at) => information[at] * scales[Math.floor(at / n)] * scales[at % n],
  );
  const { values, vectors } = symmetricEigen(scaled);
  const strongest = Math.max(values[n - 1], 0);
  return { values, vectors, isUndetermined: values.map((value) => !(value > strongest * smallestShare)) };
}

/**
 * True if an unknown has notable weight in an undetermined direction, so that it can change without any observation.
 */
export const isFreeIn = ({ vectors, isUndetermined }: Directions, i: number): boolean =>
  vectors.some((vector, k) => isUndetermined[k] && Math.abs(vector[i]) > NEGLIGIBLE_WEIGHT);

/** Pseudo-inverse of the information matrix along the determined directions, with unknowns in natural steps. */
export const inverseInSteps = ({ values, vectors, isUndetermined }: Directions): Float64Array =>
  mapEigenvalues({ values: values.map((value, k) => (isUndetermined[k] ? 0 : 1 / value)), vectors }, (value) => value);

/** Converts a covariance matrix from natural steps to the unknowns' coordinates. */
export function inCoordinates(matrix: Float64Array, scales: Float64Array): Float64Array {
  const n = scales.length;
  return matrix.map((c, at) => c * scales[Math.floor(at / n)] * scales[at % n]);
}

/** Pseudo-inverse of J^T J along the determined directions, in the unknowns' coordinates, row by row. */
export const inverseAlong = (
  information: ArrayLike<number>,
  scales: Float64Array,
  smallestShare: number,
): Float64Array => inverseOf(directionsOf(information, scales, smallestShare), scales);

/**
 * Pseudo-inverse of the information matrix along the determined directions, in the unknowns' coordinates, row by row.
 */
export const inverseOf = (directions: Directions, scales: Float64Array): Float64Array =>
  inCoordinates(inverseInSteps(directions), scales);
