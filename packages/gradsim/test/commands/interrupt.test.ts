import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { FALLING_MOTE, gradsim, temporaryFolder } from '../support.ts';

afterEach(() => vi.restoreAllMocks());

const interrupt = (): void => {
  process.kill(process.pid, 'SIGINT');
};
/** Calls a function once, at the first iteration of the estimation. */
const atFirstIteration = (action: () => void) => (line: string) => {
  if (/iteration 0 of/.test(line)) setTimeout(action, 200);
};
const slow = ['--device', 'cpu', '--set', 'slow=1'];

it('on SIGINT gradsim estimate writes the best point so far, and ends with exit code 130', async () => {
  const out = join(temporaryFolder(), 'out');
  const args = ['estimate', FALLING_MOTE, ...slow, '--out', out, '--json'];
  const { code, stdout, stderr } = await gradsim(args, atFirstIteration(interrupt));
  expect(code).toBe(130);
  expect(stderr.join('\n')).toMatch(/Stopping after this iteration/);
  const line = JSON.parse(stdout[0]);
  expect(line.stopped).toBe('interrupted');
  expect(line.iterations).toBeGreaterThan(0);
  const [stage] = JSON.parse(readFileSync(join(out, 'result.json'), 'utf8')).stages;
  expect(stage.parameters).toEqual(line.parameters);
  expect(stage.loss).toBe(Math.min(...stage.history.map(({ loss }: { loss: number }) => loss)));
  expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('interrupted');
  expect(process.listenerCount('SIGINT')).toBe(0);
});

it('after SIGINT no further stage runs', async () => {
  const out = join(temporaryFolder(), 'out');
  const args = ['estimate', FALLING_MOTE, ...slow, '--set', 'stages=2', '--out', out, '--json'];
  const { stdout } = await gradsim(args, atFirstIteration(interrupt));
  expect(stdout.map((line) => JSON.parse(line).stage)).toEqual(['first']);
});

it('two SIGINTs in immediate succession do not end the process at once', async () => {
  const exit = vi.spyOn(process, 'exit').mockImplementation((() => {}) as () => never);
  const twice = (): void => {
    interrupt();
    interrupt();
  };
  const out = join(temporaryFolder(), 'out');
  await gradsim(['estimate', FALLING_MOTE, ...slow, '--out', out, '--json'], atFirstIteration(twice));
  expect(exit).not.toHaveBeenCalled();
});
