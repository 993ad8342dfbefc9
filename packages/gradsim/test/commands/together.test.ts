import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
  expect(stdout).toContain('The result can be trusted.');
  expect(readdirSync(out).sort()).toEqual(['report.html', 'together.json']);
  const report = readFileSync(join(out, 'report.html'), 'utf8');
  expect(report).toContain('<h1>2 experiments together</h1>');
  for (const file of [FALLING_MOTE, AGAIN]) expect(report).toContain(`<h2>${file}, alone: fall</h2>`);
  expect(report).toContain(`gravity, ${AGAIN} alone`);
  expect(stdout.join('\n')).toMatch(/gravity, together +-9\.\d+ /);
  const again = await gradsim([...args, '--out', out, '--force', '--json', '--quiet']);
  // A line of each alone, as of one experiment, and one of all.
  expect(again.stdout).toHaveLength(3);
  expect(JSON.parse(again.stdout[0]).stage).toBe('fall');
  expect(JSON.parse(again.stdout[2]).shared.gravity.estimate).toBeCloseTo(estimate, 6);
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
  expect(await refused(FALLING_MOTE, AGAIN, '--shared', 'drag', '--from', 'x')).toContain('leave out --from');
  expect(await refused(FALLING_MOTE, '--shared', 'drag')).toContain('there is one');
});

it('passes settings and options to all, and after an interrupt in the second goes on to the same result', async () => {
  const result = (folder: string): unknown =>
    JSON.parse(readFileSync(join(folder, 'together.json'), 'utf8'), (key, value) =>
      key === 'seconds' ? undefined : value,
    );
  const [whole, ended] = ['whole', 'ended'].map((name) => join(temporaryFolder(), name));
  // Adam with a tiny step, which ends by the number of iterations alone.
  const args = ['estimate', FALLING_MOTE, AGAIN, '--shared', 'gravity', '--shared', 'drag', '--device', 'cpu'];
  const slow = ['--set', 'slow=1', '--iterations', '30', '--seed', '5'];
  const first = await gradsim([...args, ...slow, '--out', whole]);
  expect(first.stdout.join('\n')).toContain('after 30 iterations');
  expect(existsSync(join(whole, 'together.json')), first.stderr.join('\n')).toBe(true);
  let begun = 0;
  const stopped = await gradsim([...args, ...slow, '--out', ended], (line) => {
    if (/iteration 0 of/.test(line) && ++begun === 2) process.kill(process.pid, 'SIGINT');
  });
  expect(stopped.code).toBe(130);
  expect(stopped.stderr.at(-1)).toMatch(/^Go on with: gradsim estimate --resume .*ended$/);
  expect(existsSync(join(ended, 'together.json'))).toBe(false);
  const again = await gradsim(['estimate', '--resume', ended]);
  expect(again.code, again.stderr.join('\n')).toBe(first.code);
  expect(result(ended)).toEqual(result(whole));
  expect(readdirSync(ended).sort()).toEqual(['report.html', 'together.json']);
});
