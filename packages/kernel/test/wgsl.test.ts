import { describe, expect, it } from 'vitest';
import { adjoint } from '../src/derivatives/adjoint.ts';
import type { BoundKernel } from '../src/emit/bound-kernel.ts';
import { wgslSource, workgroups } from '../src/emit/wgsl/shader.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import { atan2, exp, pow, sqrt } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { f32 } from '../src/language/types.ts';
import { groundForce, newtonRoot, springForce, TestLayout } from './sample-kernels.ts';

const bound = (form: KernelForm, elements = 1000): BoundKernel => new TestLayout(elements).bind(form);

describe('generated WGSL', () => {
  it('equals the stored source: a damped spring', async () => {
    await expect(wgslSource(bound(springForce.form))).toMatchFileSnapshot('wgsl/spring-force.wgsl');
  });

  it('equals the stored source: counted loops and loops with a condition', async () => {
    await expect(wgslSource(bound(newtonRoot.form))).toMatchFileSnapshot('wgsl/newton-root.wgsl');
  });

  it('equals the stored source: branches, integers and the functions that WGSL lacks', async () => {
    await expect(wgslSource(bound(groundForce.form))).toMatchFileSnapshot('wgsl/ground-force.wgsl');
  });

  it('equals the stored source: an adjoint', async () => {
    const form = adjoint(groundForce.form, {
      wrt: new Set(['position', 'velocity']),
      seeds: new Set(['force']),
    });
    await expect(wgslSource(bound(form))).toMatchFileSnapshot('wgsl/ground-force-adjoint.wgsl');
  });

  it('numbers invocations over two dimensions if one is too short', () => {
    const invocations = 65535 * 64 + 1;
    expect(workgroups(invocations)).toEqual([65535, 2]);
    const source = wgslSource(bound(springForce.form, invocations));
    expect(source).toContain('let invocation = id.y * 4194240u + id.x;');
    expect(source).toContain('if (invocation >= 4194241u) { return; }');
  });

  it('renames fields whose names are reserved in WGSL', () => {
    const form = kernel(
      'names',
      {
        domain: 'd',
        reads: { target: f32, words: f32, 'a.b': f32, sqrt: f32 },
        writes: { self: f32 },
      },
      (fields) => ({
        self: sqrt(fields.target)
          .add(fields.words.mul(fields.words))
          .add(fields['a.b'].mul(fields['a.b']))
          .add(fields.sqrt.mul(fields.sqrt)),
      }),
    ).form;
    const source = wgslSource(bound(form));
    for (const line of ['let words_1 =', 'let a_b =', 'let sqrt_1 =']) expect(source).toContain(line);
    expect(source).not.toMatch(/let (target|words|sqrt|self)\b/);
  });

  it('refuses finite constants beyond the range of f32, with the value', () => {
    const form = kernel('far', { domain: 'd', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x.add(1e39),
    })).form;
    expect(() => wgslSource(bound(form))).toThrowCode({ code: 'kernel/constant-not-finite', values: ['1e+39', 'f32'] });
  });

  it('contains only the functions that are called', () => {
    const form = kernel('angle', { domain: 'd', reads: { x: f32, p: f32 }, writes: { y: f32 } }, ({ x, p }) => ({
      y: atan2(exp(x), pow(x, p)),
    })).form;
    const source = wgslSource(bound(form));
    expect([...source.matchAll(/^fn (\w+)/gm)].map((match) => match[1])).toEqual([
      'floatOfBits',
      'pow_f32',
      'atan2_f32',
      'main',
    ]);
  });
});
