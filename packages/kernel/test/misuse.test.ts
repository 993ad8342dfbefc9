import type { F32, Vec3 } from '@gradsim/kernel';
import {
  dot,
  f32,
  field,
  fieldOn,
  forRange,
  index,
  kernel,
  loop,
  norm,
  perWorld,
  u32,
  type Vec,
  vec2,
  vec3,
  vjp,
  when,
} from '@gradsim/kernel';
import { describe, expect, it } from 'vitest';

/** Traces a kernel whose body misuses `x`. */
const misuse = (body: (x: F32) => unknown) => () =>
  kernel('wrong', { domain: 'things', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => {
    body(x);
    return { y: x };
  });

describe('a traced value is not a JavaScript value', () => {
  const cases: Record<string, (x: F32) => unknown> = {
    'a + b': (x) => (x as unknown as number) + 1,
    'a * b': (x) => (x as unknown as number) * 2,
    'a < b': (x) => (x as unknown as number) < 2,
    'Math.sin(a)': (x) => Math.sin(x as unknown as number),
    // biome-ignore lint/style/useTemplate: what is tested is a string made from it.
    'a string': (x) => '' + x,
  };
  for (const [name, body] of Object.entries(cases)) {
    it(`${name} throws, naming the kernel and what to write`, () => {
      expect(misuse(body)).toThrow(/kernel wrong.*a\.add\(b\)/);
    });
  }
  it('if (a.gt(b)) throws, naming the kernel and what to write', () => {
    expect(misuse((x) => (x.gt(0) ? x : x.neg()))).toThrow(
      /kernel wrong: a comparison \(gt\).*select\(c, x, y\), when/,
    );
    expect(misuse((x) => x.gt(0) && x.lt(1))).toThrow(/kernel wrong/);
  });
});

describe('vectors are refused', () => {
  it('where numbers, or vectors of another size, are expected', () => {
    expect(misuse((x) => norm(x as unknown as Vec))).toThrow(/takes vectors, and was given something else.*abs/);
    expect(misuse((x) => dot(vec3(x, x, x), [1, 2, 3] as unknown as Vec3))).toThrow(/takes vectors/);
    expect(misuse((x) => vec3(x, x, x).add(vec2(x, x) as unknown as Vec3))).toThrow(
      /A vec3 and a vec2 do not go together/,
    );
  });
});

describe('a kernel is refused where it is written', () => {
  const things = { domain: 'things', reads: { x: f32 } } as const;
  it('for values used outside of their branch, loop or kernel', () => {
    let leaked: F32 | null = null;
    expect(() =>
      kernel('leaky', { ...things, writes: { y: f32 } }, ({ x }) => {
        forRange(0, 3, x, (_, s) => {
          leaked = s.mul(s);
          return leaked;
        });
        return { y: leaked!.add(1) };
      }),
    ).toThrow(/kernel leaky: a value \(mul\) is used outside of the branch, loop or kernel/);
    expect(() => leaked!.add(1)).toThrow(/outside of a kernel function/);
  });
  it('for additions in the test of a loop, and within a function passed to vjp', () => {
    const spec = { ...things, adds: { f: f32 } } as const;
    expect(() =>
      kernel('early', spec, ({ x, f }) => {
        loop(
          x,
          (y) => {
            f.add(y);
            return y.lt(1);
          },
          (y) => y.add(1),
        );
      }),
    ).toThrow(/kernel early: "f" is added to in the test of a loop/);
    expect(() =>
      kernel('inner', spec, ({ x, f }) => {
        const squared = ({ x }: { x: F32 }) => {
          f.add(x);
          return { y: x.mul(x) };
        };
        vjp(squared, { x }, { y: x });
      }),
    ).toThrow(/kernel inner: "f" is added to in a function that vjp takes the derivative of/);
  });
  it('for missing, surplus and misshapen results', () => {
    const spec = { ...things, writes: { y: vec3 } };
    expect(() => kernel('k', spec, ({ x }) => ({ y: x }) as never)).toThrow(/"y" takes 3 x f32, but was given \(f32\)/);
    expect(() => kernel('k', spec, () => ({}) as never)).toThrow(/does not give back "y"/);
    expect(() => kernel('k', spec, ({ x }) => ({ y: vec3(x, x, x), z: x }) as never)).toThrow(
      /gives back "z", which its writes do not name/,
    );
  });
  it('for mixed scalar types and fractions as integers', () => {
    expect(misuse((x) => x.add(u32(1) as never))).toThrow(/kernel wrong: expected f32, got u32; convert with toF32/);
    expect(misuse(() => u32(1.5))).toThrow(/kernel wrong: the constant 1.5 is no u32/);
  });
  it('for vectors instead of numbers, numbers instead of conditions, and plain numbers in branches and loops', () => {
    expect(misuse((x) => x.add(vec3(x, x, x) as never))).toThrow(
      /kernel wrong: expected a number or a traced f32, got a vector, a matrix or another object/,
    );
    expect(misuse((x) => when(x as never, () => {}))).toThrow(/kernel wrong: expected bool, got f32; compare it/);
    expect(misuse((x) => forRange(0, 3, 0 as never, () => x as never))).toThrow(
      /kernel wrong: .* not the plain 0\. Write f32\(0\)/,
    );
  });
  it('for fields without a type', () => {
    const spec = { domain: 'things', reads: { x: undefined } } as never;
    expect(() => kernel('k', spec, () => {})).toThrow(/kernel k: "x" has no type, but undefined/);
  });
  it('for indices that are not integers, while plain integers are accepted', () => {
    const reading = (index: (x: F32) => unknown) => () =>
      kernel(
        'far',
        { domain: 'things', reads: { x: f32, z: fieldOn('nodes', f32) }, adds: { f: fieldOn('nodes', f32) } },
        ({ x, z, f }) => f.add(index(x) as never, z.at(index(x) as never)),
      );
    expect(reading((x) => x)).toThrow(/kernel far: expected u32, got f32; convert with toF32/);
    expect(reading(() => 1.5)).toThrow(/kernel far: the constant 1.5 is no u32/);
    expect(reading(() => undefined)).toThrow(/kernel far: expected a number or a traced u32, got undefined/);
    expect(reading(() => 2)).not.toThrow();
  });
  it('for branches that return different types, and loops that change the type of a carried value', () => {
    expect(
      misuse((x) =>
        when(
          x.gt(0),
          () => x,
          () => u32(1) as never,
        ),
      ),
    ).toThrow(/both sides of when must give values of one shape/);
    expect(misuse((x) => forRange(0, 2, x, () => vec3(x, x, x) as never))).toThrow(
      /the body of forRange must give values of one shape/,
    );
  });
  it('for an index of another domain', () => {
    expect(() =>
      kernel(
        'crossed',
        {
          domain: 'links',
          reads: { cell: index('cells'), x: fieldOn('nodes', f32) },
          adds: { sum: perWorld(f32) },
        },
        ({ cell, x, sum }) => sum.add(x.at(cell)),
      ),
    ).toThrow(/kernel crossed: "x" lies over nodes, but was given an index of cells/);
  });
  it('for a field that is both read and added to', () => {
    expect(() => kernel('both', { ...things, adds: { x: f32 } } as never, () => {})).toThrow(
      /kernel both: "x" cannot be both read and added to/,
    );
  });
  it('for one name of two fields, one read and the other written', () => {
    const mass = field('things', 'mass', f32);
    const elsewhere = () =>
      kernel(
        'crossed',
        { domain: 'things', reads: { node: index('nodes'), x: fieldOn('nodes', f32) }, writes: { x: f32 } },
        ({ node, x }) => ({ x: x.at(node) }),
      );
    expect(elsewhere).toThrow(
      'kernel crossed: "x" is nodes.x where it is read, and things.x where it is written. Give one of them another name.',
    );
    const renamed = () =>
      kernel('renamed', { domain: 'things', reads: { x: mass }, writes: { x: f32 } }, ({ x }) => ({ x }));
    expect(renamed).toThrow('"x" is things.mass where it is read, and things.x where it is written');
    // `fieldOn(...)` over the own domain, and a reference under its own name, mean one field.
    kernel('apart', { domain: 'things', reads: { x: fieldOn('things', f32) }, writes: { x: f32 } }, ({ x }) => ({
      x: x.at(0),
    }));
    kernel('same', { domain: 'things', reads: { mass }, writes: { mass: f32 } }, ({ mass }) => ({ mass }));
  });
});
