export { type Eigen, symmetricEigen, withEigenvalues } from './algebra/eigen.ts';
export { type SingularValues, singularValues } from './algebra/singular-values.ts';
