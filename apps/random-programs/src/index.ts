export { buildProgram } from './build.ts';
export { generateProgram } from './generate.ts';
export type { Program } from './program.ts';
