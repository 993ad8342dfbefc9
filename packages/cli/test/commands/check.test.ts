import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fallingCase, halfCovered } from '../fixtures/check-cases.ts';
import { gradsim, referenceFolder, temporaryFolder } from '../support.ts';

const reference = referenceFolder();
const casesOf = (kind: string): string[] =>
  reference
    ? readdirSync(reference)
        .filter((name) => name.startsWith(kind) && name.endsWith('.json'))
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

  it.each(['spring-chain', 'soft-block', 'cloth-membrane', 'cloth-air', 'cloth-sphere'])(
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

  it.each([
    ['f64', 1e-9, 1e-9, 1e-7],
    ['cpu', 1e-4, 1e-3, 1e-3],
  ])('soft rasters, on %s', async (device, image, gradient, differences) => {
    const { code, stdout } = await gradsim(['check', ...casesOf('soft-raster'), '--device', device]);
    expect(code).toBe(0);
    for (const line of stdout.map((text) => JSON.parse(text))) {
      expect(line.imageError).toBeLessThan(image);
      expect(line.gradientError).toBeLessThan(gradient);
      expect(line.worstParameter.error).toBeLessThan(gradient);
      expect(line.alphaGradientError).toBeLessThan(gradient);
      expect(line.finiteDifferenceError).toBeLessThan(differences);
    }
  });

  it('reads every case there is, and takes none with an integrator of its own for another', async () => {
    const files = casesOf('');
    const { code, stdout } = await gradsim(['check', ...files]);
    expect(code).toBe(0);
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map(({ file }) => file)).toEqual(files);
    for (const { file, status, reason } of lines) {
      if (!JSON.parse(readFileSync(file, 'utf8')).integrator) continue;
      expect(status).toBe('unsupported');
      expect(reason).toContain('The entry "integrator" ("backward Euler');
    }
  });
});

