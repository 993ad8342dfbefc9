// For packages of gradsim alone, which differentiate kernels: apart from `internal`, so that a page that only simulates loads none
// of it. It changes without notice.
export { adjoint } from './derivatives/adjoint.ts';
export { dependencies } from './derivatives/dependencies.ts';
export { tangent } from './derivatives/tangent.ts';
export type { DerivativeEnd } from './derivatives/value-paths.ts';
export { derivativeEnds, valueDependencies } from './derivatives/value-paths.ts';
export type { AdjointKernel } from './program/passes/adjoint-writer.ts';
export { AdjointWriter } from './program/passes/adjoint-writer.ts';
export { checkWrittenAdjoint } from './program/passes/written-adjoint.ts';
