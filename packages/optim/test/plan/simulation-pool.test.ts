import type { ComparisonSums, Simulation } from '@gradsim/core';
import { expect, it } from 'vitest';
import { SimulationPool } from '../../src/plan/simulation-pool.ts';
import type { Run } from '../../src/problem/run.ts';

it('the pool knows the last run of its simulation, and sums of one, until that is taken or returned after another', async () => {
  const pool = new SimulationPool();
  const run = {} as Run;
  const at = { run, x: Float64Array.of(1, 2), frames: 30 };
  const before = { ...at, x: Float64Array.of(1, 3) };
  const sums: ComparisonSums[] = [];
  const open = async () => ({ dispose: () => {} }) as Simulation;
  const key = { run, derivative: 'tangent', points: 1 } as const;
  const simulation = await pool.acquire(key, open);
  pool.release(simulation, at, { ...before, sums });
  expect(pool.hasRun({ ...at, x: at.x.slice() })).toBe(true);
  for (const other of [before, { ...at, frames: 29 }, { ...at, run: { ...run } }])
    expect(pool.hasRun(other)).toBe(false);
  expect(pool.sumsOf({ ...before, x: before.x.slice() })).toBe(sums);
  for (const other of [at, { ...before, frames: 29 }]) expect(pool.sumsOf(other)).toBeNull();
  expect(await pool.acquire(key, open)).toBe(simulation);
  for (const known of [pool.hasRun(at), pool.sumsOf(before)]) expect(known).toBeFalsy();
  pool.release(simulation);
  for (const known of [pool.hasRun(at), pool.sumsOf(before)]) expect(known).toBeFalsy();
});
