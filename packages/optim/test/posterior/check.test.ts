import { f64Device } from '@gradsim/core';
import type { Problem } from '@gradsim/optim';
import { defineCheck, estimate, findingsOf, isTrusted } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { motesModel, motesProblem, seenBy } from '../motes.ts';

const device = f64Device();
const normal = normalNumbers(randomNumbers(seedOfRun('checks', 3)));
const target = await seenBy(motesModel(), 0.01, normal);
const checked = (checks: unknown): Problem => motesProblem(target, { options: { checks } as Problem['options'] });

/** On the moon or lighter, nobody threw anything in this room. */
const tooLight = (least: number) =>
  defineCheck({
    kind: 'too light',
    rank: 80,
    isCritical: true,
    needs: ['uncertainty'],
    find: ({ names, values, uncertainty }) => {
      const i = names.indexOf('gravity');
      const error = uncertainty.standardErrors[i];
      const note = `Gravity is ${values[i].toFixed(2)} ± ${error.toFixed(2)} m/s^2.`;
      return values[i] > -least && { unknowns: ['gravity'], note };
    },
  });

describe('a check of the option `checks`', () => {
  it('makes a result untrusted by a critical finding of its own kind', async () => {
    const { verdict } = await estimate(checked([tooLight(20)]), { device });
    expect(verdict).toMatchObject({
      trusted: false,
      findings: [{ kind: 'too light', isCritical: true, unknowns: ['gravity'] }],
    });
    expect((await estimate(checked([tooLight(2)]), { device })).verdict).toMatchObject({ trusted: true, findings: [] });
  });

  it('is not made without what it needs', async () => {
    const problem = checked([tooLight(20)]);
    const options = { ...problem.options, search: { method: 'l-bfgs' } } as const;
    const { verdict } = await estimate({ ...problem, options }, { device });
    expect(verdict.findings.map(({ kind }) => kind)).toEqual(['no standard errors']);
  });

  it.each([
    [{}, 'optim/wrong-type'],
    [[null], 'optim/wrong-type'],
    [[{ ...tooLight(1), rank: Number.NaN }], 'optim/wrong-type'],
    [[{ ...tooLight(1), find: undefined }], 'optim/wrong-type'],
    [[{ ...tooLight(1), needs: ['mass'] }], 'optim/unknown-choice'],
    [[{ ...tooLight(1), needs: 'uncertainty' }], 'optim/wrong-type'],
    [[{ ...tooLight(1), critical: true }], 'base/unknown-option'],
  ])('is refused before anything runs if it is malformed (case %#)', async (checks, code) => {
    const onIteration = (): void => expect.unreachable();
    await expect(estimate(checked(checks), { device, onIteration })).rejects.toThrowCode({ code });
  });
});

it('a check that fails, or returns what is no finding, is named', () => {
  const named = (find: () => unknown) => () =>
    findingsOf({}, [{ kind: 'odd', rank: 1, isCritical: true, find: find as () => false }]);
  const fails = (): never => {
    throw new Error('a fault of mine');
  };
  expect(named(fails)).toThrowCode({ code: 'optim/check-failed', values: ['odd', 'a fault of mine'] });
  for (const found of ['too light', true, Promise.resolve(false), { message: 'too light' }, [{ note: 'a' }, 3]])
    expect(named(() => found)).toThrowCode({ code: 'optim/wrong-type', values: ['odd'] });
});

it('findingsOf() puts critical findings first, then orders by rank; checks see the findings before them', () => {
  const seen: string[][] = [];
  const check = (kind: string, rank: number, isCritical: boolean) => ({
    kind,
    rank,
    isCritical,
    needs: [],
    find: (_: object, before: readonly { readonly kind: string }[]) => {
      seen.push(before.map((finding) => finding.kind));
      return [{ note: `${kind}.` }];
    },
  });
  const findings = findingsOf({}, [
    check('a', 3, false),
    check('b', 2, true),
    check('c', 1, true),
    check('d', 0, false),
  ]);
  expect(findings.map(({ kind }) => kind)).toEqual(['c', 'b', 'd', 'a']);
  expect(seen).toEqual([[], ['a'], ['a', 'b'], ['a', 'b', 'c']]);
  expect(isTrusted(findings)).toBe(false);
  expect(isTrusted(findings.slice(2))).toBe(true);
});
