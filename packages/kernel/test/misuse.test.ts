import type { Bool, F32, Vec3 } from '@gradsim/kernel';
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
  select,
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
    it(`${name} throws, naming the kernel`, () => {
      expect(misuse(body)).toThrowCode({ code: 'kernel/traced-as-plain', values: ['kernel wrong'] });
    });
  }
  it('if (a.gt(b)) and a.gt(b) && c throw, as comparisons that nothing uses', () => {
    expect(misuse((x) => (x.gt(0) ? x : x.neg()))).toThrowCode({ code: 'kernel/comparison-unused', values: ['gt'] });
    expect(misuse((x) => x.gt(0) && x.lt(1))).toThrowCode('kernel/comparison-unused');
  });
});

describe('vectors are refused', () => {
  it('where numbers, or vectors of another size, are expected', () => {
    expect(misuse((x) => norm(x as unknown as Vec))).toThrowCode('base/wrong-type');
    expect(misuse((x) => dot(vec3(x, x, x), [1, 2, 3] as unknown as Vec3))).toThrowCode('base/wrong-type');
    expect(misuse((x) => vec3(x, x, x).add(vec2(x, x) as unknown as Vec3))).toThrowCode({
      code: 'base/wrong-type',
      values: ['vec3', 'vec2'],
    });
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
    ).toThrowCode({ code: 'kernel/value-outside-scope', values: ['mul'] });
    expect(() => leaked!.add(1)).toThrowCode('kernel/traced-outside-kernel');
  });
  it('for variables changed within a loop or branch, also where what they hold folds or does not change there', () => {
    type Add = { add: (value: F32) => void };
    const written = (change: (x: F32, set: (y: F32) => void, f: Add) => void) => () =>
      kernel('changed', { ...things, writes: { y: f32 }, adds: { f: f32 } }, ({ x, f }) => {
        let y = x;
        const set = (next: F32): void => {
          y = next;
        };
        change(x, set, f);
        return { y };
      });
    const twice = (body: () => void) =>
      forRange(0, 2, {}, () => {
        body();
        return {};
      });
    expect(written((x, set) => twice(() => set(x.mul(0.5))))).toThrowCode({
      code: 'kernel/nothing-given',
      values: ['forRange'],
    });
    expect(written((x, set) => when(x.gt(0), () => set(f32(2))))).toThrowCode('kernel/nothing-given');
    const never = { test: (x: F32) => () => x.gt(0), body: () => ({}) };
    expect(written((x) => loop({}, never.test(x), never.body))).toThrowCode('kernel/nothing-given');
    for (const value of [(x: F32) => x.mul(0.5), () => f32(2), (x: F32) => x.mul(1)]) {
      const change = (x: F32, set: (y: F32) => void, f: Add) => () => {
        set(value(x));
        f.add(x);
      };
      expect(written((x, set, f) => twice(change(x, set, f)))).toThrowCode('kernel/value-outside-scope');
      expect(written((x, set, f) => when(x.gt(0), change(x, set, f)))).toThrowCode('kernel/value-outside-scope');
    }
  });
  it('for names that it does not read, and JavaScript where a condition is meant', () => {
    const spec = { ...things, writes: { y: f32 } } as const;
    expect(() =>
      kernel(
        'misspelt',
        { domain: 'things', reads: { velocity: f32 }, writes: { y: f32 } }, // @ts-expect-error: a misspelt name.
        ({ velosity }) => ({
          y: velosity,
        }),
      ),
    ).toThrowCode({
      code: 'kernel/unknown-field',
      values: ['misspelt', '"velosity"', '"velocity"'],
    });
    const optional = (isSlowed: boolean) =>
      kernel(
        'optional',
        { domain: 'things', reads: { x: f32, ...(isSlowed && { drag: f32 }) }, writes: { y: f32 } },
        ({ x, drag }) => ({ y: drag ? x.mul(drag) : x }),
      );
    expect(optional(false).form.ports).toHaveLength(2);
    expect(optional(true).form.ports).toHaveLength(3);
    const conditions: Record<string, (x: F32) => unknown> = {
      '!a.gt(b)': (x) => !x.gt(0),
      'a === b': (x) => (x as unknown) === 1,
      'a number': () => 1,
    };
    for (const [name, condition] of Object.entries(conditions)) {
      const made = (use: (c: Bool, x: F32) => F32) => () =>
        kernel('plain', spec, ({ x }) => ({ y: use(condition(x) as Bool, x) }));
      const code = name === 'a number' ? 'base/wrong-type' : 'kernel/plain-condition';
      expect(
        made((c, x) =>
          when(
            c,
            () => x,
            () => x,
          ),
        ),
        name,
      ).toThrowCode(code);
      expect(
        made((c, x) => select(c, x, 0)),
        name,
      ).toThrowCode(code);
      expect(
        made((c, x) =>
          loop(
            x,
            () => c,
            (y) => y,
          ),
        ),
        name,
      ).toThrowCode(code);
      expect(
        made((c, x) => select(x.gt(0).and(c), x, 0)),
        name,
      ).toThrowCode(code);
    }
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
    ).toThrowCode({ code: 'kernel/add-in-loop-test', values: ['"f"'] });
    expect(() =>
      kernel('inner', spec, ({ x, f }) => {
        const squared = ({ x }: { x: F32 }) => {
          f.add(x);
          return { y: x.mul(x) };
        };
        vjp(squared, { x }, { y: x });
      }),
    ).toThrowCode({ code: 'kernel/add-within-vjp', field: 'f' });
  });
  it('for missing, surplus and misshapen results', () => {
    const spec = { ...things, writes: { y: vec3 } };
    expect(() => kernel('k', spec, ({ x }) => ({ y: x }) as never)).toThrowCode({
      code: 'base/wrong-type',
      field: 'y',
      values: ['f32'],
    });
    expect(() => kernel('k', spec, () => ({}) as never)).toThrowCode({ code: 'kernel/field-not-returned', field: 'y' });
    expect(() => kernel('k', spec, ({ x }) => ({ y: vec3(x, x, x), z: x }) as never)).toThrowCode({
      code: 'kernel/unknown-field',
      field: 'z',
    });
  });
  it('for mixed scalar types and fractions as integers', () => {
    expect(misuse((x) => x.add(u32(1) as never))).toThrowCode({
      code: 'base/wrong-type',
      values: ['toF32', 'f32', 'u32'],
    });
    expect(misuse(() => u32(1.5))).toThrowCode({
      code: 'base/wrong-type',
      values: ['kernel wrong: the constant 1.5 is no u32'],
    });
  });
  it('for vectors instead of numbers, numbers instead of conditions, and plain numbers carried by loops', () => {
    expect(misuse((x) => x.add(vec3(x, x, x) as never))).toThrowCode({ code: 'base/wrong-type', values: ['f32'] });
    expect(misuse((x) => when(x as never, () => {}))).toThrowCode({
      code: 'base/wrong-type',
      values: ['f32', 'bool'],
    });
    expect(misuse((x) => forRange(0, 3, 0 as never, () => x as never))).toThrowCode({
      code: 'kernel/plain-value',
      values: [0],
    });
  });
  it('for fields without a type', () => {
    const spec = { domain: 'things', reads: { x: undefined } } as never;
    expect(() => kernel('k', spec, () => {})).toThrowCode({
      code: 'base/wrong-type',
      field: 'x',
      values: ['undefined'],
    });
  });
  it('for indices that are not integers, while plain integers are accepted', () => {
    const reading = (index: (x: F32) => unknown) => () =>
      kernel(
        'far',
        { domain: 'things', reads: { x: f32, z: fieldOn('nodes', f32) }, adds: { f: fieldOn('nodes', f32) } },
        ({ x, z, f }) => f.add(index(x) as never, z.at(index(x) as never)),
      );
    expect(reading((x) => x)).toThrowCode({ code: 'base/wrong-type', values: ['toF32', 'u32', 'f32'] });
    expect(reading(() => 1.5)).toThrowCode({
      code: 'base/wrong-type',
      values: ['kernel far: the constant 1.5 is no u32'],
    });
    expect(reading(() => undefined)).toThrowCode({ code: 'base/wrong-type', values: ['u32', 'undefined'] });
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
    ).toThrowCode('kernel/other-shape');
    expect(misuse((x) => forRange(0, 2, x, () => vec3(x, x, x) as never))).toThrowCode({
      code: 'kernel/other-shape',
      values: ['forRange'],
    });
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
    ).toThrowCode({ code: 'kernel/wrong-domain', field: 'x', values: ['nodes', 'cells'] });
  });
  it('for a field that is both read and added to', () => {
    expect(() => kernel('both', { ...things, adds: { x: f32 } } as never, () => {})).toThrowCode({
      code: 'kernel/read-and-added',
      field: 'x',
    });
  });
  it('for one name of two fields, one read and the other written', () => {
    const mass = field('things', 'mass', f32);
    const elsewhere = () =>
      kernel(
        'crossed',
        { domain: 'things', reads: { node: index('nodes'), x: fieldOn('nodes', f32) }, writes: { x: f32 } },
        ({ node, x }) => ({ x: x.at(node) }),
      );
    expect(elsewhere).toThrowCode({ code: 'kernel/two-names', values: ['"x"', 'nodes.x', 'things.x'] });
    const renamed = () =>
      kernel('renamed', { domain: 'things', reads: { x: mass }, writes: { x: f32 } }, ({ x }) => ({ x }));
    expect(renamed).toThrowCode({ code: 'kernel/two-names', values: ['"x"', 'things.mass', 'things.x'] });
    // `fieldOn(...)` over the own domain, and a reference under its own name, mean one field.
    kernel('apart', { domain: 'things', reads: { x: fieldOn('things', f32) }, writes: { x: f32 } }, ({ x }) => ({
      x: x.at(0),
    }));
    kernel('same', { domain: 'things', reads: { mass }, writes: { mass: f32 } }, ({ mass }) => ({ mass }));
  });
});

describe('a kernel that would do nothing is refused', () => {
  const force = fieldOn('nodes', f32);
  const adds = { force: vec3 };
  it.each([
    ['nothing is added', 'kernel/nothing-added', () => kernel('idle', { domain: 'things', adds }, () => {})],
    [
      'its function is asynchronous',
      'kernel/asynchronous',
      () => kernel('late', { domain: 'things', reads: { x: f32 } }, (async () => {}) as unknown as () => void),
    ],
    [
      'an option is misspelt',
      'base/unknown-option',
      () => kernel('deaf', { domain: 'things', read: { force } } as unknown as { domain: string }, () => {}),
    ],
  ] as const)('where %s', (_, code, make) => {
    expect(make).toThrowCode(code);
  });

  it('and what is no value of its type is named', () => {
    for (const given of [1, undefined, [1, 2, 3], 'a'])
      expect(() =>
        kernel('plain', { domain: 'things', adds }, ({ force: sum }) => sum.add(given as unknown as Vec3)),
      ).toThrowCode({ code: 'base/wrong-type', values: ['force', '3 x f32'] });
  });
});
