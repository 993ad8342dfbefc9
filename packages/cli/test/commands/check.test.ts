import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { gradsim, referenceFolder, temporaryFolder } from '../support.ts';

const reference = referenceFolder();
const casesOf = (kind: string): string[] =>
  reference
    ? readdirSync(reference)
        .filter((name) => name.startsWith(kind))
        .map((name) => join(reference, name))
    : [];

describe.skipIf(!reference)('gradsim check on the reference cases', () => {
  it('rigid boxes, in double precision', async () => {
    const files = casesOf('rigid-box');
    const { code, stdout, stderr } = await gradsim(['check', ...files]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map((line) => line.file)).toEqual(files);
    for (const line of lines) {
      expect(line).toMatchObject({
        device: 'f64',
        model: expect.stringContaining('one box'),
        seconds: expect.any(Number),
      });
      expect(Math.max(line.lossError, line.stateError, line.gradientError)).toBeLessThan(1e-9);
    }
  });

  it('rigid boxes, on the cpu', async () => {
    const { stdout } = await gradsim(['check', ...casesOf('rigid-box'), '--device', 'cpu']);
    for (const line of stdout.map((text) => JSON.parse(text))) {
      expect(line.device).toBe('cpu');
      expect(line.stateError).toBeLessThan(1e-4);
      expect(line.gradientError).toBeLessThan(1e-3);
    }
  });

  it.each(['spring-chain', 'soft-block', 'cloth-membrane', 'cloth-sphere'])(
    '%s, in double precision and on the cpu',
    async (kind) => {
      // The first substep of a touch goes by its depth over what was moved, and many of a sheet's touches begin and end: the
      // rounding of positions counts for more there.
      const single = kind === 'cloth-sphere' ? 3e-4 : 1e-4;
      for (const [device, state, gradient] of [
        ['f64', 1e-9, 1e-9],
        ['cpu', single, 1e-3],
      ] as const) {
        const { code, stdout } = await gradsim(['check', ...casesOf(kind), '--device', device]);
        expect(code).toBe(0);
        for (const line of stdout.map((text) => JSON.parse(text))) {
          expect(line.stateError).toBeLessThan(state);
          expect(line.gradientError).toBeLessThan(gradient);
        }
      }
    },
  );

  it('soft rasters, in double precision', async () => {
    const { code, stdout } = await gradsim(['check', ...casesOf('soft-raster')]);
    expect(code).toBe(0);
    for (const line of stdout.map((text) => JSON.parse(text))) {
      expect(line.imageError).toBeLessThan(1e-7);
      expect(line.alphaGradientError).toBeLessThan(1e-6);
      expect(line.finiteDifferenceError).toBeLessThan(1e-4);
      expect(line.gradientError).toBeLessThan(1e-4);
    }
  });

  it('says which field is missing, before any case runs', async () => {
    const [file] = casesOf('rigid-box');
    const content = JSON.parse(readFileSync(file, 'utf8'));
    delete content.parameters.v0;
    const broken = join(temporaryFolder(), 'broken.json');
    writeFileSync(broken, JSON.stringify(content));
    const { code, stdout, stderr } = await gradsim(['check', file, broken]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
    expect(stderr).toEqual([`${broken}: the field "parameters.v0" must be 3 numbers, not missing.`]);
  });

  it('refuses a truncated case', async () => {
    const [file] = casesOf('rigid-box');
    const cut = join(temporaryFolder(), 'cut.json');
    writeFileSync(cut, readFileSync(file, 'utf8').slice(0, 700));
    const { code, stderr } = await gradsim(['check', cut]);
    expect(code).toBe(1);
    expect(stderr).toEqual([expect.stringMatching(/cut\.json is not JSON: .* It may be cut short\.$/)]);
  });
});

describe('gradsim check', () => {
  const write = (content: unknown): string => {
    const file = join(temporaryFolder(), 'case.json');
    writeFileSync(file, JSON.stringify(content));
    return file;
  };

  it.each([
    ['a model of its own', { model: 'two pendulums', expected: {} }],
    [
      'a box whose loss is another',
      { model: 'one box, 8 vertices', half_extents: [1, 1, 1], loss: 'x.x', expected: {} },
    ],
    ['a rasteriser of another kind', { model: 'soft rasteriser, hard colour', expected: {} }],
  ])('reports %s as unsupported, with exit code 2', async (_, content) => {
    const file = write(content);
    const { code, stdout, stderr } = await gradsim(['check', file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: [] });
    expect(stdout.map((line) => JSON.parse(line))).toEqual([
      { file, model: content.model, unsupported: true },
    ]);
  });

  it.each([
    ['no object', [1, 2], /is no reference case: it must be an object/],
    ['no model', { expected: {} }, /is no reference case/],
    ['no expectation', { model: 'one box' }, /is no reference case/],
  ])('refuses a file with %s', async (_, content, message) => {
    const { code, stderr } = await gradsim(['check', write(content)]);
    expect(code).toBe(1);
    expect(stderr).toEqual([expect.stringMatching(message)]);
  });

  it('refuses a file that is not there, and a device that it does not take', async () => {
    expect((await gradsim(['check', 'nowhere.json'])).stderr).toEqual([
      'nowhere.json cannot be read: there is no such file.',
    ]);
    expect((await gradsim(['check', 'nowhere.json', '--device', 'auto'])).stderr).toEqual([
      'There is no device "auto"; choose one of: f64, cpu, webgpu.',
    ]);
  });
});
