export { defect, type ErrorDetails, type ErrorPlace, type ErrorRecord, GradsimError, isGradsimError } from './error.ts';
export { freeRotation, type Rotation } from './free-rotation.ts';
export { ballInertia, boxInertia } from './inertia.ts';
export {
  described,
  nearestTo,
  refuseUnknownChoice,
  refuseUnknownOptions,
  refuseWrongType,
  suggestion,
} from './known-names.ts';
export {
  choleskyFactor,
  inverseDiagonal,
  linearLeastSquares,
  solveByFactor,
  solvePositiveDefinite,
} from './least-squares.ts';
export { levenbergMarquardt, type Minimum, type ResidualBlock } from './levenberg-marquardt.ts';
export {
  determinant,
  type Matrix3,
  multiplyMatrices,
  rowsOf,
  symmetricInverse,
  transform,
  transpose,
} from './matrix3.ts';
export { connectedPieces } from './pieces.ts';
export {
  conjugate,
  multiplyQuaternions,
  normalizeQuaternion,
  type Quaternion,
  quaternionAt,
  quaternionOfMatrix,
  rotate,
  rotationAbout,
} from './quaternion.ts';
export { randomNumbers, standardNormal } from './random.ts';
export { multiplySquare, multiplySymmetric, multiplyVector } from './square-matrices.ts';
export { mean, median, sum, sumOfProducts, sumOfSquares, upperMedian } from './statistics.ts';
export type { StopSignal } from './stop-signal.ts';
export { add, cross, dot, norm, normalize, scale, subtract, type Vector, vectorAt, vectorOf } from './vector.ts';
