import type { Simulation } from '@gradsim/core';
import { RunFailure } from '../unknowns/run-failure.ts';
import { countEvery, fillShownEvery, fillTangentEvery, recordsAlong } from './prepared-observation.ts';
import type { Residuals } from './residuals.ts';

/** Maximum number of derivatives (unknowns times residuals) kept for comparison with finite differences. */
const MAX_KEPT = 8e6;
/** Maximum number of multiplications in one comparison of derivatives with finite differences, over all unknowns. */
const MAX_PRODUCTS = 2e8;

/** Derivatives of every `stride`-th value, and the output there. */
export interface JacobianSample {
  /** In each frame, the indices of the kept values with a derivative that is not zero, ascending: few of a picture's. */
  readonly positions: readonly Uint32Array[];
  /** Derivatives at these positions, [frame][unknown][position]. */
  readonly columns: readonly (readonly Float32Array[])[];
  /** Output at all kept values, [frame][value]. */
  readonly modelOutput: readonly Float32Array[];
  readonly stride: number;
  /** Side of the squares of pixels whose sums the values are, px. Default 1. */
  readonly side?: number;
}

/**
 * Reads derivatives and output of a simulation's last run.
 * @param unknowns number of unknowns.
 */
export async function sampleJacobian(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
  unknowns: number,
  stride: number,
): Promise<JacobianSample> {
  const positions: Uint32Array[] = [];
  const columns: Float32Array[][] = [];
  const modelOutput: Float32Array[] = [];
  for (const p of prepared) {
    const record = await RunFailure.whileReading(simulation.readRecord(p.field));
    const along = await recordsAlong(simulation, p.field);
    const count = countEvery(p, stride);
    const whole = Array.from({ length: unknowns }, () => new Float32Array(count));
    for (let f = 0; f < p.frames.length; f++) {
      const place = { record, world: 0, f };
      const shown = new Float32Array(count);
      fillShownEvery(shown, p, place, stride);
      modelOutput.push(shown);
      for (const [k, column] of whole.entries()) fillTangentEvery(column, p, place, along(k), stride);
      const at = nonzeroRows(whole);
      positions.push(at);
      columns.push(whole.map((column) => valuesAt(column, at)));
    }
  }
  return { positions, columns, modelOutput, stride };
}

/** Output of the first `worlds` worlds at a sample's positions: [frame][world][position]. */
export async function outputsAt(
  simulation: Simulation,
  { prepared }: Pick<Residuals, 'prepared'>,
  { positions, stride }: Pick<JacobianSample, 'positions' | 'stride'>,
  worlds: number,
): Promise<Float32Array[][]> {
  const outputs: Float32Array[][] = [];
  for (const p of prepared) {
    const record = await RunFailure.whileReading(simulation.readRecord(p.field));
    for (let f = 0; f < p.frames.length; f++) {
      const at = positions[outputs.length];
      outputs.push(
        Array.from({ length: worlds }, (_, world) => {
          const values = new Float32Array(at.length);
          fillShownEvery(values, p, { record, world, f }, stride, at);
          return values;
        }),
      );
    }
  }
  return outputs;
}

/** Positions at which at least one of some columns is not zero. */
export function nonzeroRows(columns: readonly Float32Array[]): Uint32Array {
  const isThere = new Uint8Array(columns[0]?.length ?? 0);
  let count = 0;
  for (const column of columns) count += markNonzero(isThere, column);
  const found = new Uint32Array(count);
  for (let k = 0, next = 0; next < count; k++) if (isThere[k] === 1) found[next++] = k;
  return found;
}

/** Flags the values that are not zero, and returns how many were not flagged before. */
function markNonzero(flags: Uint8Array, column: Float32Array): number {
  let count = 0;
  for (let k = 0; k < column.length; k++)
    if (column[k] !== 0 && flags[k] === 0) {
      flags[k] = 1;
      count++;
    }
  return count;
}

/** Values of a column at some positions. */
export function valuesAt(column: Float32Array, at: Uint32Array): Float32Array {
  const values = new Float32Array(at.length);
  for (let i = 0; i < at.length; i++) values[i] = column[at[i]];
  return values;
}

export function strideOf({ prepared }: Residuals, unknowns: number): number {
  const values = prepared.reduce((sum, p) => sum + p.values * p.frames.length, 0);
  return strideFor(values, unknowns);
}

/** Stride with which some of this many values are kept. */
export function strideFor(values: number, unknowns: number): number {
  return Math.max(1, Math.ceil((unknowns * values) / MAX_KEPT), Math.ceil((unknowns ** 2 * values) / MAX_PRODUCTS));
}
