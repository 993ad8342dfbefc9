import type { Simulation } from '@gradsim/core';
import { expect, it } from 'vitest';
import { SimulationPool } from '../../src/plan/simulation-pool.ts';
import type { Run } from '../../src/problem/run.ts';

it('the pool knows the last run of its simulation until that is taken or returned after another run', async () => {
  const pool = new SimulationPool();
  const [x, frames] = [Float64Array.of(1, 2), 30];
  const open = async () => ({ dispose: () => {} }) as Simulation;
  const key = { run: {} as Run, derivative: 'tangent', points: 1, parts: 1 } as const;
  const simulation = await pool.take(key, open);
  pool.keep(simulation, { x, frames });
  expect(pool.ranAt({ x: Float64Array.of(1, 2), frames })).toBe(simulation);
  expect(pool.ranAt({ x: Float64Array.of(1, 3), frames })).toBeNull();
  expect(pool.ranAt({ x, frames: 29 })).toBeNull();
  expect(await pool.take(key, open)).toBe(simulation);
  expect(pool.ranAt({ x, frames })).toBeNull();
  pool.keep(simulation);
  expect(pool.ranAt({ x, frames })).toBeNull();
});
