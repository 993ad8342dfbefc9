import { f64Device } from '@gradsim/core';
import type { ParameterSpec } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { gravity, motesModel, motesProblem, motesStarts, seenBy, TRUTH } from '../motes.ts';

const NOISE = 0.002;

it('a value outside of its usual range, beyond its standard errors, is questioned, and one within is not', async () => {
  const normal = normalNumbers(randomNumbers(seedOfRun('unusual values', 12)));
  const target = (await seenBy(motesModel())).map((value) => value + NOISE * normal());
  const findings = async (range: readonly [number, number]) => {
    const usual = { range, of: "the Earth's", question: 'Is every length right?' };
    const parameters: ParameterSpec[] = [{ ...gravity, usual }, ...motesStarts];
    const { verdict, parameters: found } = await estimate(motesProblem(target, { parameters }), {
      device: f64Device(),
    });
    return { verdict, error: found.gravity.standardError! };
  };
  const { verdict, error } = await findings([TRUTH.gravity - 1, TRUTH.gravity + 1]);
  expect(verdict.findings.filter(({ kind }) => kind === 'unusual')).toEqual([]);
  const far = await findings([TRUTH.gravity + 10 * error, TRUTH.gravity + 20 * error]);
  const [finding] = far.verdict.findings.filter(({ kind }) => kind === 'unusual');
  expect(far.verdict.trusted).toBe(false);
  expect(finding).toMatchObject({ isCritical: true, unknowns: ['gravity'] });
  expect(finding.note).toMatch(/^gravity is -?\d.*, and the Earth's is .* Is every length right\?$/);
  // A search that did not converge has the same reason, as a rule: it is named after it.
  const usual = {
    range: [TRUTH.gravity + 10 * error, TRUTH.gravity + 20 * error],
    of: 'another',
    question: 'Is it?',
  } as const;
  const parameters: ParameterSpec[] = [{ ...gravity, usual }, ...motesStarts];
  const options = { search: { iterations: 3, horizons: [1] } };
  const { verdict: early } = await estimate(motesProblem(target, { parameters, options }), { device: f64Device() });
  const kinds = early.findings.map(({ kind }) => kind);
  expect(kinds).toContain('unfinished');
  expect(kinds.indexOf('unusual')).toBe(kinds.indexOf('unfinished') - 1);
});
