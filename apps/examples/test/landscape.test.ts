import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuDevice } from '@gradsim/core';
import { beamLandscape, massLandscape, publishedCurves, risesTowardsTruth } from '@gradsim/examples';
import { expect, it, onTestFinished } from 'vitest';

const device = cpuDevice();

it('loss landscapes over mass have their minimum at the true mass; that of all frames rises towards it at fewer than three points', async () => {
  // 0.1 to 5 in 50 points: 1 is among them.
  const { curves, truth } = await massLandscape(device, 50);
  expect(curves).toHaveLength(4);
  for (const { losses, values } of curves) {
    const least = Math.min(...losses);
    expect(values[losses.indexOf(least)]).toBeCloseTo(truth, 12);
    // The truth is a world of the same batch: its film is the same, up to 1 as 0.1 + 9 * 0.1.
    expect(least).toBeLessThan(1e-9);
    expect(Math.max(...losses)).toBe(1);
  }
  expect(risesTowardsTruth(curves[0], truth)).toBeLessThan(3);
});

it('the loss curve over mu, and that over lambda, each has its minimum at the point nearest to the truth', async () => {
  // 50 to 1490 in 4 points, steps of 480: 1010 is nearest to 1000.
  const { curves, truth } = await beamLandscape(device, 4);
  expect(curves.map(({ name }) => name)).toEqual(['kmu', 'klambda']);
  for (const { losses, values } of curves)
    expect(Math.abs(values[losses.indexOf(Math.min(...losses))] - truth)).toBeLessThan(11);
});

it('published loss curves are read; a file without them is refused, with the name of what is missing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradsim-landscape-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'curves.json');
  writeFileSync(
    file,
    JSON.stringify({
      mass_loss_landscape: { masses: [1, 2], losses_skip1: [0, 1] },
      beam_loss_landscape: { kmu_val: [1], kmu_loss: [0], klambda_val: [2], klambda_loss: [1] },
    }),
  );
  const { mass, beam } = publishedCurves(file);
  expect(mass).toEqual([{ name: 'losses_skip1', values: [1, 2], losses: [0, 1] }]);
  expect(beam.map(({ name, values }) => [name, ...values])).toEqual([
    ['kmu', 1],
    ['klambda', 2],
  ]);
  writeFileSync(file, '{}');
  expect(() => publishedCurves(file)).toThrow('holds no mass_loss_landscape');
});
