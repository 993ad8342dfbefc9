export type { NewPlugin } from './create.ts';
export { createPlugin } from './create.ts';
export type { Output } from './program.ts';
export { runProgram } from './program.ts';
export { releasedVersions } from './versions.ts';
