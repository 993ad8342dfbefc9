export { type Eigen, symmetricEigen, mapEigenvalues as withEigenvalues } from './algebra/eigen.ts';
export { type SingularValues, singularValues } from './algebra/singular-values.ts';
