export { type Eigen, symmetricEigen, withEigenvalues } from './eigen.ts';
export { type SingularValues, singularValues } from './singular-values.ts';
