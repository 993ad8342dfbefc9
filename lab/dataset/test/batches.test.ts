import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { endedBatches, type RigidBatch, rigidBatches } from '../src/batches.ts';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-batches-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COMMON = { seed: 1, size: 64 };
const results = join(folder, 'results.jsonl');
const write = (batches: readonly object[]): void =>
  writeFileSync(results, batches.map((settings) => `${JSON.stringify({ settings })}\n`).join(''));
const batchesOf = (count: number): RigidBatch[] =>
  [...rigidBatches(count, COMMON, endedBatches<RigidBatch>(results, 'rigid', COMMON))] as RigidBatch[];
const samplesOf = (batches: readonly RigidBatch[]): number[] =>
  batches.flatMap(({ samples }) => samples).sort((a, b) => a - b);
const upTo = (count: number): number[] => Array.from({ length: count }, (_, k) => k);

it('a dataset can be enlarged to any count, in batches of at most 16 samples, and plans no sample twice', () => {
  for (const count of [100, 101, 250, 224, 600]) {
    const batches = batchesOf(count);
    expect(samplesOf(batches)).toEqual(upTo(Math.max(count, samplesOf(batches).length)));
    expect(Math.max(...batches.map(({ samples }) => samples.length))).toBeLessThanOrEqual(16);
    write(batches);
  }
  expect(samplesOf(batchesOf(600))).toEqual(upTo(600));
});

it('finished batches are kept as they are after an interruption, and the missing samples are planned', () => {
  rmSync(results);
  const ended = batchesOf(100).slice(3, 7);
  write(ended);
  const batches = batchesOf(150);
  expect(batches.slice(0, 4)).toEqual(ended);
  expect(samplesOf(batches)).toEqual(upTo(150));
});

it('results of another seed in the folder are refused', () => {
  write([{ kind: 'rigid', shape: 'box', samples: [0], seed: 2, size: 64 }]);
  expect(() => batchesOf(14)).toThrow('seed 2');
});
