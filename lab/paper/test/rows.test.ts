import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { type Found, type Row, rowOf } from '../src/row.ts';
import { defineTable } from '../src/table.ts';

const folder = mkdtempSync(join(tmpdir(), 'gradsim-paper-'));
afterAll(() => rmSync(folder, { recursive: true }));

const table = defineTable<{ readonly instance: number; readonly row: string }, Found, Row>({
  name: 'table-0',
  study: new URL('file:///study.ts'),
  count: 5,
  quickCount: 2,
  rowsOf: (trials) => [
    rowOf(trials, { table: 'table-0', row: 'box', unknown: 'mass', published: 0.01, onlyDetermined: true }),
    rowOf(trials, { table: 'table-0', row: 'cone', unknown: 'mass', published: null, onlyDetermined: true }),
  ],
  columns: [{ head: 'row', cell: ({ row }) => row }],
});
const done = (mass: number, rest: Partial<Found> = {}) => ({
  status: 'done',
  result: {
    row: 'box',
    errors: { mass },
    determined: { mass: 1 },
    named: { mass: false },
    trusted: true,
    findings: [],
    parameters: { mass: { estimate: 1 + mass, truth: 1, standardError: 5e-4, interval: [0, 2] } },
    seconds: 2,
    ...rest,
  },
});
const write = (ends: readonly object[]): void =>
  writeFileSync(
    join(folder, 'results.jsonl'),
    ends.map((ended, k) => `${JSON.stringify({ settings: { instance: k + 1, row: 'box' }, ended })}\n`).join(''),
  );

it('a row of a table summarises determined instances only, and counts a failed one as an infinite error', () => {
  write([
    done(1e-3),
    done(3e-3, { trusted: false }),
    done(5e-2),
    done(9, { determined: { mass: 0 }, named: { mass: true } }),
    { status: 'failed' },
  ]);
  const [box, cone] = table.rowsIn(folder, 5).rows;
  expect(box).toEqual({
    table: 'table-0',
    row: 'box',
    unknown: 'mass',
    n: 5,
    failed: 1,
    determined: 0.75,
    median: (3e-3 + 5e-2) / 2,
    mean: Number.POSITIVE_INFINITY,
    quartiles: [0.25 * 1e-3 + 0.75 * 3e-3, Number.POSITIVE_INFINITY],
    worst: Number.POSITIVE_INFINITY,
    published: 0.01,
    belowPublished: 0.5,
    trusted: 0.5,
    flaggedOfWrong: 1 / 3,
    named: 1,
    seconds: 2,
  });
  expect(cone).toMatchObject({ n: 0, median: null, trusted: null, belowPublished: null });
});

it('a row of a table ignores instances beyond the requested number', () => {
  write([done(1e-3), done(3e-3), done(5e-2)]);
  expect(table.rowsIn(folder, 2).rows[0]).toMatchObject({
    n: 2,
    median: 2e-3,
    mean: 2e-3,
    worst: 3e-3,
    belowPublished: 1,
  });
});

it('an incomplete last line of results is ignored', () => {
  write([done(1e-3)]);
  writeFileSync(join(folder, 'results.jsonl'), '{"settings": {"inst', { flag: 'a' });
  expect((table.rowsIn(folder, 5).rows[0] as Row).n).toBe(1);
});
