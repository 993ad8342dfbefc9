import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONV_NET_ROWS, convNetRows, readConvNetRows } from '../src/conv-net-rows.ts';

it('rows of the network are read by table, and have n = 0 where it has not run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-conv-net-rows-'));
  try {
    const none = readConvNetRows(folder, 'table-2');
    expect(none.map(({ unknown }) => unknown)).toEqual(['mass', 'ke', 'kd', 'kf', 'mu']);
    expect(none[0]).toMatchObject({ row: 'ConvNet', n: 0, measured: null, published: 0.029 });
    const values = { mass: 3, ke: 1, kd: 1, kf: 1, mu: 1 };
    const measured = { values, sureness: null, simulations: null, seconds: 1 };
    const rows = convNetRows([{ truth: { ...values, mass: 4 }, measured }]);
    writeFileSync(join(folder, CONV_NET_ROWS), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const [mass, ...others] = readConvNetRows(folder, 'table-1');
    expect(mass).toMatchObject({ n: 1, measured: 0.25, published: 0.0094 });
    expect(others).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
