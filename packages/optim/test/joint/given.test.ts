import { f64Device } from '@gradsim/core';
import type { GivenSpec, JointPosterior, Problem } from '@gradsim/optim';
import { estimateTogether } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { gravity, motesModel, motesProblem, motesStarts, seenBy, TRUTH } from '../motes.ts';

const device = f64Device();
const normal = normalNumbers(randomNumbers(seedOfRun('given quantities of recordings', 12)));

/** Three recordings of noisy motes, each with the zoom that it is seen through. */
async function recordings(zoomOf: (k: number) => GivenSpec[]): Promise<{ name: string; problem: Problem }[]> {
  const clean = await seenBy(motesModel());
  return [0, 1, 2].map((k) => {
    const target = clean.map((value) => value + 0.002 * normal());
    const problem = motesProblem(target, { parameters: [gravity, ...motesStarts], given: zoomOf(k) });
    return { name: `toss ${k}`, problem };
  });
}
const zoom = (name: string): GivenSpec => ({ name, field: 'world.zoom', value: 1, tolerance: 0.01 });

it('the tolerance of a quantity that all recordings have in common is part of the standard error of what they share', async () => {
  const found = await estimateTogether(await recordings(() => [zoom('zoom')]), { shared: ['gravity'] }, { device });
  const { standardError, interval, ofGiven, estimate } = found.shared.gravity;
  // Gravity goes as 1 / zoom, and its standard error is hardly anything else.
  const part = 0.01 * Math.abs(TRUTH.gravity);
  expect(ofGiven.zoom / part).toBeCloseTo(1, 2);
  expect(standardError! / part).toBeCloseTo(1, 1);
  expect(interval![1] - estimate).toBeGreaterThan(1.9 * part);
  expect(found.verdict).toMatchObject({ trusted: true, findings: [{ kind: 'tolerance', unknowns: ['gravity'] }] });
  expect(found.recordings[0].estimate.given.zoom).toMatchObject({ value: 1, tolerance: 0.01 });
});

it('checks of ones own see what is shared, and count as others do', async () => {
  const checks = [
    {
      kind: 'not of the earth',
      rank: 40,
      isCritical: true,
      find: ({ names, recordings: all }: JointPosterior) => ({ note: `${names.join()} of ${all.length} recordings.` }),
    },
  ];
  const found = await estimateTogether(await recordings(() => []), { shared: ['gravity'], checks }, { device });
  expect(found.verdict).toMatchObject({
    trusted: false,
    findings: [{ kind: 'not of the earth', isCritical: true, note: 'gravity of 3 recordings.' }],
  });
  const wrong = [{ ...checks[0], needs: ['fit' as never] }];
  const other = await recordings(() => []);
  await expect(estimateTogether(other, { shared: ['gravity'], checks: wrong }, { device })).rejects.toThrowCode({
    code: 'optim/unknown-choice',
    values: ['fit', 'recordings'],
  });
});

it('tolerances of quantities that each recording has for itself are left to their disagreement', async () => {
  const own = await recordings((k) => [zoom(`zoom of ${k}`)]);
  const { shared } = await estimateTogether(own, { shared: ['gravity'] }, { device });
  expect(shared.gravity.ofGiven).toEqual({});
  expect(shared.gravity.standardError!).toBeLessThan(0.005 * Math.abs(TRUTH.gravity));
});
