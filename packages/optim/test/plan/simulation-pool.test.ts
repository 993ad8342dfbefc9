import type { Simulation } from '@gradsim/core';
import { expect, it } from 'vitest';
import { SimulationPool } from '../../src/plan/simulation-pool.ts';
import type { Run } from '../../src/problem/run.ts';

it('the pool knows the last run of its simulation until that is taken or returned after another run', async () => {
  const pool = new SimulationPool();
  const [x, frames] = [Float64Array.of(1, 2), 30];
  const open = async () => ({ dispose: () => {} }) as Simulation;
  const key = { run: {} as Run, derivative: 'tangent', points: 1 } as const;
  const simulation = await pool.acquire(key, open);
  pool.release(simulation, { x, frames });
  expect(pool.lastRunAt({ x: Float64Array.of(1, 2), frames })).toBe(simulation);
  expect(pool.lastRunAt({ x: Float64Array.of(1, 3), frames })).toBeNull();
  expect(pool.lastRunAt({ x, frames: 29 })).toBeNull();
  expect(await pool.acquire(key, open)).toBe(simulation);
  expect(pool.lastRunAt({ x, frames })).toBeNull();
  pool.release(simulation);
  expect(pool.lastRunAt({ x, frames })).toBeNull();
});