describe('gradsim check', () => {
  const write = (content: unknown): string => {
    const file = join(temporaryFolder(), 'case.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return file;
  };

  it.each([
    ['a fall', fallingCase()],
    ['a wide picture', halfCovered(12, 5)],
    ['a high picture', halfCovered(6, 11)],
  ])('gives the errors of %s on each device', async (_, content) => {
    const file = write(content);
    const devices = ['f64', 'cpu'];
    const { code, stdout, stderr } = await gradsim([
      'check',
      file,
      ...devices.flatMap((name) => ['--device', name]),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map(({ device }) => device)).toEqual(devices);
    for (const { device, lossError, stateError, imageError, gradientError, worstParameter } of lines) {
      const least = device === 'f64' ? 1e-12 : 1e-5;
      expect(lossError).toBeLessThan(least);
      expect(stateError ?? imageError).toBeLessThan(least);
      expect(gradientError).toBeLessThan(least);
      expect(worstParameter.error).toBeLessThan(least);
    }
  });

  it('compares each derivative, each pixel and each difference', async () => {
    const picture = halfCovered(12, 5);
    const { gradient, rgba } = picture.expected;
    const errorOf = async (error: string, changed: object): Promise<number> => {
      const file = write({ ...picture, expected: { ...picture.expected, ...changed } });
      const { stdout } = await gradsim(['check', file]);
      return JSON.parse(stdout[0])[error];
    };
    for (const changed of [
      { ndc_vertices: [...gradient.ndc_vertices.slice(0, 2), [0, 1, 0]] },
      { face_colors: [gradient.face_colors[0].with(2, 9)] },
      { background: gradient.background.with(1, 9) },
    ])
      expect(await errorOf('gradientError', { gradient: { ...gradient, ...changed } })).toBeGreaterThan(0.05);
    const blue = rgba[2].with(4, rgba[2][4].with(11, 1.4));
    expect(await errorOf('imageError', { rgba: rgba.with(2, blue) })).toBeGreaterThan(0.5);
    const finite_differences = [{ index: 8, derivative: 0.5 }];
    expect(await errorOf('finiteDifferenceError', { finite_differences })).toBeCloseTo(1);
    const alpha_gradient = [0, 1, 2].map((k) => [0, 0, k]);
    expect(await errorOf('alphaGradientError', { alpha_gradient })).toBeCloseTo(1);
  });

  const none = 'The model is none that gradsim has a check for.';
  it.each([
    ['a model of its own', { model: 'two pendulums', expected: {} }, none],
    [
      'a box whose loss is another',
      { model: 'one box, 8 vertices', half_extents: [1, 1, 1], loss: 'x.x', expected: {} },
      'The entry "loss" says "x.x", which is not what gradsim computes.',
    ],
    [
      'a rasteriser of another kind',
      { model: 'soft rasteriser, hard colour', expected: {} },
      'The entry "model" says "soft rasteriser, hard colour", which is not what gradsim computes.',
    ],
    [
      'springs with an integrator of their own',
      { ...fallingCase(), integrator: 'backward Euler' },
      'The entry "integrator" ("backward Euler") is none that this kind of case is checked with.',
    ],
    [
      'a parameter that would not take part',
      { ...fallingCase(), parameters: { ...fallingCase().parameters, drag: 3 } },
      'The entry "parameters.drag" (3) is none that this kind of case is checked with.',
    ],
    [
      'a derivative that would not be compared',
      { ...halfCovered(4, 2), expected: { ...halfCovered(4, 2).expected, gradient: { sigma: 5 } } },
      'The entry "expected.gradient.sigma" (5) is none that this kind of case is checked with.',
    ],
    [
      'a state that would not be compared',
      { ...fallingCase(), expected: { ...fallingCase().expected, energy: 1 } },
      'The entry "expected.energy" (1) is none that this kind of case is checked with.',
    ],
    [
      'a background that weighs otherwise',
      { ...halfCovered(4, 2), background_weight_eps: 0.01 },
      'The entry "background_weight_eps" says 0.01, which is not what gradsim computes.',
    ],
  ])('says that %s is unsupported, and why, which is no failure', async (_, content, reason) => {
    const file = write(content);
    const { code, stdout, stderr } = await gradsim(['check', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: [] });
    expect(stdout.map((line) => JSON.parse(line))).toEqual([
      { file, status: 'unsupported', model: content.model, reason },
    ]);
  });

  it('goes on after a file that it cannot check, and fails in the end', async () => {
    const cut = write(JSON.stringify(fallingCase()).slice(0, 300));
    const other = write({ model: 'two pendulums', expected: {} });
    const good = write(fallingCase());
    const files = ['nowhere.json', cut, other, good];
    const { code, stdout, stderr } = await gradsim(['check', ...files]);
    expect(code).toBe(1);
    const lines = stdout.map((line) => JSON.parse(line));
    expect(lines.map(({ file }) => file)).toEqual(files);
    expect(lines.map(({ status }) => status)).toEqual(['error', 'error', 'unsupported', 'checked']);
    expect(lines[0].error).toBe('nowhere.json cannot be read: there is no such file.');
    expect(lines[1].error).toMatch(/case\.json is not JSON: .* It may be cut short\.$/);
    expect(stderr).toEqual(['2 of 4 checks failed; the lines with "status": "error" say why.']);
  });

  it('says what a run could not do, and goes on', async () => {
    const fast = fallingCase();
    fast.weights[1] = [1e308, 1e308, 1e308];
    fast.parameters.v0[1] = [1e308, 1e308, 1e308];
    const files = [write(fast), write(fallingCase())];
    const { code, stdout } = await gradsim(['check', ...files]);
    expect(code).toBe(1);
    const [first, second] = stdout.map((line) => JSON.parse(line));
    expect(first).toMatchObject({ status: 'error', device: 'f64' });
    expect(first.error).toContain('The run gave numbers that are not finite');
    expect(second.status).toBe('checked');
  });

  type Entries = Record<string, unknown>;
  const damage = (content: object, path: string, value: unknown): object => {
    const names = path.split('.');
    const last = names.pop()!;
    const owner = names.reduce((at, name) => at[name] as Entries, content as Entries);
    owner[last] = value;
    return content;
  };
  const refused: [string, object, string, unknown, string][] = [
    [
      'no velocities',
      fallingCase(),
      'expected.velocities',
      undefined,
      '"expected.velocities" is missing; it must be an array.',
    ],
    ['no springs', fallingCase(), 'springs', undefined, '"springs" is missing; it must be an array.'],
    ['no step', fallingCase(), 'dt', 0, '"dt" must be a positive number, not 0.'],
    ['half a step', fallingCase(), 'steps', 0.5, '"steps" must be a whole number from 1 on, not 0.5.'],
    [
      'a word for a number',
      fallingCase(),
      'gravity.1',
      'down',
      '"gravity[1]" must be a finite number, not "down".',
    ],
    [
      'a null',
      fallingCase(),
      'parameters.v0.1.2',
      null,
      '"parameters.v0[1][2]" must be a finite number, not null.',
    ],
    [
      'an infinite number',
      fallingCase(),
      'weights.0.0',
      '1e999',
      '"weights[0][0]" must be a finite number, not Infinity.',
    ],
    [
      'a NaN',
      fallingCase(),
      'parameters.mass.1',
      'NaN',
      '"parameters.mass[1]" must be a finite number, not "NaN".',
    ],
    [
      'a particle too few',
      fallingCase(),
      'weights',
      [[1, 2, 3]],
      '"weights" must hold 2 values, one for each of the particles, not 1.',
    ],
    [
      'a coordinate too few',
      fallingCase(),
      'rest_positions.1',
      [1, 2],
      '"rest_positions[1]" must hold 3 values, not 2.',
    ],
    ['an object for an array', fallingCase(), 'springs', {}, '"springs" must be an array, not {}.'],
    [
      'a spring to nowhere',
      fallingCase(),
      'springs.0.1',
      2,
      '"springs[0][1]" must be the number of one of the 2 particles, counted from 0, not 2.',
    ],
    [
      'a pinned half',
      fallingCase(),
      'pinned.0',
      0.5,
      '"pinned[0]" must be the number of one of the 2 particles, counted from 0, not 0.5.',
    ],
    [
      'a stiffness too many',
      fallingCase(),
      'parameters.stiffness',
      [1, 2],
      '"parameters.stiffness" must hold 1 values, one for each of the springs, not 2.',
    ],
    ['no parameters', fallingCase(), 'parameters', [], '"parameters" must be an object, not [].'],
    [
      'no gradient',
      fallingCase(),
      'expected.gradient',
      undefined,
      '"expected.gradient" is missing; it must be an object with derivatives of the loss.',
    ],
    [
      'an empty gradient',
      fallingCase(),
      'expected.gradient',
      {},
      '"expected.gradient" must be an object with derivatives of the loss, not {}.',
    ],
    [
      'a gradient of another shape',
      fallingCase(),
      'expected.gradient.mass',
      3,
      '"expected.gradient.mass" must be an array, not 3.',
    ],
    [
      'a gradient of what is not there',
      fallingCase(),
      'parameters.v0',
      undefined,
      '"expected.gradient.v0" is the derivative with respect to "parameters.v0", which is missing.',
    ],
    ['a loss that is no text', fallingCase(), 'loss', null, '"loss" must be a line of text, not null.'],
    [
      'a picture of another size',
      halfCovered(6, 4),
      'width',
      4,
      '"weights[0][0]" must hold 4 values, one for each of the columns, not 6.',
    ],
    [
      'no height',
      halfCovered(6, 4),
      'height',
      undefined,
      '"height" is missing; it must be a whole number from 1 on.',
    ],
    [
      'a face without a corner',
      halfCovered(6, 4),
      'faces.0.2',
      -1,
      '"faces[0][2]" must be the number of one of the 3 vertices, counted from 0, not -1.',
    ],
    [
      'three channels',
      halfCovered(6, 4),
      'expected.rgba',
      [[], [], []],
      '"expected.rgba" must hold 4 values, not 3.',
    ],
    [
      'a difference of no coordinate',
      halfCovered(6, 4),
      'expected.finite_differences',
      [{ index: 9, derivative: 1 }],
      '"expected.finite_differences[0].index" must be the number of one of the 9 components of all vertices, counted from 0, not 9.',
    ],
  ];
  it.each(refused)('refuses a case with %s before it runs', async (_, content, path, value, message) => {
    // Python writes NaN as it is, and what is too large becomes infinite on reading.
    const text = JSON.stringify(damage(content, path, value)).replace(/"(NaN|1e999)"/, '$1');
    const file = write(text);
    const { code, stdout } = await gradsim(['check', file]);
    expect(code).toBe(1);
    expect(stdout.map((line) => JSON.parse(line))).toEqual([
      { file, status: 'error', error: `${file}: the entry ${message}` },
    ]);
  });

  it.each([
    ['no object', [1, 2]],
    ['no model', { expected: {} }],
    ['no expectation', { model: 'one box' }],
  ])('refuses a file with %s', async (_, content) => {
    const file = write(content);
    const { code, stdout } = await gradsim(['check', file]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout[0]).error).toBe(
      `${file} is no reference case: it must be an object with a line "model" and an object "expected".`,
    );
  });

  it('says where in the code an error arose, with --debug before or after the command', async () => {
    for (const args of [
      ['--debug', 'check'],
      ['check', '--debug'],
    ])
      expect((await gradsim([...args, 'nowhere.json'])).stderr.join('\n')).toContain('readReferenceCase');
  });

  it('refuses a device that it does not take', async () => {
    expect(await gradsim(['check', 'nowhere.json', '--device', 'auto'])).toEqual({
      code: 1,
      stdout: [],
      stderr: ['There is no device "auto"; choose one of: f64, cpu, webgpu.'],
    });
  });

  it('says in its help what is no failure', async () => {
    const { stdout } = await gradsim(['check', '--help']);
    expect(stdout.join('\n').replace(/\s+/g, ' ')).toContain('"status": "unsupported", which is no failure');
  });
});
