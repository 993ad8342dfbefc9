import type { F32, Vec3 } from '@gradsim/core';
import { adjointOf, cross, dot, f32, forRange, kernel, norm, select, u32, vec3, vjp, when } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';

/** Kernel of a formula with a branch, a loop and several outputs. */
const formula = ({ x, v, k }: { x: F32; v: Vec3; k: F32 }) => {
  const along = when(
    x.gt(0),
    () => v.mul(x.mul(x)),
    () => cross(v, vec3(1, 2, 3)).mul(x),
  );
  const power = forRange(0, 3, { power: f32(1) }, (_, { power }) => ({ power: power.mul(k.add(x)) })).power;
  return { y: along.mul(power), z: select(k.gt(0.5), norm(v), dot(v, v)) };
};

const inputs = { x: f32, v: vec3, k: f32 };
const primal = kernel(
  'formula',
  { domain: 'things', reads: inputs, writes: { y: vec3, z: f32 }, adjoint: () => [byHand] },
  formula,
);
const byHand = kernel(
  'formulaByHand',
  {
    domain: 'things',
    reads: { ...inputs, yBar: adjointOf('y', vec3), zBar: adjointOf('z', f32) },
    adds: { xBar: adjointOf('x', f32), vBar: adjointOf('v', vec3), kBar: adjointOf('k', f32) },
  },
  ({ x, v, k, yBar, zBar, xBar, vBar, kBar }) => {
    // Within a loop of one round, where hand-written adjoints need it.
    const bars = forRange(0, u32(1), { x: f32(0), v: vec3(0, 0, 0), k: f32(0) }, (_, sum) => {
      const bar = vjp(formula, { x, v, k }, { y: yBar, z: zBar });
      return { x: sum.x.add(bar.x), v: sum.v.add(bar.v), k: sum.k.add(bar.k) };
    });
    xBar.add(bars.x);
    vBar.add(bars.v);
    kBar.add(bars.k);
  },
);

describe('the product of a cotangent and a Jacobian within a kernel', () => {
  it('equals the adjoint of the formula', async () => {
    const { transposeError } = await checkKernel(primal, { ranges: { k: [0, 1] }, seed: 7 });
    expect(transposeError).toBeLessThan(1e-12);
  });

  it('refuses values captured from outside the function, whole numbers and cotangents of another shape', () => {
    const make = (body: (x: F32) => F32): (() => void) => {
      return () =>
        kernel('wrong', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
          y: body(x),
        }));
    };
    expect(make((x) => vjp(({ a }) => ({ b: a.mul(x) }), { a: x }, { b: x }).a)).toThrowCode({
      code: 'kernel/value-outside-scope',
      values: ['load'],
    });
    expect(make((x) => vjp(({ a }) => ({ b: a }), { a: x.toU32() }, { b: x.toU32() }).a.toF32())).toThrowCode(
      'base/wrong-type',
    );
    expect(make((x) => vjp(({ a }) => a, { a: x } as { a: F32 }, vec3(x, x, x) as never).a)).toThrowCode({
      code: 'kernel/wrong-size',
      values: [3, 1],
    });
  });
});
