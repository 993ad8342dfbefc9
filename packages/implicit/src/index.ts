export type { StepOptions } from './options.ts';
export { implicitSteps } from './plugin.ts';
