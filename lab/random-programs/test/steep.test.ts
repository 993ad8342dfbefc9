// Programs in which small changes grow so much that differences of no step size resolve the derivative of the whole run.
import type { Program, Verdict } from '@gradsim/random-programs';
import { judge } from '@gradsim/random-programs';
import { describe, expect, it } from 'vitest';

/** x' = cos(8 x), for 28 substeps; with `isCut`, no derivative goes through half of the 8 x. */
const chaos = (isCut: boolean): Program => ({
  domains: [{ name: 'a', size: 3, elementsTogether: false, componentsTogether: false }],
  fields: [{ domain: 'a', name: 'x', type: 'f32', values: [0.3, 0.7, -0.5] }],
  kernels: [
    {
      name: 'fold',
      domain: 'a',
      ports: [
        { name: 'r', access: 'read', kind: 'own', type: 'f32' },
        { name: 'x', access: 'write', kind: 'own', type: 'f32' },
      ],
      body: {
        params: [],
        statements: [
          { id: 0, type: 'f32', op: 'load', args: [], port: 'r' },
          { id: 1, type: 'f32', op: 'literal', args: [], literal: [4] },
          { id: 2, type: 'f32', op: 'f32.mul', args: [0, 1] },
          { id: 3, type: 'f32', op: 'detach', args: [2] },
          { id: 4, type: 'f32', op: 'f32.add', args: [2, isCut ? 3 : 2] },
          { id: 5, type: 'f32', op: 'cos', args: [4] },
        ],
        results: [],
      },
      gives: [{ port: 'x', values: [5] }],
    },
  ],
  passes: [{ phase: 'integrate', pass: { kind: 'kernel', kernel: 0, rename: { r: 'x' } } }],
  run: {
    frames: 3,
    frameRate: 1,
    substeps: 14,
    worlds: 1,
    spareStates: null,
    searchEvery: 1,
    parameters: ['a.x'],
    record: [],
    outputs: ['a.x'],
  },
});

describe('a program whose derivative is too large for differences', () => {
  const heard = (isCut: boolean): Promise<Verdict> => judge(chaos(isCut), { seed: 9 });

  it('is right where shorter runs are, and wrong where they are wrong', async () => {
    expect(await heard(false)).toMatchObject({ verdict: 'right', hasDerivative: true });
    expect(await heard(true)).toMatchObject({ verdict: 'wrong', finding: 'differences' });
  });
});
