import type { Device } from '@gradsim/core';
import { cycleOf } from '@gradsim/core/internal';
import type { Run } from '../problem/run.ts';

/**
 * Arrangement of the columns of a Jacobian over worlds and tangents. A column is the derivative of a point's run along
 * one unknown; column c is tangent floor(c / worlds) of the point's world c % worlds.
 */
export interface Columns {
  /** Number of worlds that run the same point, all with the same values of the unknowns; they share the columns. */
  readonly worlds: number;
  /** Number of tangents that each world carries. */
  readonly tangents: number;
}

/** Number of neighbouring worlds in one SIMD vector. */
const LANES = 4;
/**
 * Minimum number of columns of all points from which worlds carry several tangents. With fewer, one world per column
 * saves more compilation time than it costs in running.
 */
const ENOUGH_WORLDS = 16;
/** Maximum number of tangents per world: code size and register pressure grow with each. */
const MAX_TANGENTS = 6;

/**
 * Minimum number of elements that all kernels of a run handle, substep by substep, from which a slower compilation is worth
 * a faster run: about a second on the CPU.
 */
const MIN_LONG_WORK = 1e7;
/** Mean number of elements that a kernel handles, from which their SIMD vectors are full with one world. */
const MIN_WIDE_ELEMENTS = 32;
/** Maximum number of tangents per world of a long run. */
const MAX_TANGENTS_OF_LONG = 10;

/** Size of a run of one world: numbers of elements of the kernels of a substep, and the number of substeps. */
export interface RunSize {
  readonly elements: readonly number[];
  readonly substeps: number;
}

/** Returns the size of a run on a device that takes time in proportion to it; null on a GPU, which runs worlds at once. */
export function sizeOn(
  { isDeferred }: Device,
  { model, frames, substeps }: Pick<Run, 'model' | 'frames' | 'substeps'>,
): RunSize | null {
  if (isDeferred) return null;
  const ofSubstep = model.kernels().filter(({ phase }) => cycleOf(phase) === 'physics');
  const elements = ofSubstep.map(({ kernel }) => model.domain(kernel.form.domain).size);
  return { elements, substeps: (frames - 1) * substeps };
}

/** True if a run's work is worth a slower compilation, and one world fills SIMD vectors. */
function isLong({ elements, substeps }: RunSize): boolean {
  const all = elements.reduce((sum, n) => sum + n, 0);
  return substeps * all >= MIN_LONG_WORK && all >= MIN_WIDE_ELEMENTS * elements.length;
}

/**
 * Fastest arrangement of `count` columns for each of some points, if a tangent costs as much as the run itself.
 * Measured on `cloth-velocity`: 105 worlds with one tangent each take twice as long as 28 worlds with four; on two soft
 * beams of 64 quadratic elements 9 worlds with one tangent take 1.5 times as long as one world with nine, compiled 2 s
 * later.
 * @param size of the run, by {@link sizeOn}.
 */
export function columnsFor(count: number, points: number, size: RunSize | null): Columns {
  const alone = { worlds: count, tangents: 1 };
  if (size && isLong(size)) {
    const worlds = Math.ceil(count / MAX_TANGENTS_OF_LONG);
    return { worlds, tangents: Math.ceil(count / worlds) };
  }
  if (count * points < ENOUGH_WORLDS) return alone;
  const choices = Array.from({ length: MAX_TANGENTS }, (_, k) => fullLanes(count, k + 1, points));
  const work = ({ worlds, tangents }: Columns): number => worlds * (1 + tangents);
  return choices.reduce((best, choice) => (work(choice) < work(best) ? choice : best));
}

/**
 * Smallest number of worlds per point that holds the columns and makes the worlds of all points fill whole SIMD
 * vectors.
 */
function fullLanes(count: number, tangents: number, points: number): Columns {
  let worlds = Math.ceil(count / tangents);
  while ((worlds * points) % LANES > 0) worlds++;
  return { worlds, tangents };
}
