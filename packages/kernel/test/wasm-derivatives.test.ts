import { describe, it } from 'vitest';
import { adjoint } from '../src/derivatives/adjoint.ts';
import { tangent } from '../src/derivatives/tangent.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import { when } from '../src/language/control.ts';
import { exp, log, norm } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { f32, vec3 } from '../src/language/types.ts';
import { dot } from '../src/language/vector.ts';
import { winding } from '../src/testing/programs.ts';
import { agree } from './support/agree.ts';
import { spring, springInputs } from './support/kernels.ts';
import { randomFields } from './support/random.ts';
import type { RunOptions } from './support/run-kernel.ts';

const fields = randomFields('derivatives in WebAssembly agree with doubles:');
const { numbers, wholes } = fields;

describe('derivatives in WebAssembly agree with doubles', () => {
  const names = (form: KernelForm): Set<string> =>
    new Set(form.ports.filter((p) => p.scalar === 'f32' && p.access === 'read').map((p) => p.name));
  const outputs = (form: KernelForm): Set<string> =>
    new Set(form.ports.filter((p) => p.access !== 'read').map((p) => p.name));
  const fill = (form: KernelForm, options: RunOptions): RunOptions => {
    const worlds = options.worlds ?? 1;
    const inputs: Record<string, ArrayLike<number>> = { ...options.inputs };
    for (const port of form.ports) {
      if (port.kind === 'primal' || port.access !== 'read') continue;
      const size = port.domain === '' ? options.elements : port.domain === 'world' ? 1 : options.sizes![port.domain];
      inputs[`${port.name}_${port.kind === 'adjoint' ? 'bar' : 'dot'}`] = numbers(size * port.components * worlds);
    }
    const read = new Set(
      form.ports
        .filter((p) => p.access === 'read')
        .map((p) => (p.kind === 'primal' ? p.name : `${p.name}_${p.kind === 'adjoint' ? 'bar' : 'dot'}`)),
    );
    return {
      ...options,
      inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => read.has(name))),
    };
  };
  const law = kernel('law', { domain: 'points', reads: { x: vec3, k: f32 }, writes: { y: f32 } }, ({ x, k }) => {
    const r = norm(x);
    return {
      y: when(
        r.gt(1),
        () => log(r).mul(k),
        () => dot(x, x).mul(exp(k.neg())),
      ),
    };
  });
  const elements = 30;
  const samples: [string, KernelForm, RunOptions][] = [
    [
      'a formula with a branch',
      law.form,
      { elements, inputs: { x: numbers(3 * elements), k: numbers(elements, 0.5, 2) } },
    ],
    [
      'a spring',
      spring.form,
      {
        elements,
        worlds: 4,
        sizes: { particles: 9 },
        inputs: {
          ...springInputs(fields, elements, 4),
          ends: Array.from({ length: 2 * elements }, (_, k) => (k < elements ? k % 4 : 4 + (k % 5))),
        },
      },
    ],
    ['loops', winding.form, { elements, inputs: { x: numbers(elements), rounds: wholes(elements, 0, 9) } }],
  ];
  for (const [what, form, options] of samples) {
    it(`adjoint of ${what}`, async () => {
      const derived = adjoint(form, { wrt: names(form), seeds: outputs(form) });
      await agree(derived, fill(derived, options), 2e-5);
    });
    it(`tangent of ${what}`, async () => {
      const derived = tangent(form, { wrt: names(form) });
      await agree(derived, fill(derived, options), 2e-5);
    });
  }
});
