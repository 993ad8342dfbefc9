import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cpuDevice, f64Device } from '@gradsim/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkFiles, type NamedDevice } from '../src/check-files.ts';
import { write } from './support.ts';

/** Reference case: two particles, one step. */
const FALLING = fileURLToPath(new URL('fixtures/falling.json', import.meta.url));
const falling = JSON.parse(readFileSync(FALLING, 'utf8'));

describe('lines of JSON for files and devices', () => {
  async function linesOf(files: string[], names: readonly ('f64' | 'cpu' | 'webgpu')[] = ['f64']) {
    const devices = names.map((name): NamedDevice => {
      if (name === 'webgpu')
        return [
          name,
          () => {
            throw new Error('There is no adapter.');
          },
        ];
      const device = name === 'f64' ? f64Device() : cpuDevice();
      onTestFinished(() => device.dispose());
      return [name, () => device];
    });
    const lines: string[] = [];
    const counts = await checkFiles(files, devices, (line) => lines.push(line));
    return { counts, lines: lines.map((line) => JSON.parse(line)) };
  }

  it('come in their order; a device that is not there is an error of its lines alone', async () => {
    const files = [FALLING, write(falling)];
    const { lines, counts } = await linesOf(files, ['f64', 'cpu', 'webgpu']);
    expect(counts).toEqual({ checked: 4, unsupported: 0, error: 2 });
    expect(lines.map(({ file, device }) => [file, device])).toEqual(
      files.flatMap((file) => ['f64', 'cpu', 'webgpu'].map((device) => [file, device])),
    );
    for (const { device, ...line } of lines) {
      if (device === 'webgpu') {
        expect(line).toMatchObject({ status: 'error', error: 'There is no adapter.' });
        continue;
      }
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

  it('go on after an unknown model, files that cannot be read, and numbers that are not finite', async () => {
    const fast = structuredClone(falling);
    fast.weights[1] = [1e308, 1e308, 1e308];
    fast.parameters.v0[1] = [1e38, 1e38, 1e38];
    const cut = write(JSON.stringify(falling).slice(0, 300));
    const other = write({ model: 'two pendulums', expected: {} });
    const files = ['nowhere.json', cut, other, write(fast), write(falling)];
    const { lines } = await linesOf(files);
    expect(lines.map(({ file }) => file)).toEqual(files);
    expect(lines.map(({ status }) => status)).toEqual(['error', 'error', 'unsupported', 'error', 'checked']);
    expect(lines.slice(0, 2).map(({ code }) => code)).toEqual(['reference/file-unreadable', 'reference/not-json']);
    expect(lines[0].error).toBe('nowhere.json cannot be read: there is no such file.');
    expect(lines[1].error).toMatch(/case\.json is not JSON: .* It may be cut short\.$/);
    expect(lines[2].reason).toBe('The model is none that gradsim has a check for.');
    expect(lines[3].error).toContain('The run gave numbers that are not finite');
  });
});
