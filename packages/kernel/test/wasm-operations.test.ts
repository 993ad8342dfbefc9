import { describe, expect, it } from 'vitest';
import { f64Device } from '../src/devices/f64.ts';
import type { KernelForm, PureOp, ScalarType } from '../src/language/form.ts';
import { bitsOfF32, bitsToF32 } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { currentBuilder, use, wrap } from '../src/language/scalar.ts';
import { f32, i32, u32 } from '../src/language/types.ts';
import { agree, oneByOne, simd } from './support/agree.ts';
import { randomFields } from './support/random.ts';
import { runKernel } from './support/run-kernel.ts';

const { numbers, wholes } = randomFields('operations');

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
    for (const device of [simd, oneByOne, f64Device()]) {
      const run = (op: PureOp) =>
        runKernel(operation(op, ['i32', 'i32']), device, { elements: 5, inputs: { x, y } });
      expect((await run('div'))['new value']).toEqual([0, 0, -(2 ** 31), 0, 2]);
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
