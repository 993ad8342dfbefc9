export { freeRotation, greatestSpin, type RotationState } from './algebra/free-rotation.ts';
export { ballInertia, boxInertia } from './algebra/inertia.ts';
export {
  determinant,
  type Matrix3,
  multiplyMatrices,
  rowsOf,
  symmetricInverse,
  transform,
  transpose,
} from './algebra/matrix3.ts';
export {
  conjugate,
  multiplyQuaternions,
  normalizeQuaternion,
  type Quaternion,
  quaternionAt,
  quaternionOfMatrix,
  rotate,
  rotationAbout,
} from './algebra/quaternion.ts';
export { multiplySquare, multiplySymmetric, multiplyVector } from './algebra/square-matrices.ts';
export {
  add,
  cross,
  dot,
  norm,
  normalize,
  scale,
  subtract,
  type Vector,
  vectorAt,
  vectorOf,
} from './algebra/vector.ts';
export { describeValue } from './described.ts';
export { defect, type ErrorDetails, type ErrorPlace, type ErrorRecord, GradsimError, isGradsimError } from './error.ts';
export { evenIndices } from './even-indices.ts';
export { nullIfInfinite } from './finite.ts';
export {
  nearestTo,
  refuseUnknownChoice,
  refuseUnknownOptions,
  refuseWrongType,
  suggestion,
} from './known-names.ts';
export { connectedPieces } from './pieces.ts';
export { asymmetricEnds, type Interval, standardErrorsOff } from './statistics/interval.ts';
export {
  choleskyFactor,
  inverseDiagonal,
  linearLeastSquares,
  solveByFactor,
  solvePositiveDefinite,
} from './statistics/least-squares.ts';
export { levenbergMarquardt, type Minimum, type ResidualBlock } from './statistics/levenberg-marquardt.ts';
export { randomNumbers, standardNormal } from './statistics/random.ts';
export {
  mean,
  median,
  selectSmallest,
  sum,
  sumOfProducts,
  sumOfSquares,
  upperMedian,
} from './statistics/statistics.ts';
export type { StopSignal } from './stop-signal.ts';
