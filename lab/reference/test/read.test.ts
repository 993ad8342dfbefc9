import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readReferenceCase } from '../src/read.ts';
import { fallingCase, halfCovered } from './fixtures/cases.ts';
import { temporaryFolder, write } from './support.ts';

describe('readReferenceCase', () => {
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
      { ...fallingCase(), integrator: 'the implicit midpoint rule' },
      'The entry "integrator" says "the implicit midpoint rule", which is not what gradsim computes.',
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
  ])('says that %s is unsupported, and why', async (_, content, reason) => {
    expect(await readReferenceCase(write(content))).toEqual({ model: content.model, unsupported: reason });
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
    ['a word for a number', fallingCase(), 'gravity.1', 'down', '"gravity[1]" must be a finite number, not "down".'],
    ['a null', fallingCase(), 'parameters.v0.1.2', null, '"parameters.v0[1][2]" must be a finite number, not null.'],
    [
      'an infinite number',
      fallingCase(),
      'weights.0.0',
      '1e999',
      '"weights[0][0]" must be a finite number, not Infinity.',
    ],
    ['a NaN', fallingCase(), 'parameters.mass.1', 'NaN', '"parameters.mass[1]" must be a finite number, not "NaN".'],
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
    ['no height', halfCovered(6, 4), 'height', undefined, '"height" is missing; it must be a whole number from 1 on.'],
    [
      'a face without a corner',
      halfCovered(6, 4),
      'faces.0.2',
      -1,
      '"faces[0][2]" must be the number of one of the 3 vertices, counted from 0, not -1.',
    ],
    ['three channels', halfCovered(6, 4), 'expected.rgba', [[], [], []], '"expected.rgba" must hold 4 values, not 3.'],
    [
      'a difference of no coordinate',
      halfCovered(6, 4),
      'expected.finite_differences',
      [{ index: 9, derivative: 1 }],
      '"expected.finite_differences[0].index" must be the number of one of the 9 components of all vertices, counted from 0, not 9.',
    ],
  ];
  it.each(refused)('refuses a case with %s', async (_, content, path, value, message) => {
    // Python writes NaN as it is, and what is too large becomes infinite on reading.
    const text = JSON.stringify(damage(content, path, value)).replace(/"(NaN|1e999)"/, '$1');
    const file = write(text);
    await expect(readReferenceCase(file)).rejects.toMatchObject({
      code: expect.stringMatching(/^reference\/(entry-missing|not-finite|unknown-entry|wrong-entry|wrong-size)$/),
      message: `${file}: the entry ${message}`,
    });
  });

  it.each([
    ['no object', [1, 2]],
    ['no model', { expected: {} }],
    ['no expectation', { model: 'one box' }],
  ])('refuses a file with %s', async (_, content) => {
    const file = write(content);
    const message = `${file} is no reference case. It must be an object with a line "model" and an object "expected".`;
    await expect(readReferenceCase(file)).rejects.toMatchObject({ code: 'reference/not-a-case', message });
  });

  it.each([
    ['is not there', undefined, 'reference/file-unreadable'],
    ['is cut short', JSON.stringify(fallingCase()).slice(0, 300), 'reference/not-json'],
  ])('refuses a file that %s', async (_, text, message) => {
    const file = text === undefined ? join(temporaryFolder(), 'nowhere.json') : write(text);
    await expect(readReferenceCase(file)).rejects.toThrowCode(message);
  });
});
