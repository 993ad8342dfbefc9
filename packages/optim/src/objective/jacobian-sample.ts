import type { Residuals } from './residuals.ts';

/** Maximum number of derivatives (unknowns times residuals) kept for comparison with finite differences. */
const MAX_KEPT = 8e6;
/** Maximum number of multiplications in one comparison of derivatives with finite differences, over all unknowns. */
const MAX_PRODUCTS = 2e8;

/** Derivatives of every `stride`-th value, [frame][unknown][value], and the output there, `modelOutput`: [frame][value]. */
export interface JacobianSample {
  readonly columns: Float32Array[][];
  readonly modelOutput: Float32Array[];
  readonly stride: number;
  /** Side of the squares of pixels whose sums the values are, px. Default 1. */
  readonly side?: number;
}

export function strideOf({ prepared }: Residuals, unknowns: number): number {
  const values = prepared.reduce((sum, p) => sum + p.values * p.frames.length, 0);
  return strideFor(values, unknowns);
}

/** Stride with which some of this many values are kept. */
export function strideFor(values: number, unknowns: number): number {
  return Math.max(1, Math.ceil((unknowns * values) / MAX_KEPT), Math.ceil((unknowns ** 2 * values) / MAX_PRODUCTS));
}
