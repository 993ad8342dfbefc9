export { type Eigen, mapEigenvalues as withEigenvalues, symmetricEigen } from './algebra/eigen.ts';
export { type SingularValues, singularValues } from './algebra/singular-values.ts';
