// Stages of `npm run gpu`: programs that end, fail or are stopped, and the page of what they printed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runStage } from '../src/gpu/run-stage.ts';
import { gpuStages } from '../src/gpu/stages.ts';
import { pageOf } from '../src/gpu/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-gpu-'));
afterAll(() => rmSync(folder, { recursive: true }));

function program(name: string, code: string) {
  const file = join(folder, `${name}.js`);
  writeFileSync(file, code);
  return { command: `run ${name}`, run: [file], shows: ['size', 'rate'] };
}

it('keeps the figures of what ends, fails, or is stopped with what it started, and says which', async () => {
  const programs = [
    program('well', 'console.log(\'hello\'); console.log(\'{"size":10,"rate":1234.5}\')'),
    program('fails', 'console.log(\'{"size":20,"rate":2}\'); throw new Error(\'lost the device\');'),
    program(
      'hangs',
      "console.log('{\"size\":30,\"rate\":3}'); require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });",
    ),
    program('after', 'console.log(\'{"size":40,"rate":4}\')'),
  ];
  const result = await runStage({ name: 'some', title: 'Some', programs }, 5, 'abc');
  expect(result.outcomes.map(({ ended }) => ended)).toEqual(['well', 'failed', 'stopped', 'stopped']);
  expect(result.outcomes.map(({ figures }) => figures[0]?.size)).toEqual([10, 20, 30, undefined]);
  const page = pageOf('A driver', [result], 5);
  expect(page).toContain('A driver');
  expect(page).toContain('| 10 | 1230 |');
  expect(page).toContain('lost the device');
  expect(page).toMatch(/`run hangs`, \S+ s: stopped/);
});

it('are eight, of which a page is missing without Chromium', () => {
  const stages = gpuStages({ references: '../nowhere', chromium: undefined });
  expect(stages).toHaveLength(8);
  expect(stages.filter(({ missingReason: missing }) => missing).map(({ name }) => name)).toEqual(['page']);
  expect(stages[0].name).toBe('soft-body');
});
