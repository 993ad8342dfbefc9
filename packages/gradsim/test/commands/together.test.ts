import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

const AGAIN = fileURLToPath(new URL('../fixtures/falling-mote-again.ts', import.meta.url));

it('gradsim estimate of two experiments gives what they share one value, and writes what each told', async () => {
  const folder = temporaryFolder();
  const out = join(folder, 'both');
  const args = ['estimate', FALLING_MOTE, AGAIN, '--shared', 'gravity', '--shared', 'drag', '--device', 'cpu'];
  const { code, stdout, stderr } = await gradsim([...args, '--out', out]);
  expect(code, stderr.join('\n')).toBe(0);
  const result = JSON.parse(readFileSync(join(out, 'together.json'), 'utf8'));
  expect(result.together).toEqual([FALLING_MOTE, AGAIN]);
  const { estimate, standardError, alone } = result.shared.gravity;
  expect(Math.abs(estimate + 9.81)).toBeLessThan(4 * standardError);
  expect(alone).toEqual(result.experiments.map((own: typeof result) => own.alone.gravity.estimate));
  expect(standardError).toBeLessThan(
    Math.min(...result.experiments.map((own: typeof result) => own.alone.gravity.standardError)),
  );
  expect(stdout[0]).toBe('The result can be trusted.');
  expect(stdout.join('\n')).toMatch(/gravity, together +-9\.\d+ /);
  const again = await gradsim([...args, '--out', out, '--force', '--json', '--quiet']);
  expect(again.stdout).toHaveLength(1);
  expect(JSON.parse(again.stdout[0]).shared.gravity.estimate).toBeCloseTo(estimate, 6);
});

it('refuses several experiments that share nothing, are one, or lack what is shared, before anything runs', async () => {
  const out = join(temporaryFolder(), 'both');
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await gradsim(['estimate', ...args, '--out', out]);
    expect(code).toBe(1);
    expect(existsSync(out)).toBe(false);
    return stderr.at(-1)!;
  };
  expect(await refused(FALLING_MOTE, AGAIN)).toContain('What do the 2 experiments share?');
  expect(await refused(FALLING_MOTE, FALLING_MOTE, '--shared', 'gravity')).toContain('is named twice');
  expect(await refused(FALLING_MOTE, AGAIN, '--shared', 'wind')).toContain('has no such unknown');
  expect(await refused(FALLING_MOTE, AGAIN, '--shared', 'drag', '--seed', '3')).toContain('leave out --seed');
  expect(await refused(FALLING_MOTE, '--shared', 'drag')).toContain('there is one');
});
