import { describe, expect, it } from 'vitest';
import { cpuDevice } from '../src/device/cpu.ts';
import { f64Device } from '../src/device/f64.ts';
import { adjoint } from '../src/kernel/adjoint.ts';
import { forRange, loop, when } from '../src/kernel/control.ts';
import type { KernelForm, PureOp, ScalarType } from '../src/kernel/form.ts';
import {
  abs,
  bitsOfF32,
  bitsToF32,
  clamp,
  countTrailingZeros,
  exp,
  log,
  max,
  min,
  norm,
  select,
  sin,
  sqrt,
  tanh,
} from '../src/kernel/functions.ts';
import { kernel } from '../src/kernel/kernel.ts';
import type { F32, U32 } from '../src/kernel/scalar.ts';
import { currentBuilder, use, wrap } from '../src/kernel/scalar.ts';
import { tangent } from '../src/kernel/tangent.ts';
import { f32, i32, index, indexOn, on, perWorld, u32, vec3 } from '../src/kernel/types.ts';
import { dot } from '../src/kernel/vector.ts';
import { seeded } from './support/random.ts';
import type { RunOptions } from './support/run-kernel.ts';
import { layKernel, runKernel } from './support/run-kernel.ts';

const simd = cpuDevice();
const oneByOne = cpuDevice({ simd: false });
const oracle = f64Device();

/** SIMD and scalar code must agree in every bit, and with doubles to `tolerance`, relative to the largest value. */
async function agree(
  form: KernelForm,
  options: RunOptions,
  tolerance = 2e-6,
): Promise<Record<string, number[]>> {
  const [fast, plain, exact] = await Promise.all(
    [simd, oneByOne, oracle].map((d) => runKernel(form, d, options)),
  );
  for (const [label, values] of Object.entries(exact)) {
    expect(fast[label], `${form.name}: ${label}, SIMD and scalar`).toEqual(plain[label]);
    const scale = Math.max(1e-30, ...values.map((v) => (Number.isFinite(v) ? Math.abs(v) : 0)));
    values.forEach((v, k) => {
      const got = fast[label][k];
      if (Object.is(got, v) || got === v || Math.abs(got - v) <= tolerance * scale) return;
      throw new Error(`${form.name}: ${label}[${k}] is ${got} on the cpu device and ${v} in doubles`);
    });
  }
  return fast;
}

const random = seeded('wasm');
const numbers = (count: number, low = -2, high = 2): Float32Array =>
  Float32Array.from({ length: count }, () => low + (high - low) * random());
const wholes = (count: number, low: number, high: number): number[] =>
  Array.from({ length: count }, () => Math.floor(low + (high - low) * random()));

const TYPES = { f32, i32, u32 };
type Kind = keyof typeof TYPES;

