export type { ReferenceFormat } from './case-format.ts';
export type { CheckResult } from './errors.ts';
export { relativeError } from './errors.ts';
export { referenceFormats } from './formats.ts';
export type { ReferenceCase } from './read.ts';
export { readReferenceCase } from './read.ts';
