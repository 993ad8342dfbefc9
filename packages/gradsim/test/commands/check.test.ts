import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { gradsim, temporaryFolder } from '../support.ts';

/** Reference case: two particles, one step; see the tests of @gradsim/reference. */
const FALLING = fileURLToPath(new URL('../fixtures/falling.json', import.meta.url));
const falling = JSON.parse(readFileSync(FALLING, 'utf8'));

describe('gradsim check', () => {
  const write = (content: unknown): string => {
    const file = join(temporaryFolder(), 'case.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };

  it('prints a line of JSON for each file and device, in their order', async () => {
    const files = [FALLING, write(falling)];
    const devices = ['f64', 'cpu'];
    const args = ['check', ...files, ...devices.flatMap((name) => ['--device', name])];
    const { code, stdout, stderr } = await gradsim(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map(({ file, device }) => [file, device])).toEqual(
      files.flatMap((file) => devices.map((device) => [file, device])),
    );
    for (const { device, ...line } of lines) {
      expect(line).toMatchObject({
        status: 'checked',
        model: 'damped springs, particle 0 pinned',
        seconds: expect.any(Number),
        worstParameter: { name: expect.any(String), error: expect.any(Number) },
      });
      const least = device === 'f64' ? 1e-12 : 1e-5;
      expect(Math.max(line.lossError, line.stateError, line.gradientError)).toBeLessThan(least);
    }
  });

  it('reports an unknown model as unsupported, with exit code 0', async () => {
    const file = write({ model: 'two pendulums', expected: {} });
    const { code, stdout, stderr } = await gradsim(['check', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    const reason = 'The model is none that gradsim has a check for.';
    expect(stdout.map((line) => JSON.parse(line))).toEqual([
      { file, status: 'unsupported', model: 'two pendulums', reason },
    ]);
  });

  it('continues after files that it cannot read, and ends with exit code 1', async () => {
    const cut = write(JSON.stringify(falling).slice(0, 300));
    const other = write({ model: 'two pendulums', expected: {} });
    const good = write(falling);
    const files = ['nowhere.json', cut, other, good];
    const { code, stdout, stderr } = await gradsim(['check', ...files]);
    expect(code).toBe(1);
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map(({ file }) => file)).toEqual(files);
    expect(lines.map(({ status }) => status)).toEqual(['error', 'error', 'unsupported', 'checked']);
    expect(lines.slice(0, 2).map(({ code }) => code)).toEqual(['reference/file-unreadable', 'reference/not-json']);
    expect(lines[0].error).toBe('nowhere.json cannot be read: there is no such file.');
    expect(lines[1].error).toMatch(/case\.json is not JSON: .* It may be cut short\.$/);
    expect(stderr).toEqual(['2 of 4 checks failed; the lines with "status": "error" say why.']);
  });

  it('reports a run with numbers that are not finite as an error, and continues', async () => {
    const fast = structuredClone(falling);
    fast.weights[1] = [1e308, 1e308, 1e308];
    fast.parameters.v0[1] = [1e38, 1e38, 1e38];
    const files = [write(fast), write(falling)];
    const { code, stdout } = await gradsim(['check', ...files]);
    expect(code).toBe(1);
    const [first, second] = stdout.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ status: 'error', device: 'f64' });
    expect(first.error).toContain('The run gave numbers that are not finite');
    expect(second.status).toBe('checked');
  });

  it('prints the stack of an error with --debug, before or after the command', async () => {
    for (const args of [
      ['--debug', 'check'],
      ['check', '--debug'],
    ])
      expect((await gradsim([...args, 'nowhere.json'])).stderr.join('\n')).toContain('readReferenceCase');
  });

  it('refuses an unknown device', async () => {
    expect(await gradsim(['check', 'nowhere.json', '--device', 'auto'])).toEqual({
      code: 1,
      stdout: [],
      stderr: ['There is no device "auto". Choose one of: f64, cpu, webgpu. [gradsim/unknown-device]'],
    });
  });

  it('says in its help that an unsupported case is not a failure', async () => {
    const { stdout } = await gradsim(['check', '--help']);
    expect(stdout.join('\n').replace(/\s+/g, ' ')).toContain('"status": "unsupported", which is no failure');
  });
});
