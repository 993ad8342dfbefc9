export { type Eigen, mapEigenvalues, symmetricEigen } from './algebra/eigen.ts';
export { type SingularValues, singularValues } from './algebra/singular-values.ts';
