export type { DifferenceResult } from './differences.ts';
export { compareWithDifferences } from './differences.ts';
export type { KernelCheck, KernelCheckOptions } from './kernel.ts';
export { checkKernel } from './kernel.ts';
export { freshSeed, randomFrom, randomValues } from './random.ts';
export type { Finding } from './report.ts';
export { dot, length, passes, refuseFailures, relativeDifference } from './report.ts';
export type { FieldValues, KernelInputs } from './trial.ts';
