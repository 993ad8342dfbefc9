import { symmetricEigen, withEigenvalues } from '@gradsim/numeric/decompositions';

/** Weight of an unknown in an undetermined direction below which it is not affected. */
const NO_PART = 0.05;

/** Eigenvectors of the information in coordinates of natural steps. */
export interface Directions {
  readonly values: readonly number[];
  readonly vectors: readonly (readonly number[])[];
  /** True for directions with negligible information. */
  readonly isLost: readonly boolean[];
}

export function directionsOf(information: ArrayLike<number>, scales: Float64Array, smallestShare: number): Directions {
  const n = scales.length;
  const scaled = Float64Array.from(
    { length: n * n },
    (_, at) => information[at] * scales[Math.floor(at / n)] * scales[at % n],
  );
  const { values, vectors } = symmetricEigen(scaled);
  const strongest = Math.max(values[n - 1], 0);
  return { values, vectors, isLost: values.map((value) => !(value > strongest * smallestShare)) };
}

/** True if an unknown can change while all observations stay the same. */
export const isFreeIn = ({ vectors, isLost }: Directions, i: number): boolean =>
  vectors.some((vector, k) => isLost[k] && Math.abs(vector[i]) > NO_PART);

/** Inverse along the determined directions, in coordinates of natural steps. */
export const inverseInSteps = ({ values, vectors, isLost }: Directions): Float64Array =>
  withEigenvalues({ values: values.map((value, k) => (isLost[k] ? 0 : 1 / value)), vectors }, (value) => value);

/** A matrix of natural steps in coordinates. */
export function inCoordinates(matrix: Float64Array, scales: Float64Array): Float64Array {
  const n = scales.length;
  return matrix.map((c, at) => c * scales[Math.floor(at / n)] * scales[at % n]);
}

/** (J^T J)^-1 along determined directions, in coordinates, row by row. */
export const inverseAlong = (
  information: ArrayLike<number>,
  scales: Float64Array,
  smallestShare: number,
): Float64Array => inverseOf(directionsOf(information, scales, smallestShare), scales);

/** Inverse along determined directions, in coordinates, row by row. */
export const inverseOf = (directions: Directions, scales: Float64Array): Float64Array =>
  inCoordinates(inverseInSteps(directions), scales);
