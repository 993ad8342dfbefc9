// For packages of gradsim alone: it changes without notice.
export { flawOf } from './model/fit.ts';
export { pause } from './tape/pauses.ts';
export type { MovableRun } from './tape/rounding.ts';
export { moveByRounding } from './tape/rounding.ts';