/** A kernel of one operation; what is a bool comes and goes as u32. */
function operation(op: PureOp, types: readonly ScalarType[]): KernelForm {
  const names = ['x', 'y', 'z'].slice(0, types.length);
  const kinds = types.map((t): Kind => (t === 'bool' ? 'u32' : t));
  const reads = Object.fromEntries(names.map((name, k) => [name, TYPES[kinds[k]]]));
  const result = ((): Kind => {
    if (['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'toU32', 'bitsOfF32'].includes(op)) return 'u32';
    if (op === 'toF32' || op === 'bitsToF32') return 'f32';
    return op === 'toI32' ? 'i32' : kinds[op === 'select' ? 1 : 0];
  })();
  return kernel(
    `${op}_${types.join('_')}`,
    { domain: 'points', reads, writes: { value: TYPES[result] } },
    (fields) => {
      const b = currentBuilder();
      const nodes = names.map((name, k) => {
        const node = use(fields[name]);
        return types[k] === 'bool' ? b.pure('ne', node, b.const(0, 'u32')) : node;
      });
      const node = b.pure(op, ...nodes);
      return { value: wrap<'f32'>(node.type === 'bool' ? b.pure('toU32', node) : node) };
    },
  ).form;
}

describe('operations', () => {
  const COUNT = 103;
  const values: Record<ScalarType, (k: number) => ArrayLike<number>> = {
    f32: () => numbers(COUNT, -3, 3),
    i32: () => wholes(COUNT, -50, 50),
    u32: () => wholes(COUNT, 0, 100),
    bool: () => wholes(COUNT, 0, 2),
  };
  const float = (...ops: PureOp[]): [PureOp, ScalarType[]][] => ops.map((op) => [op, ['f32']]);
  const pairs = (type: ScalarType, ...ops: PureOp[]): [PureOp, ScalarType[]][] =>
    ops.map((op) => [op, [type, type]]);
  const comparisons: PureOp[] = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];
  const cases: [PureOp, ScalarType[]][] = [
    ...float('neg', 'abs', 'sign', 'floor', 'ceil', 'exp', 'sin', 'cos', 'tan', 'atan', 'tanh', 'toI32'),
    ...pairs('f32', 'add', 'sub', 'mul', 'div', 'min', 'max', 'atan2', ...comparisons),
    ...pairs('i32', 'add', 'sub', 'mul', 'min', 'max', 'and', 'or', 'xor', ...comparisons),
    ...pairs('u32', 'add', 'sub', 'mul', 'min', 'max', 'and', 'or', 'xor', ...comparisons),
    ...pairs('bool', 'and', 'or', 'xor', 'eq', 'ne'),
    ['neg', ['i32']],
    ['abs', ['i32']],
    ['sign', ['i32']],
    ['not', ['i32']],
    ['not', ['u32']],
    ['not', ['bool']],
    ['toF32', ['i32']],
    ['toF32', ['u32']],
    ['toF32', ['bool']],
    ['toU32', ['bool']],
    ['toI32', ['u32']],
    ['toU32', ['i32']],
    ['countTrailingZeros', ['u32']],
    ['select', ['bool', 'f32', 'f32']],
    ['select', ['bool', 'i32', 'i32']],
    ['select', ['bool', 'u32', 'u32']],
  ];
  for (const [op, types] of cases) {
    it(`${op} of ${types.join(', ')} as in doubles`, async () => {
      const names = ['x', 'y', 'z'].slice(0, types.length);
      const inputs = Object.fromEntries(names.map((name, k) => [name, values[types[k]](k)]));
      await agree(operation(op, types), { elements: COUNT, inputs }, 1e-6);
    });
  }

  const positive: [PureOp, Float32Array[]][] = [
    ['sqrt', [numbers(COUNT, 0, 9)]],
    ['log', [numbers(COUNT, 1e-3, 9)]],
    ['asin', [numbers(COUNT, -1, 1)]],
    ['acos', [numbers(COUNT, -1, 1)]],
    ['pow', [numbers(COUNT, 0, 4), numbers(COUNT, -2, 3)]],
    ['rem', [numbers(COUNT, -9, 9), numbers(COUNT, 0.5, 2)]],
    ['toU32', [numbers(COUNT, 0, 1000)]],
  ];
  for (const [op, [x, y]] of positive) {
    it(`${op} where it is defined as in doubles`, async () => {
      const types = (y ? ['f32', 'f32'] : ['f32']) as ScalarType[];
      await agree(operation(op, types), { elements: COUNT, inputs: y ? { x, y } : { x } }, 1e-6);
    });
  }

  for (const type of ['i32', 'u32'] as const) {
    it(`div, rem and shifts of ${type} as in doubles`, async () => {
      const x = type === 'i32' ? wholes(COUNT, -1000, 1000) : wholes(COUNT, 0, 2 ** 32);
      const divisor = wholes(COUNT, 1, 30);
      for (const op of ['div', 'rem'] as const)
        await agree(operation(op, [type, type]), { elements: COUNT, inputs: { x, y: divisor } });
      for (const op of ['shiftLeft', 'shiftRight'] as const) {
        await agree(operation(op, [type, 'u32']), { elements: COUNT, inputs: { x, y: divisor } });
      }
    });
  }

  it('divides by zero and the smallest i32 by -1 without stopping', async () => {
    const x = [7, -7, -(2 ** 31), 0, 5];
    const y = [0, 0, -1, 0, 2];
    for (const device of [simd, oneByOne]) {
      const run = (op: PureOp) =>
        runKernel(operation(op, ['i32', 'i32']), device, { elements: 5, inputs: { x, y } });
      expect((await run('div'))['new value']).toEqual([7, -7, -(2 ** 31), 0, 2]);
      expect((await run('rem'))['new value']).toEqual([0, 0, 0, 0, 1]);
    }
  });

  it('takes floats apart and puts them together again', async () => {
    const form = kernel(
      'bits',
      { domain: 'points', reads: { x: f32 }, writes: { word: u32, back: f32 } },
      ({ x }) => ({
        word: bitsOfF32(x),
        back: bitsToF32(bitsOfF32(x).xor(0x80000000)),
      }),
    ).form;
    const x = numbers(9);
    for (const device of [simd, oneByOne]) {
      const { 'new word': word, 'new back': back } = await runKernel(form, device, {
        elements: 9,
        inputs: { x },
      });
      expect(word).toEqual([...new Uint32Array(x.buffer)]);
      expect(back).toEqual([...x].map((v) => -v));
    }
  });

  it('names an operation that the kernel was bound without a lowering for', async () => {
    const form = operation('exp', ['f32']);
    await expect(
      runKernel(form, { ...simd, lowering: undefined }, { elements: 4, inputs: { x: numbers(4) } }),
    ).rejects.toThrow('kernel exp_f32: the cpu device has no instruction for exp of f32.');
  });
});

const spring = kernel(
  'spring',
  {
    domain: 'springs',
    reads: {
      ends: index('particles', 2),
      position: on('particles', vec3),
      stiffness: f32,
      gravity: perWorld(vec3),
    },
    writes: { force: vec3, energy: f32 },
  },
  ({ ends: [i, j], position, stiffness, gravity }) => {
    const d = position.at(i).sub(position.at(j));
    const length = norm(d);
    return {
      force: d.mul(stiffness.mul(length.sub(1)).div(length)).add(gravity),
      energy: stiffness.mul(sqrt(abs(length.sub(1)).add(0.1))).mul(0.5),
    };
  },
);

/** Branches within loops within branches, on data of the own element. */
const winding = kernel(
  'winding',
  { domain: 'points', reads: { x: f32, rounds: u32 }, writes: { y: f32, steps: u32 } },
  ({ x, rounds }) => {
    const start = when(
      x.gt(0),
      () => sin(x),
      () =>
        when(
          x.lt(-1),
          () => x.mul(x).add(tanh(x)),
          () => f32(0.25),
        ),
    );
    const summed = forRange(0, rounds, { sum: start, odd: u32(0) }, (k, { sum, odd }) => ({
      sum: when(
        sum.gt(1),
        () => sum.mul(0.5).add(k.toF32().mul(0.01)),
        () => sum.add(exp(x.mul(0.1))),
      ),
      odd: odd.add(k.and(1)),
    }));
    const halved = loop(
      { value: summed.sum.add(3), steps: summed.odd },
      ({ value }) => value.gt(0.5),
      ({ value, steps }) => ({
        value: select(steps.and(1).eq(0), value.mul(0.6), value.mul(0.8)),
        steps: steps.add(1),
      }),
    );
    return { y: halved.value.add(start), steps: halved.steps };
  },
);

/** A sum over a list of lists, as gathers are. */
const gather = kernel(
  'gather',
  {
    domain: 'nodes',
    reads: { starts: on('starts', u32), entries: indexOn('entries', 'slots'), slots: on('slots', vec3) },
    writes: { total: vec3 },
  },
  ({ starts, entries, slots }, { element }) => ({
    total: forRange(starts.at(element), starts.at(element.add(1)), vec3(0, 0, 0), (k, sum) =>
      sum.add(slots.at(entries.at(k))),
    ),
  }),
);

const springInputs = (elements: number, worlds: number) => ({
  ends: wholes(2 * elements, 0, 9),
  position: numbers(3 * 9 * worlds),
  stiffness: numbers(elements * worlds, 1, 2),
  gravity: numbers(3 * worlds),
});

describe('kernels', () => {
  for (const elements of [1, 3, 4, 7, 64]) {
    for (const worlds of [1, 3, 4, 8]) {
      for (const worldsInner of [true, false]) {
        it(`${elements} elements in ${worlds} worlds, ${worldsInner ? 'worlds' : 'elements'} side by side`, async () => {
          const inputs = springInputs(elements, worlds);
          // No spring of length zero.
          for (let e = 0; e < elements; e++)
            if (inputs.ends[e] === inputs.ends[elements + e]) inputs.ends[e] = (inputs.ends[e] + 1) % 9;
          await agree(spring.form, { elements, worlds, worldsInner, sizes: { particles: 9 }, inputs }, 1e-5);
        });
      }
    }
  }

  it('branches and loops whose lanes part', async () => {
    const elements = 131;
    await agree(
      winding.form,
      { elements, inputs: { x: numbers(elements), rounds: wholes(elements, 0, 12) } },
      1e-5,
    );
  });

  it('the same on one path for all lanes', async () => {
    const elements = 16;
    await agree(
      winding.form,
      { elements, inputs: { x: numbers(elements, 0.1, 0.2), rounds: new Array(elements).fill(5) } },
      1e-5,
    );
  });

  it('lists of lists', async () => {
    const starts = [0];
    for (let e = 0; e < 37; e++) starts.push(starts[e] + Math.floor(6 * random()));
    const entries = wholes(Math.max(1, starts[37]), 0, 50);
    for (const worlds of [1, 2, 4]) {
      const copied = starts.flatMap((s) => new Array(worlds).fill(s));
      await agree(
        gather.form,
        {
          elements: 37,
          worlds,
          sizes: { starts: 38, entries: entries.length, slots: 50 },
          inputs: { starts: copied, entries, slots: numbers(150 * worlds) },
        },
        1e-5,
      );
    }
  });

  it('loops with bounds that grow from lane to lane, and bounds that all share', async () => {
    const form = kernel(
      'windows',
      {
        domain: 'points',
        reads: { x: on('samples', f32), width: perWorld(u32) },
        writes: { own: f32, all: f32 },
      },
      ({ x, width }, { element }) => ({
        own: forRange(element, element.add(3), f32(0), (k, sum) => sum.add(x.at(k))),
        all: forRange(0, width, f32(0), (k, sum) => sum.add(x.at(k).mul(element.toF32()))),
      }),
    ).form;
    await agree(form, { elements: 21, sizes: { samples: 24 }, inputs: { x: numbers(24), width: [6] } });
    await agree(form, {
      elements: 5,
      worlds: 4,
      sizes: { samples: 24 },
      inputs: { x: numbers(96), width: [6, 0, 24, 1] },
    });
  });

  it('bit sets', async () => {
    const form = kernel(
      'bitset',
      { domain: 'points', reads: { set: u32, weight: on('bits', f32) }, writes: { sum: f32 } },
      ({ set, weight }) => ({
        sum: loop(
          { rest: set, sum: f32(0) },
          ({ rest }) => rest.ne(0),
          ({ rest, sum }) => ({
            rest: rest.and(rest.sub(1)),
            sum: sum.add(weight.at(countTrailingZeros(rest))),
          }),
        ).sum,
      }),
    ).form;
    const set = [0, 1, 0x80000000, 0xffffffff, ...wholes(30, 0, 2 ** 32)];
    await agree(form, { elements: set.length, sizes: { bits: 32 }, inputs: { set, weight: numbers(32) } });
  });

  it('reads next to the own element within a branch, at both ends', async () => {
    const form = kernel(
      'slope',
      { domain: 'points', reads: { x: on('samples', f32), last: perWorld(u32) }, writes: { slope: f32 } },
      ({ x, last }, { element }) => ({
        slope: when(
          element.gt(0).and(element.lt(last)),
          () => x.at(element.add(1)).sub(x.at(element.sub(1))),
          () => f32(9),
        ),
      }),
    ).form;
    const { 'new slope': slope } = await agree(form, {
      elements: 8,
      sizes: { samples: 8 },
      inputs: { x: [0, 1, 4, 9, 16, 25, 36, 49], last: [7] },
    });
    expect(slope).toEqual([9, 4, 8, 12, 16, 20, 24, 9]);
  });

  it('an index that says "none" is harmless where it is not used', async () => {
    const none = 0xffffffff;
    const form = kernel(
      'maybe',
      { domain: 'points', reads: { other: u32, x: on('samples', vec3) }, writes: { value: vec3 } },
      ({ other, x }) => ({
        value: when(
          other.ne(none),
          () => x.at(other),
          () => vec3(1, 2, 3),
        ),
      }),
    ).form;
    const other = [0, none, 2, none, none, 1, 0];
    const { 'new value': value } = await agree(form, {
      elements: 7,
      sizes: { samples: 3 },
      inputs: { other, x: numbers(9) },
    });
    expect([value[1], value[8], value[15]]).toEqual([1, 2, 3].slice(0, 3));
  });

  it('a read at an index beyond all data gives NaN, not a neighbour', async () => {
    const form = kernel(
      'wild',
      { domain: 'points', reads: { other: u32, x: on('samples', f32) }, writes: { value: f32 } },
      ({ other, x }) => ({
        value: x.at(other),
      }),
    ).form;
    for (const device of [simd, oneByOne]) {
      const { 'new value': value } = await runKernel(form, device, {
        elements: 5,
        sizes: { samples: 3 },
        inputs: { other: [0, 1, 0x40000000, 2, 0xffffffff], x: [1, 2, 3] },
      });
      expect(value).toEqual([1, 2, Number.NaN, 3, Number.NaN]);
    }
  });

  it('adds into elements that invocations share, one after another', async () => {
    const form = kernel(
      'scatter',
      {
        domain: 'points',
        reads: { to: index('bins'), x: f32 },
        adds: { bin: on('bins', f32), total: perWorld(f32) },
      },
      ({ to, x, bin, total }) => {
        bin.add(to, x);
        total.add(x);
      },
    ).form;
    const elements = 50;
    const { bin, total } = await agree(
      form,
      { elements, sizes: { bins: 4 }, inputs: { to: wholes(elements, 0, 4), x: numbers(elements, 1, 2) } },
      1e-5,
    );
    expect(bin.reduce((a, b) => a + b)).toBeCloseTo(total[0], 3);
  });

  it('reads all fields before it writes the first', async () => {
    const swap = kernel(
      'swap',
      { domain: 'points', reads: { a: f32, b: f32 }, writes: { a: f32, b: f32 } },
      ({ a, b }) => ({ a: b, b: a }),
    ).form;
    for (const device of [simd, oneByOne]) {
      const { kernel: laid, f32Words, slots } = layKernel(swap, device, { elements: 6, inputs: {} });
      // Bound once more with what is written in place of what is read.
      const inPlace = {
        ...laid,
        stores: laid.stores.map((s) => ({ ...s, offset: slots.get(s.label)!.offset })),
      };
      const executor = await device.createExecutor({
        f32Words,
        u32Words: 0,
        programs: [{ name: 'p', kernels: [inPlace] }],
      });
      executor.writeF32(slots.get('a')!.offset, [1, 2, 3, 4, 5, 6]);
      executor.writeF32(slots.get('b')!.offset, [7, 8, 9, 10, 11, 12]);
      executor.run(0, new Uint32Array(8));
      expect([...(await executor.readF32(slots.get('a')!.offset, 6))]).toEqual([7, 8, 9, 10, 11, 12]);
      expect([...(await executor.readF32(slots.get('b')!.offset, 6))]).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  it('a NaN goes through min, max and clamp', async () => {
    const form = kernel(
      'limits',
      { domain: 'points', reads: { x: f32, y: f32 }, writes: { a: f32, b: f32, c: f32 } },
      ({ x, y }) => ({
        a: min(x, y),
        b: max<F32>(1, x),
        c: clamp(x, 0, 1),
      }),
    ).form;
    const x = [Number.NaN, 2, -1, 0.5, Number.NaN];
    await agree(form, { elements: 5, inputs: { x, y: [1, Number.NaN, 3, 4, Number.NaN] } });
  });
});

describe('derivatives', () => {
  const names = (form: KernelForm): Set<string> =>
    new Set(form.ports.filter((p) => p.scalar === 'f32' && p.access === 'read').map((p) => p.name));
  const outputs = (form: KernelForm): Set<string> =>
    new Set(form.ports.filter((p) => p.access !== 'read').map((p) => p.name));
  const fill = (form: KernelForm, options: RunOptions): RunOptions => {
    const worlds = options.worlds ?? 1;
    const inputs: Record<string, ArrayLike<number>> = { ...options.inputs };
    for (const port of form.ports) {
      if (port.shade === 'primal' || port.access !== 'read') continue;
      const size =
        port.domain === '' ? options.elements : port.domain === 'world' ? 1 : options.sizes![port.domain];
      inputs[`${port.name}_${port.shade === 'adjoint' ? 'bar' : 'dot'}`] = numbers(
        size * port.components * worlds,
      );
    }
    const read = new Set(
      form.ports
        .filter((p) => p.access === 'read')
        .map((p) => (p.shade === 'primal' ? p.name : `${p.name}_${p.shade === 'adjoint' ? 'bar' : 'dot'}`)),
    );
    return {
      ...options,
      inputs: Object.fromEntries(Object.entries(inputs).filter(([name]) => read.has(name))),
    };
  };
  const law = kernel(
    'law',
    { domain: 'points', reads: { x: vec3, k: f32 }, writes: { y: f32 } },
    ({ x, k }) => {
      const r = norm(x);
      return {
        y: when(
          r.gt(1),
          () => log(r).mul(k),
          () => dot(x, x).mul(exp(k.neg())),
        ),
      };
    },
  );
  const elements = 30;
  const samples: [string, KernelForm, RunOptions][] = [
    [
      'a law with two sides',
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
          ...springInputs(elements, 4),
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

describe('random kernels', () => {
  /** A kernel of random operations, branches and loops over a few fields. */
  function make(seed: number): KernelForm {
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)];
    return kernel(
      `random${seed}`,
      {
        domain: 'points',
        reads: { x: f32, n: u32, shared: perWorld(f32), table: on('table', f32) },
        writes: { y: f32, m: u32 },
      },
      ({ x, n, shared, table }, { element, substep }) => {
        type Values = { floats: F32[]; wholes: U32[] };
        const grow = ({ floats, wholes: integers }: Values, depth: number): { f: F32; w: U32 } => {
          const own: Values = { floats: [...floats], wholes: [...integers] };
          const condition = () =>
            random() < 0.5
              ? pick(own.floats).lt(pick(own.floats))
              : pick(own.wholes)
                  .and(pick([1, 2, 3, 7]))
                  .eq(pick([0, 1]));
          for (let step = 0; step < 6; step++) {
            const [a, b, i, j] = [pick(own.floats), pick(own.floats), pick(own.wholes), pick(own.wholes)];
            const choice = Math.floor(random() * (depth > 0 ? 13 : 9));
            if (choice === 0) own.floats.push(a.add(b));
            else if (choice === 1) own.floats.push(a.mul(b).sub(shared));
            else if (choice === 2) own.floats.push(select(condition(), a, b));
            else if (choice === 3) own.floats.push(table.at(i.rem(16)));
            else if (choice === 4) own.wholes.push(i.add(j.mul(pick([1, 3, 4]))));
            else if (choice === 5) own.wholes.push(i.div(pick([1, 3, 4, 8])).xor(j));
            else if (choice === 6) own.floats.push(i.rem(9).toF32().mul(0.25).add(min(a, b)));
            else if (choice === 7)
              own.floats.push(table.at(element.add(pick([0, 1, 5]))).div(a.mul(a).add(1)));
            else if (choice === 8) own.wholes.push(select(condition(), i, j));
            else if (choice <= 10) {
              const both = when(
                condition(),
                () => grow(own, depth - 1),
                () => grow(own, depth - 1),
              );
              own.floats.push(both.f);
              own.wholes.push(both.w);
            } else if (choice === 11) {
              const end = pick([i.rem(5), u32(3), element.rem(4)]);
              const done = forRange(pick([u32(0), j.rem(3)]), end, { f: a, w: i }, (k, { f, w }) =>
                grow({ floats: [...own.floats, f], wholes: [...own.wholes, k, w] }, depth - 1),
              );
              own.floats.push(done.f);
              own.wholes.push(done.w);
            } else {
              const done = loop(
                { f: a, w: i, round: u32(0) },
                ({ f, round }) => round.lt(pick([i.rem(6), u32(4)])).and(f.lt(4)),
                ({ f, w, round }) => ({
                  ...grow({ floats: [...own.floats, f], wholes: [...own.wholes, w, round] }, depth - 1),
                  round: round.add(1),
                }),
              );
              own.floats.push(done.f);
              own.wholes.push(done.w);
            }
          }
          return {
            f: own.floats[own.floats.length - 1].mul(0.5).add(pick(own.floats).mul(0.25)),
            w: own.wholes[own.wholes.length - 1],
          };
        };
        const { f, w } = grow({ floats: [x, shared, f32(0.5)], wholes: [n, element, substep, u32(2)] }, 3);
        return { y: f, m: w };
      },
    ).form;
  }

  it('give the same bits with and without SIMD', async () => {
    const options = (worlds: number): RunOptions => ({
      elements: 22,
      worlds,
      sizes: { table: 32 },
      registers: [5],
      inputs: {
        x: numbers(22 * worlds),
        n: wholes(22 * worlds, 0, 40),
        shared: numbers(worlds),
        table: numbers(32 * worlds),
      },
    });
    let finite = 0;
    for (let k = 0; k < 120; k++) {
      const form = make(k);
      const given = { ...options(k % 3 === 0 ? 4 : k % 3) };
      if ((given.worlds ?? 1) === 0) continue;
      const inputs = Object.fromEntries(
        Object.entries(given.inputs).filter(([name]) => form.ports.some((p) => p.name === name)),
      );
      const [fast, plain] = await Promise.all(
        [simd, oneByOne].map((d) => runKernel(form, d, { ...given, inputs })),
      );
      expect(fast, form.name).toEqual(plain);
      finite += fast['new y'].filter(Number.isFinite).length;
    }
    expect(finite).toBeGreaterThan(1000);
  });
});

describe('the executor', () => {
  const count = kernel(
    'count',
    { domain: 'points', reads: { x: f32 }, adds: { total: f32 } },
    ({ x, total }, { substep }) => {
      total.add(x.mul(substep.toF32()));
    },
  );
  const double = kernel(
    'double',
    { domain: 'points', reads: { x: f32 }, adds: { total: f32 } },
    ({ x, total }) => total.add(x),
  );

  const make = async () => {
    const { kernel: first, f32Words, slots } = layKernel(count.form, simd, { elements: 6, inputs: {} });
    const { kernel: second } = layKernel(double.form, simd, { elements: 6, inputs: {} });
    const executor = await simd.createExecutor({
      f32Words,
      u32Words: 4,
      programs: [{ name: 'frame', kernels: [first, second] }],
    });
    executor.writeF32(slots.get('x')!.offset, [1, 2, 3, 4, 5, 6]);
    return { executor, total: slots.get('total')!.offset };
  };

  it('runs a row a time over tables longer than it holds, and one kernel alone', async () => {
    const { executor, total } = await make();
    const rows = 2500;
    const table = new Uint32Array(rows * 8);
    for (let row = 0; row < rows; row++) table[row * 8] = row % 3;
    executor.run(0, table, 0);
    const factor = Array.from({ length: rows }, (_, row) => row % 3).reduce((a, b) => a + b);
    expect([...(await executor.readF32(total, 6))]).toEqual([1, 2, 3, 4, 5, 6].map((x) => x * factor));
    executor.clear(total, 6);
    executor.run(0, table.subarray(0, 8));
    expect([...(await executor.readF32(total, 6))]).toEqual([1, 2, 3, 4, 5, 6]);
    executor.run(0, table.subarray(0, 8), 1);
    executor.copy(0, total, 6);
    expect([...(await executor.readF32(0, 6))]).toEqual([2, 4, 6, 8, 10, 12]);
    executor.writeU32(1, Uint32Array.of(7, 4294967295));
    expect([...(await executor.readU32(0, 4))]).toEqual([0, 7, 4294967295, 0]);
    executor.dispose();
  });

  it('names the kernel that writes beyond the memory', async () => {
    const form = kernel('astray', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: x,
    })).form;
    for (const device of [simd, oneByOne]) {
      const { kernel: bound, f32Words } = layKernel(form, device, { elements: 8, inputs: {} });
      const stores = bound.stores.map((s) => ({ ...s, offset: 1 << 28 }));
      const executor = await device.createExecutor({
        f32Words,
        u32Words: 0,
        programs: [{ name: 'frame', kernels: [{ ...bound, stores }] }],
      });
      expect(() => executor.run(0, new Uint32Array(8))).toThrow('kernel astray (in frame) was stopped');
    }
  });

  it('ends with its device, and says so when it is used after', async () => {
    const device = cpuDevice();
    const executor = await device.createExecutor({ f32Words: 4, u32Words: 4, programs: [] });
    device.dispose();
    device.dispose();
    executor.dispose();
    expect(() => executor.run(0, new Uint32Array(8))).toThrow('after dispose()');
    await expect(executor.readF32(0, 1)).rejects.toThrow('after dispose()');
  });

  it('refuses more memory than it can address', async () => {
    await expect(simd.createExecutor({ f32Words: 2 ** 31, u32Words: 0, programs: [] })).rejects.toThrow(
      'needs 8.0 GiB',
    );
  });
});
