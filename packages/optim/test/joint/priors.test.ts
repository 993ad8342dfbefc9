// Two recordings of what falls: priors, ties and disagreement, compared with the estimates of each alone.

import { f64Device } from '@gradsim/core';
import type { ParameterSpec, Problem } from '@gradsim/optim';
import { estimate, estimateTogether } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { gravity, motesModel, motesProblem, motesStarts, seenBy, TRUTH } from '../motes.ts';

const device = f64Device();
const seed = seedOfRun('priors of recordings', 31);
const NOISE = 0.02;

/** Recordings of noisy motes; the pull of one may be another. */
async function recordings(
  of: (k: number) => Partial<Problem> = () => ({}),
  pulls: readonly number[] = [1, 1],
): Promise<{ name: string; problem: Problem }[]> {
  const clean = await seenBy(motesModel());
  // The same noise whichever tests ran before.
  const normal = normalNumbers(randomNumbers(seed));
  const at = (_: number, k: number): number => Math.floor(k / 6) / 24;
  return pulls.map((pull, k) => {
    const target = clean.map(
      (value, i) => value + NOISE * normal() + (i % 3 === 1 ? ((pull - 1) * TRUTH.gravity * at(0, i) ** 2) / 2 : 0),
    );
    return { name: `film ${k}`, problem: motesProblem(target, { parameters: [gravity, ...motesStarts], ...of(k) }) };
  });
}

const withPrior = (prior: ParameterSpec['prior']): Partial<Problem> => ({
  parameters: [{ ...gravity, prior }, ...motesStarts],
});

it('two recordings have the mean of both alone, weighed by their standard errors, and the error that follows', async () => {
  const all = await recordings();
  const { shared, verdict } = await estimateTogether(all, { shared: ['gravity'] }, { device });
  const alone = await Promise.all(all.map(async ({ problem }) => (await estimate(problem, { device })).parameters));
  const weights = alone.map((own) => 1 / own.gravity.standardError! ** 2);
  const mean = alone.reduce((sum, own, k) => sum + own.gravity.estimate * weights[k], 0) / (weights[0] + weights[1]);
  const error = 1 / Math.sqrt(weights[0] + weights[1]);
  expect(Math.abs(shared.gravity.estimate - mean)).toBeLessThan(0.05 * error);
  expect(shared.gravity.standardError! / error).toBeCloseTo(1, 1);
  expect(verdict).toMatchObject({ trusted: true, findings: [] });
});

it('a prior of what both share counts once, and the priors of their own unknowns with each', async () => {
  const all = await recordings();
  const free = (await estimateTogether(all, { shared: ['gravity'] }, { device })).shared.gravity;
  // As exact as both recordings together, and a standard error of theirs away.
  const prior = { mean: free.estimate + free.standardError!, standardDeviation: free.standardError! };
  const known = all.map(({ name, problem }) => ({ name, problem: { ...problem, ...withPrior(prior) } }));
  const { gravity: found } = (await estimateTogether(known, { shared: ['gravity'] }, { device })).shared;
  // Counted twice it would move by 2/3 of a standard error, to an error of 0.58.
  expect((found.estimate - free.estimate) / free.standardError!).toBeCloseTo(1 / 2, 1);
  expect(found.standardError! / free.standardError!).toBeCloseTo(Math.SQRT1_2, 1);

  const held = { mean: 1, standardDeviation: 1e-4 };
  const starts = motesStarts.map((spec) => (spec.name === 'position 0 1' ? { ...spec, prior: held } : spec));
  const fixed = all.map(({ name, problem }) => ({ name, problem: { ...problem, parameters: [gravity, ...starts] } }));
  const own = await estimateTogether(fixed, { shared: ['gravity'] }, { device });
  for (const { estimate: each } of own.recordings)
    expect(Math.abs(each.parameters['position 0 1'].estimate - 1)).toBeLessThan(3e-4);
  expect(own.shared.gravity.standardError!).toBeLessThan(free.standardError!);
});

it('what is shared may be tied, with given quantities', async () => {
  const zoom = { name: 'lever', value: 1, tolerance: 1e-5 };
  const all = await recordings();
  const { field: _, component: __, ...loose } = gravity;
  const tied = all.map(({ name, problem }) => ({
    name,
    problem: {
      ...problem,
      parameters: [
        { ...loose, name: 'pull', initial: 4, range: [1, 20] as const, truth: -TRUTH.gravity },
        ...motesStarts,
      ],
      given: [zoom],
      ties: [
        {
          field: 'world.gravity',
          components: [1],
          compute: (v: Readonly<Record<string, number>>) => -v.pull * v.lever,
        },
      ],
      derived: { weight: { compute: (v: Readonly<Record<string, number>>) => 2 * v.pull } },
    },
  }));
  const [direct, through] = [
    (await estimateTogether(all, { shared: ['gravity'], tolerance: 1e-6 }, { device })).shared.gravity,
    await estimateTogether(tied, { shared: ['pull'], tolerance: 1e-6 }, { device }),
  ];
  expect(through.shared.pull.estimate).toBeCloseTo(-direct.estimate, 4);
  expect(through.shared.pull.standardError! / direct.standardError!).toBeCloseTo(1, 2);
  expect(through.recordings[0].estimate.derived.weight.estimate).toBeCloseTo(2 * through.shared.pull.estimate, 10);
});

it('recordings of different things disagree, and a value that is not usual is questioned', async () => {
  const usual = { range: [-9.9, -9.7] as const, of: "the Earth's", question: 'Is a length wrong?' };
  const parameters = [{ ...gravity, usual }, ...motesStarts];
  const other = await recordings(() => ({ parameters }), [1, 1.3]);
  const { verdict } = await estimateTogether(other, { shared: ['gravity'] }, { device });
  expect(verdict.trusted).toBe(false);
  const [first] = verdict.findings;
  expect(first).toMatchObject({ kind: 'disagreement', unknowns: ['gravity'] });
  expect(first.note).toMatch(/film 0 alone tells gravity -9\.\d+ ± .*, and film 1 alone tells gravity -1[23]\.\d+ ± /);
  const both = await recordings(() => ({ parameters }), [1.3, 1.3]);
  const found = await estimateTogether(both, { shared: ['gravity'] }, { device });
  expect(found.verdict.findings).toMatchObject([
    {
      kind: 'unusual',
      unknowns: ['gravity'],
      note: expect.stringMatching(/m\/s2, and the Earth's is -9\.9 to -9\.7 m\/s2\. Is a length/),
    },
  ]);
});

it('different priors of what is shared are refused', async () => {
  const all = await recordings((k) => withPrior({ mean: -9.8, standardDeviation: 0.1 + k }));
  await expect(estimateTogether(all, { shared: ['gravity'] }, { device })).rejects.toThrowCode({
    code: 'optim/not-in-joint',
    values: ['film 0', 'film 1', 'gravity'],
  });
});
