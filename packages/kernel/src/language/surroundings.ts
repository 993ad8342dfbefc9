import type { Builtin } from '../form/nodes.ts';
import type { Builder } from './builder.ts';
import type { F32, U32 } from './scalar.ts';
import { wrap } from './scalar.ts';

/** Values that a kernel can use besides its fields. */
export interface Surroundings {
  /** Duration of the substep, s. */
  readonly dt: F32;
  /** Duration of the substep before it, s; `dt` in the first of a simulation. */
  readonly previousDt: F32;
  /** Duration of the longest substep of the simulation, s, for bounds that hold in all of them. */
  readonly longestDt: F32;
  /** Number of the substep since the start of the run, from 0. */
  readonly substep: U32;
  /** Number of the substep since its frame began, from 0; outside of simulations, `substep`. */
  readonly substepOfFrame: U32;
  /** Number of the frame since the start of the run, from 0. */
  readonly frame: U32;
  /** Iteration number, from 0, for a pass within a loop of passes: the innermost one. */
  readonly round: U32;
  /** Time at the start of the substep, s. */
  readonly time: F32;
  /** Time at its end, s: exactly the `time` of the next substep. */
  readonly nextTime: F32;
  /** Machine epsilon of the device's precision: distance from 1 to the next float. */
  readonly epsilon: F32;
  /** Index of the own element in its domain. */
  readonly element: U32;
}

/** Names of all of them, each that of a builtin of the form. */
const NAMES = [
  'dt',
  'previousDt',
  'longestDt',
  'time',
  'nextTime',
  'substep',
  'substepOfFrame',
  'frame',
  'round',
  'element',
  'epsilon',
] as const satisfies readonly Builtin[];

/** Surroundings of a kernel under construction: a value is recorded once the kernel uses it. */
export function surroundings(b: Builder): Surroundings {
  const own: object = {};
  for (const name of NAMES) Object.defineProperty(own, name, { get: () => wrap(b.builtin(name)), enumerable: true });
  return own as Record<(typeof NAMES)[number], F32 & U32>;
}
