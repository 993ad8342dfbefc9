import { describe, expect, it } from 'vitest';
import { f64Device } from '../src/devices/f64.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import type { Primitive } from '../src/form/nodes.ts';
import { bitsOfF32, bitsToF32, exp } from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import { currentBuilder, use, wrap } from '../src/language/scalar.ts';
import { f32, i32, u32 } from '../src/language/types.ts';
import { div, rem } from '../src/primitives/arithmetic.ts';
import { shiftLeft, shiftRight } from '../src/primitives/bits.ts';
import { agree, oneByOne, simd } from './support/agree.ts';
import { randomFields } from './support/random.ts';
import { runKernel } from './support/run-kernel.ts';

const { numbers, wholes } = randomFields('operations');
/** Number of elements, not a multiple of the SIMD lanes. */
const COUNT = 103;
const whole = { i32, u32 };

const binary = (type: 'i32' | 'u32', primitive: Primitive, second: 'i32' | 'u32' = type): KernelForm =>
  kernel(
    `${primitive.name}_${type}`,
    { domain: 'points', reads: { x: whole[type], y: whole[second] }, writes: { value: whole[type] } },
    ({ x, y }) => ({ value: wrap<'u32'>(currentBuilder().pure(primitive, use(x), use(y))) }),
  ).form;

describe('integer operations in WebAssembly', () => {
  for (const type of ['i32', 'u32'] as const) {
    it(`div, rem and shifts of ${type} agree with JavaScript`, async () => {
      const x = type === 'i32' ? wholes(COUNT, -1000, 1000) : wholes(COUNT, 0, 2 ** 32);
      const inputs = { x, y: wholes(COUNT, 1, 30) };
      for (const primitive of [div, rem]) await agree(binary(type, primitive), { elements: COUNT, inputs });
      for (const primitive of [shiftLeft, shiftRight])
        await agree(binary(type, primitive, 'u32'), { elements: COUNT, inputs });
    });
  }

  it('division by zero gives 0, and the smallest i32 divided by -1 itself, without a trap', async () => {
    const x = [7, -7, -(2 ** 31), 0, 5];
    const y = [0, 0, -1, 0, 2];
    for (const device of [simd, oneByOne, f64Device()]) {
      const run = (primitive: Primitive) =>
        runKernel(binary('i32', primitive), device, { elements: 5, inputs: { x, y } });
      expect((await run(div))['new value']).toEqual([0, 0, -(2 ** 31), 0, 2]);
      expect((await run(rem))['new value']).toEqual([0, 0, 0, 0, 1]);
    }
  });

  it('the bits of a float are read, and give its negative with the sign bit flipped', async () => {
    const form = kernel('bits', { domain: 'points', reads: { x: f32 }, writes: { word: u32, back: f32 } }, ({ x }) => ({
      word: bitsOfF32(x),
      back: bitsToF32(bitsOfF32(x).xor(0x80000000)),
    })).form;
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

  it('an operation without an instruction is refused by name', async () => {
    const { form } = kernel('e', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
      y: exp(x),
    }));
    await expect(
      runKernel(form, { ...simd, lowers: false }, { elements: 4, inputs: { x: numbers(4) } }),
    ).rejects.toThrowCode({ code: 'kernel/no-instruction', values: ['f32', 'exp'] });
  });
});
