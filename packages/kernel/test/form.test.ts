import { dot, exp, f32, fieldOn, forRange, index, kernel, norm, select, sin, u32, vec3, when } from '@gradsim/kernel';
import { describe, expect, it } from 'vitest';
import { adjoint } from '../src/derivatives/adjoint.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import type { Block, Primitive } from '../src/form/nodes.ts';
import { everyStatement } from '../src/form/walk.ts';
import * as primitives from '../src/primitives/index.ts';

/** Counts an operation in a form, blocks of regions included. */
const count = (form: KernelForm, what: Primitive | 'load'): number =>
  [...everyStatement(form.root)].filter((of) => of.op === what || (of.op === 'pure' && of.primitive === what)).length;

describe('common subexpressions of a kernel', () => {
  it('are computed once, however they are written', () => {
    const { form } = kernel('k', { domain: 'things', reads: { v: vec3 }, writes: { a: f32, b: f32 } }, ({ v }) => ({
      a: norm(v).add(exp(v.x.mul(v.y))),
      b: norm(v).mul(exp(v.x.mul(v.y))),
    }));
    expect(count(form, primitives.sqrt)).toBe(1);
    expect(count(form, primitives.exp)).toBe(1);
    expect(count(form, 'load')).toBe(3);
    // x y, three squares, and the product of both.
    expect(count(form, primitives.mul)).toBe(5);
  });

  it('are hoisted out of loops that do not change them', () => {
    const { form } = kernel('k', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: forRange(0, 8, f32(0), (_, sum) => sum.add(sin(x))),
    }));
    expect(form.root.nodes.some((n) => n.op === 'pure' && n.primitive === primitives.sin)).toBe(true);
  });

  it('stay in the branch that needs them', () => {
    const { form } = kernel('k', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: when(
        x.gt(0),
        () => exp(x),
        () => x,
      ),
    }));
    expect(count(form, primitives.exp)).toBe(1);
    expect(form.root.nodes.some((n) => n.op === 'pure' && n.primitive === primitives.exp)).toBe(false);
  });
});

describe('loads of a kernel', () => {
  const branching = kernel(
    'k',
    {
      domain: 'things',
      reads: { other: u32, table: fieldOn('entries', f32), x: f32 },
      writes: { y: f32 },
    },
    ({ other, table, x }) => ({
      y: forRange(0, 8, f32(0), (_, sum) =>
        when(
          other.ne(0xffffffff),
          () => sum.add(table.at(other).mul(x)),
          () => sum.sub(table.at(u32(0))),
        ),
      ).add(forRange(0, 8, f32(0), (_, sum) => sum.add(table.at(other.add(1))))),
    }),
  ).form;

  it('in a branch stay there, and are hoisted out of loops that do not change them', () => {
    const reads = (block: Block): number =>
      block.nodes.filter((node) => node.op === 'load' && node.port.name === 'table').length;
    const { body } = branching.root.nodes.find((n) => n.op === 'range')!;
    const branch = body.nodes.find((n) => n.op === 'if')!;
    expect([branch.then, branch.otherwise].map(reads)).toEqual([1, 1]);
    expect(reads(body)).toBe(0);
    expect(reads(branching.root)).toBe(1);
  });

  it('at one index, in any branches, have a single output per component in the adjoint', () => {
    const { form } = kernel(
      'k',
      {
        domain: 'things',
        reads: { ends: index('points', 2), x: fieldOn('points', vec3), chosen: u32 },
        writes: { y: f32 },
      },
      ({ ends: [i, j], x, chosen }, { element }) => ({
        y: forRange(0, 3, f32(0), (k, sum) =>
          when(
            k.lt(chosen),
            () => sum.add(dot(x.at(i), x.at(j))),
            () =>
              when(
                chosen.gt(7),
                () => sum.add(x.at(i).x).mul(x.at(element.add(1)).y),
                () => sum.add(x.at(element.add(1)).z),
              ),
          ),
        ),
      }),
    );
    const bars = adjoint(form, { wrt: new Set(['x']), seeds: new Set(['y']) });
    // Three components at each of three indices, of which the last is computed within branches.
    expect(bars.outputs.map(({ component }) => component)).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
    expect(new Set(bars.outputs.map((output) => output.index)).size).toBe(3);
    for (const { index: at } of bars.outputs) expect(bars.root.nodes).toContain(at);
  });
});

describe('dead code of a kernel', () => {
  it('is removed: unused values, branch results, loop-carried values', () => {
    const { form } = kernel(
      'k',
      { domain: 'things', reads: { x: f32, unused: f32 }, writes: { y: f32 } },
      ({ x, unused }) => {
        exp(unused);
        const both = when(
          x.gt(0),
          () => ({ used: x.mul(2), dead: sin(x) }),
          () => ({ used: x, dead: sin(x.add(1)) }),
        );
        const end = forRange(0, 4, { sum: f32(0), waste: f32(1) }, (_, { sum, waste }) => ({
          sum: sum.add(both.used),
          waste: waste.mul(exp(waste)),
        }));
        return { y: end.sum };
      },
    );
    expect(count(form, primitives.exp)).toBe(0);
    expect(count(form, primitives.sin)).toBe(0);
    // x alone; the loop carries the sum alone.
    expect(count(form, 'load')).toBe(1);
    const loop = form.root.nodes.find((n) => n.op === 'range')!;
    expect(loop.body.params).toHaveLength(1);
  });

  it('is removed from adjoints: inputs of other gradients are not recomputed', () => {
    const { form } = kernel(
      'k',
      { domain: 'things', reads: { a: vec3, b: vec3, c: f32 }, writes: { y: f32 } },
      ({ a, b, c }) => ({
        y: dot(a, b).mul(2).add(exp(c)),
      }),
    );
    // dy/da = 2 b: neither a nor c is read.
    const bars = adjoint(form, { wrt: new Set(['a']), seeds: new Set(['y']) });
    expect(count(bars, primitives.exp)).toBe(0);
    expect(count(bars, 'load')).toBe(4);
  });

  it('is removed from the adjoint of a sum in a loop, which does not rerun the loop for every iteration', () => {
    const { form } = kernel('k', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: forRange(0, 100, f32(0), (k, sum) => sum.add(x.mul(k.toF32()))),
    }));
    const bars = adjoint(form, { wrt: new Set(['x']), seeds: new Set(['y']) });
    const loop = bars.root.nodes.find((n) => n.op === 'range')!;
    expect(loop.body.nodes.every((n) => n.op !== 'range')).toBe(true);
  });
});

describe('constants of a kernel', () => {
  it('are folded, also in x * 1, x + 0, x * 0 and the select of a known condition', () => {
    const { form } = kernel('k', { domain: 'things', reads: { x: f32 }, writes: { y: f32, z: f32 } }, ({ x }) => ({
      y: x.mul(1).add(0).mul(f32(2).add(3)).sub(x.mul(0)),
      z: select(u32(3).gt(2), x, exp(x)),
    }));
    expect(form.outputs[1].value.op).toBe('load');
    expect(count(form, primitives.exp) + count(form, primitives.add) + count(form, primitives.sub)).toBe(0);
    expect(count(form, primitives.mul)).toBe(1);
  });
});
