import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RigidStudio } from '@gradsim/dataset';
import { expect, it } from 'vitest';
import { WRONG_MODEL_NAMES, WRONG_MODELS } from '../src/wrong-models/rows.ts';
import type { Found } from '../src/wrong-models/study.ts';
import { table4 } from '../src/wrong-models/table.ts';

it('a row has errors of the determined objects, and what share of wrong ones is flagged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-table-4-'));
  const found = (mass: number, trusted: boolean, determined = true): Found => ({
    shape: 'box',
    truth: { mass: 4 },
    determined,
    measured: {
      values: { mass },
      sureness: { standardErrors: { mass: 0.1 }, trusted },
      simulations: 80,
      seconds: 2,
    },
  });
  const results = [found(4.1, true), found(5, false), found(6, true), found(9, true, false)];
  const lines = results.map((result, k) =>
    JSON.stringify({
      settings: { instance: k + 1, row: 'unmodelled friction', sample: k },
      ended: { status: 'done', result },
    }),
  );
  try {
    writeFileSync(join(folder, 'results.jsonl'), `${lines.join('\n')}\n`);
    const { rows } = table4.rowsIn(folder, 90);
    expect(rows).toHaveLength(WRONG_MODEL_NAMES.length);
    expect(rows[0]).toMatchObject({ row: 'perfect model', n: 0, measured: null, trusted: null, flaggedOfWrong: null });
    expect(rows[1]).toEqual({
      table: 'table-4',
      row: 'unmodelled friction',
      unknown: 'mass',
      n: 3,
      measured: expect.closeTo((0.1 + 1 + 2) / 4 / 3, 12),
      median: 0.25,
      worst: 0.5,
      published: 0.1866,
      trusted: 2 / 3,
      flaggedOfWrong: 1 / 2,
      withinTwo: 1 / 2,
      simulations: 80,
      seconds: 2,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a model lacks what its row says, and nothing else', async () => {
  const [{ scene }] = await new RigidStudio().act('box', [0], { seed: 1, size: 16 });
  const { ke, kd, kf, mu } = scene.material;
  expect(WRONG_MODELS['perfect model'].modelled(scene)).toEqual(scene);
  expect(WRONG_MODELS['unmodelled friction'].modelled(scene)).toEqual({ ...scene, material: { ke, kd, kf: 0, mu: 0 } });
  expect(WRONG_MODELS['unmodelled elasticity'].modelled(scene)).toEqual({ ...scene, material: { ke, kd: 0, kf, mu } });
});
