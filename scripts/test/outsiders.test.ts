// What counts as a program of an outsider: `npm test` runs those of lab/outsiders with packed packages.
import { describe, expect, it } from 'vitest';
import { outsiders, problemsOfText } from '../pack/outsider-programs.js';

describe('a program of an outsider', () => {
  it.each(outsiders)('%s imports public entries alone, and has no derivative of its own', (name) => {
    expect(problemsOfText(name)).toEqual([]);
  });

  const check = "import { checkGradients } from '@gradsim/core/testing';\nawait checkGradients(model, over);\n";
  it.each([
    ['a file of a package', "import { Builder } from '@gradsim/kernel/dist/language/builder.js';"],
    ['an entry for back ends', "import { adjust } from '@gradsim/kernel/internal';"],
    ['a package that is not offered', "const { x } = await import('left-pad');"],
    ['a file of the repository', "import '../../packages/core/src/index.ts';"],
    ['an adjoint', "kernel('cube', { domain, reads, writes, adjoint: () => [cubeAdjoint] }, cube);"],
    ['a block with a derivative', 'block([solve], { vjp: [solveBack] });'],
    ['a tangent', "kernel('along', { domain, reads: { x: tangentOf('x', f32) } }, along);"],
  ])('is none with %s', (_, line) => {
    expect(problemsOfText('program', check)).toEqual([]);
    expect(problemsOfText('program', check + line)).not.toEqual([]);
  });

  it('is none without a check of its gradient', () => {
    expect(problemsOfText('program', "import { checkGradients } from '@gradsim/core/testing';")).toEqual([
      'program checks no gradient.',
    ]);
  });
});
