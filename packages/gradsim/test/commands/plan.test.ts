import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { f64Device } from '@gradsim/core';
import type { Estimate, Stage } from '@gradsim/optim';
import * as optim from '@gradsim/optim';
import { expect, it } from 'vitest';
import { planKept, type StoredPlan } from '../../src/experiment/plan-file.ts';
import { adviceOn } from '../../src/experiment/plan-stage.ts';
import fallingMote from '../fixtures/falling-mote.ts';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

it('gradsim plan foretells error bars, stores them, and estimate says whether they were kept', async () => {
  const folder = temporaryFolder();
  const [out, result] = [join(folder, 'plan'), join(folder, 'result')];
  const first = await gradsim(['estimate', FALLING_MOTE, '--device', 'cpu', '--out', join(folder, 'first')]);
  expect([0, 3]).toContain(first.code);
  const args = ['plan', FALLING_MOTE, '--device', 'cpu', '--out', out];
  expect((await gradsim(args)).stderr.at(-1)).toContain('does not state the noise');
  const { code, stdout, stderr } = await gradsim([...args, '--from', join(folder, 'first'), '--json']);
  expect(code, stderr.join('\n')).toBe(0);
  const plan: StoredPlan = JSON.parse(stdout[0]);
  const [now, ...planned] = plan.experiments;
  expect(now.words).toBe('as it is');
  expect(planned.map(({ words }) => words).sort()).toEqual([
    'observe it half as long again',
    'observe it twice as often',
  ]);
  expect(planned[0].ratio!).toBeLessThan(1);
  expect(plan.chosen).toBe(planned[0].words);
  expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8'))).toEqual(plan);
  const done = await gradsim(['estimate', FALLING_MOTE, '--device', 'cpu', '--out', result, '--plan', out]);
  expect([0, 3]).toContain(done.code);
  expect(done.stdout.join('\n')).toMatch(new RegExp(`The plan "${plan.chosen}" foretold ${plan.wanted[0]} to ± `));
  // The table, for a person, in place of the plan before.
  const again = await gradsim([...args, '--from', result, '--force', '--choose', '2']);
  expect(again.code, again.stderr.join('\n')).toBe(0);
  expect(again.stdout.at(-1)).toContain('By the values that the estimate found');
  expect(JSON.parse(readFileSync(join(out, 'plan.json'), 'utf8')).chosen).toBe(planned[1].words);
});

it('refuses unknown names, experiments that are not in the table, and files that are no plans', async () => {
  const folder = temporaryFolder();
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await gradsim(args);
    expect(code).toBe(1);
    return stderr.at(-1)!;
  };
  const out = join(folder, 'plan');
  expect(await refused('plan', FALLING_MOTE, '--out', out, '--wanted', 'colour')).toContain('has no such unknown');
  expect(existsSync(out)).toBe(false);
  const file = join(folder, 'plan.json');
  expect(await refused('estimate', FALLING_MOTE, '--plan', file)).toContain('it is not there');
  writeFileSync(file, '{"chosen": "x"}');
  expect(await refused('estimate', FALLING_MOTE, '--plan', file)).toContain('it lacks experiments');
});

it('an estimate whose answer is hardly known ends with the experiment that would tell it, and no other does', async () => {
  const device = f64Device();
  const [{ problem, ...rest }] = await fallingMote.stages({ device, settings: {}, log: () => {} });
  const [{ name, initial }] = problem.parameters!;
  const stage: Stage = { problem, ...rest, plan: { wanted: [name] } };
  const estimate = (part: number): Estimate => {
    const parameters = Object.fromEntries(
      problem.parameters!.map((own) => [
        own.name,
        { estimate: own.initial, standardError: part * Math.abs(initial), determinedBy: 'observations' },
      ]),
    );
    return { parameters, given: {} } as unknown as Estimate;
  };
  const advice = (part: number, of = stage): Promise<string[]> => adviceOn({ optim }, of, estimate(part), { device });
  const [said] = await advice(0.3);
  expect(said).toMatch(new RegExp(`^To know ${name} better, observe it .*: it would be known to [\\d.]+ %, not 30 %`));
  expect(await advice(0.05)).toEqual([]);
  expect(await advice(0.3, { problem, ...rest })).toEqual([]);
});

it('planKept compares the bar found with that foretold', () => {
  const plan: StoredPlan = {
    plan: 'fall',
    stage: 'fall',
    wanted: ['gravity'],
    chosen: 'film on',
    experiments: [{ words: 'film on', standardErrors: { gravity: 0.1 }, ratio: 0.5, frames: 9, seenFrames: 9 }],
  };
  const said = (standardError: number): string =>
    planKept(plan, { parameters: { gravity: { standardError } } } as never)[0];
  expect(said(0.12)).toContain('1.2 times that. Kept.');
  expect(said(0.3)).toContain('Not kept');
  expect(said(0.03)).toContain('Better than foretold');
  expect(said(Number.POSITIVE_INFINITY)).toContain('not determined here');
});
