// For packages of gradsim alone: it changes without notice.
export { compileShared } from './compile/compilations.ts';
export { stepClock, timeOfSubstep } from './model/clock.ts';
export { flawOf } from './model/fit.ts';
export { cycleOf } from './model/phases.ts';
export { openSimulation } from './tape/create.ts';
export type { MovableRun } from './tape/rounding.ts';
export { moveByRounding } from './tape/rounding.ts';
export { pause } from './tape/run/pauses.ts';
