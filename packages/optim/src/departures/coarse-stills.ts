import type { Simulation } from '@gradsim/core';
import { MIN_FRAMES, momentsIn, tilesOf } from '../objective/frame-parts.ts';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import { nonzeroRows, strideFor, valuesAt } from '../objective/jacobian-sample.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import { fillShownEvery, fillTangentEvery, recordsAlong } from '../objective/prepared-observation.ts';
import type { Plan } from '../plan/plan.ts';
import { RunFailure } from '../unknowns/run-failure.ts';

/** Coarse still pictures, with all their derivatives. Of what is observed beside pictures the sample holds nothing. */
export interface CoarseStills {
  readonly prepared: readonly PreparedObservation[];
  readonly sample: JacobianSample;
}

/**
 * Makes still pictures coarse that are too large for all of their derivatives to be kept: squares of pixels are summed,
 * and the sums divided by the side of a square, so that independent noise keeps its variance.
 * @returns null for films, and if squares as large as a tile are not enough.
 */
export async function coarseStills(
  { unknowns, objective }: Plan,
  simulation: Simulation,
): Promise<CoarseStills | null> {
  const { prepared } = objective.residuals!;
  const pictures = prepared.filter((p) => tilesOf(p) > 0);
  if (pictures.length === 0 || momentsIn(prepared).size >= MIN_FRAMES) return null;
  const values = pictures.reduce((sum, p) => sum + p.values * p.frames.length, 0);
  let side = 2;
  while (strideFor(values / side ** 2, unknowns.count) > 1) side *= 2;
  if (pictures.some((p) => p.grid!.tile % side !== 0)) return null;
  const positions: Uint32Array[] = [];
  const columns: Float32Array[][] = [];
  const modelOutput: Float32Array[] = [];
  for (const p of prepared) {
    const isPicture = tilesOf(p) > 0;
    const record = await RunFailure.whileReading(simulation.readRecord(p.field));
    const along = await recordsAlong(simulation, p.field);
    const fine = new Float32Array(isPicture ? p.values : 0);
    const coarse = (): Float32Array => Float32Array.from(overSquares(fine, p.grid!.tile, side), (sum) => sum / side);
    for (let f = 0; f < p.frames.length; f++) {
      const place = { record, world: 0, f };
      if (isPicture) fillShownEvery(fine, p, place, 1);
      modelOutput.push(isPicture ? coarse() : fine);
      const whole = Array.from({ length: isPicture ? unknowns.count : 0 }, (_, k) => {
        fillTangentEvery(fine, p, place, along(k), 1);
        return coarse();
      });
      const at = nonzeroRows(whole);
      positions.push(at);
      columns.push(whole.map((column) => valuesAt(column, at)));
    }
  }
  return {
    prepared: prepared.map((p) => (tilesOf(p) > 0 ? coarsePicture(p, side) : p)),
    sample: { positions, columns, modelOutput, stride: 1, side },
  };
}

/** Observation of sums over squares of pixels; a square counts if one of its pixels does. */
function coarsePicture(p: PreparedObservation, side: number): PreparedObservation {
  const { width, height, tile } = p.grid!;
  return {
    ...p,
    values: p.values / side ** 2,
    elements: p.elements / side ** 2,
    grid: { width: Math.ceil(width / side), height: Math.ceil(height / side), tile: tile / side },
    frames: p.frames.map((frame) => ({
      ...frame,
      target: overSquares(frame.target, tile, side).map((sum) => sum / side),
      rootWeights: frame.rootWeights && overSquares(frame.rootWeights, tile, side).map((sum) => sum / side ** 2),
    })),
  };
}

/** Sums of values, tile by tile, over squares of pixels. */
function overSquares(values: Float32Array | Float64Array, tile: number, side: number): Float64Array {
  const sums = new Float64Array(values.length / side ** 2);
  const squares = tile / side;
  for (let k = 0; k < values.length; k++) {
    const own = k % tile ** 2;
    const square = Math.floor(own / (tile * side)) * squares + Math.floor((own % tile) / side);
    sums[Math.floor(k / tile ** 2) * squares ** 2 + square] += values[k];
  }
  return sums;
}
