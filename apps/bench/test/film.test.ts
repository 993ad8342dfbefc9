import { expect, it } from 'vitest';
import { partsOf } from '../src/film/parts.ts';

it('a profile of the command is told by the files on the stack, the report first', () => {
  const node = (id: number, url: string, functionName = 'f', children: number[] = []) => ({
    id,
    callFrame: { url, functionName },
    children,
  });
  const nodes = [
    node(1, '', '(root)', [2, 3, 5, 7]),
    node(2, '', '(idle)'),
    node(3, 'file:///packages/cli/dist/report/report.js', 'reportHtml', [4]),
    node(4, 'file:///packages/film/dist/outlines/stage.js', 'estimate'),
    node(5, 'file:///packages/film/dist/fit/outlines.js', 'fitOutlines', [6]),
    node(6, 'file:///packages/numeric/dist/index.js', 'toString'),
    node(7, 'node:fs', 'readSync'),
  ];
  const parts = partsOf({ nodes, samples: [2, 4, 6, 6, 7], timeDeltas: [1e6, 2e6, 3e6, 4e6, 5e6] });
  expect(parts).toMatchObject({ waiting: 1, report: 2, outlines: 7, other: 5, masks: 0, search: 0, decode: 0 });
});
