import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { partsOf } from '../src/profile/parts.ts';
import { unbundled } from '../src/profile/unbundled.ts';

it('profile times are assigned to parts of the film command by the source files on the call stack; the report wins over other parts', () => {
  const node = (id: number, url: string, functionName = 'f', children: number[] = []) => ({
    id,
    callFrame: { url, functionName, lineNumber: 0 },
    children,
  });
  const nodes = [
    node(1, '', '(root)', [2, 3, 5, 7]),
    node(2, '', '(idle)'),
    node(3, 'file:///packages/gradsim/dist/report/report.js', 'reportHtml', [4]),
    node(4, 'file:///packages/film/dist/outlines/fit-stage.js', 'estimate'),
    node(5, 'file:///packages/film/dist/fit/outlines.js', 'fitOutlines', [6]),
    node(6, 'file:///packages/base/dist/index.js', 'toString'),
    node(7, 'node:fs', 'readSync'),
  ];
  const parts = partsOf({ nodes, samples: [2, 4, 6, 6, 7], timeDeltas: [1e6, 2e6, 3e6, 4e6, 5e6] });
  expect(parts).toMatchObject({ waiting: 1, report: 2, outlines: 7, other: 5, masks: 0, search: 0, decode: 0 });
});

it('of an estimation, runs and sums belong to those who ask for them, and all else to the innermost function that is known', () => {
  const files = {
    wasm: '',
    device: 'file:///packages/kernel/dist/devices/cpu/executor.js',
    run: 'file:///packages/core/dist/tape/run/runner.js',
    sums: 'file:///packages/core/dist/tape/values/comparing.js',
    trace: 'file:///packages/kernel/dist/language/trace.js',
    step: 'file:///packages/optim/dist/descent/descend.js',
    check: 'file:///packages/optim/dist/departures/pattern-sums.js',
    square: 'file:///packages/base/dist/statistics/statistics.js',
  };
  const timeOf = (stack: readonly (keyof typeof files)[]) => {
    const nodes = stack.map((name, k) => ({
      id: k,
      callFrame: { url: files[name], functionName: name, lineNumber: 0 },
      children: k + 1 < stack.length ? [k + 1] : [],
    }));
    const parts = partsOf({ nodes, samples: [stack.length - 1], timeDeltas: [1e6] });
    return Object.entries(parts).find(([, seconds]) => seconds > 0)?.[0];
  };
  expect(timeOf(['step', 'run', 'device', 'wasm'])).toBe('simulate');
  expect(timeOf(['step', 'sums', 'device', 'wasm'])).toBe('compare');
  expect(timeOf(['check', 'run', 'device', 'wasm'])).toBe('checkRuns');
  expect(timeOf(['check', 'square'])).toBe('statistics');
  expect(timeOf(['step', 'trace', 'square'])).toBe('compile');
  expect(timeOf(['step', 'square'])).toBe('search');
  expect(timeOf(['square'])).toBe('other');
});

it('functions of a bundle are assigned to source modules by the path comments in the bundle', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-bundle-'));
  try {
    mkdirSync(join(folder, 'dist/bundled'), { recursive: true });
    const file = join(folder, 'dist/bundled/index.js');
    writeFileSync(file, "import 'a';\n// dist/fit/parts.js\nfunction a() {}\n// dist/film.js\n\nfunction b() {\n}\n");
    const { href } = pathToFileURL(file);
    const node = (id: number, lineNumber: number, url = href) => ({
      id,
      callFrame: { functionName: '', url, lineNumber },
    });
    const { nodes } = unbundled({
      nodes: [node(1, 2), node(2, 5), node(3, 0), node(4, 7, 'node:fs')],
      samples: [],
      timeDeltas: [],
    });
    const path = (module: string): string => href.replace('dist/bundled/index.js', module);
    expect(nodes.map(({ callFrame }) => callFrame.url)).toEqual([
      path('dist/fit/parts.js'),
      path('dist/film.js'),
      href,
      'node:fs',
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
