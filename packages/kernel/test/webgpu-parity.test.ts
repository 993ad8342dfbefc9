import { afterAll, beforeAll, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { adjoint } from '../src/derivatives/adjoint.ts';
import { tangent } from '../src/derivatives/tangent.ts';
import type { Device } from '../src/devices/device.ts';
import { webgpuDevice } from '../src/devices/webgpu/webgpu.ts';
import type { KernelForm } from '../src/form/kernel-form.ts';
import * as fn from '../src/language/functions.ts';
import { kernel } from '../src/language/kernel.ts';
import type { Bool, F32, I32, U32 } from '../src/language/scalar.ts';
import { f32, i32, u32 } from '../src/language/types.ts';
import { evaluatorDevice } from '../src/testing/evaluator.ts';
import { groundForce, newtonRoot, recurrence, springForce, TestLayout } from './sample-kernels.ts';
import { REGISTERS } from './support/registers.ts';
import { describeWithAdapter } from './webgpu-adapter.ts';

/** Number of elements of a test's fields. */
const ELEMENTS = 1000;
const SEED = seedOfRun('webgpu parity');

/** Maximum number of bisections. */
const ROUNDS = 12;

/**
 * Returns whether single precision and doubles take the same branches in the bisection and in the Newton iteration for a square: none of their
 * comparisons is closer than what rounding changes.
 */
function isClear(square: number): boolean {
  const differs = (a: number, b: number): boolean => Math.abs(a - b) > 1e-5 * square;
  for (let [low, high, round] = [0, square, 0]; round < ROUNDS; round++) {
    const middle = (low + high) / 2;
    if (!differs(middle * middle, square)) return false;
    if (middle * middle < square) low = middle;
    else high = middle;
  }
  for (let x = square; ; x = (x + square / x) / 2) {
    if (!differs(x * x - square, square * 1e-3)) return false;
    if (x * x - square <= square * 1e-3) return true;
  }
}

/** A number from 0.5 to 1.5 that {@link isClear}, in single precision. */
function clearSquare(random: () => number): number {
  for (;;) {
    const square = Math.fround(0.5 + random());
    if (isClear(square)) return square;
  }
}

type Inputs = Readonly<Record<string, Float32Array | Uint32Array>>;

/** Runs the forms on a device after `inputs` are written; returns both arenas. */
async function arenasAfter(device: Device, layout: TestLayout, forms: readonly KernelForm[], inputs: Inputs) {
  const kernels = forms.map((form) => layout.bind(form));
  const executor = await device.createExecutor({
    f32Words: layout.f32Words,
    u32Words: layout.u32Words,
    registers: REGISTERS,
    programs: [{ name: 'parity', kernels }],
  });
  for (const [name, values] of Object.entries(inputs)) {
    if (values instanceof Float32Array) executor.writeF32(layout.field(name, 'f32').offset, values);
    else executor.writeU32(layout.field(name, 'u32').offset, values);
  }
  executor.run(0, new Uint32Array(REGISTERS.length));
  const floats = await executor.readF32(0, layout.f32Words);
  const words = await executor.readU32(0, layout.u32Words);
  executor.dispose();
  return { floats, words };
}

/** Returns the unit in the last place of an f32 of that size, at least that of the smallest normal number. */
const ulp = (x: number): number => 2 ** (Math.max(Math.floor(Math.log2(Math.abs(x))), -126) - 23);

interface FloatCase {
  readonly f: (x: F32, y: F32) => F32;
  /** Ranges of the arguments. */
  readonly x: readonly [number, number];
  readonly y?: readonly [number, number];
  /** Returns the maximum absolute error, from the exact result and the arguments. */
  readonly error: (result: number, x: number, y: number) => number;
}
const ulps =
  (count: number) =>
  (result: number): number =>
    count * ulp(result);
/** Tolerance `count` * 2^-23 of the shader's own polynomials: an absolute error, for results of about 1. */
const absolute = (count: number) => (): number => count * 2 ** -23;

// Accuracies that the WGSL specification promises ("Accuracy of Concrete Floating Point Expressions"); for the shader's
// own functions the tighter ones of their polynomials.
const floatCases: Record<string, FloatCase> = {
  add: { f: (x, y) => x.add(y), x: [-9, 9], error: ulps(1) },
  sub: { f: (x, y) => x.sub(y), x: [-9, 9], error: ulps(1) },
  mul: { f: (x, y) => x.mul(y), x: [-9, 9], error: ulps(1) },
  div: { f: (x, y) => x.div(y), x: [-9, 9], error: ulps(3) },
  rem: { f: (x, y) => x.rem(y), x: [-50, 50], y: [-9, 9], error: (_, x) => ulp(x) },
  neg: { f: (x) => x.neg(), x: [-9, 9], error: ulps(0) },
  min: { f: (x, y) => fn.min(x, y), x: [-9, 9], error: ulps(0) },
  max: { f: (x, y) => fn.max(x, y), x: [-9, 9], error: ulps(0) },
  clamp: { f: (x, y) => fn.clamp(x, -1, fn.abs(y)), x: [-9, 9], error: ulps(0) },
  abs: { f: (x) => fn.abs(x), x: [-9, 9], error: ulps(0) },
  sign: { f: (x) => fn.sign(x), x: [-9, 9], error: ulps(0) },
  floor: { f: (x) => fn.floor(x), x: [-9, 9], error: ulps(0) },
  ceil: { f: (x) => fn.ceil(x), x: [-9, 9], error: ulps(0) },
  sqrt: { f: (x) => fn.sqrt(x), x: [0, 99], error: ulps(5) },
  exp: { f: (x) => fn.exp(x), x: [-20, 20], error: (result, x) => (3 + 2 * Math.abs(x)) * ulp(result) },
  log: {
    f: (x) => fn.log(x),
    x: [1e-6, 50],
    error: (result, x) => (x >= 0.5 && x <= 2 ? 2 ** -21 : 3 * ulp(result)),
  },
  sin: { f: (x) => fn.sin(x), x: [-100, 100], error: absolute(2) },
  cos: { f: (x) => fn.cos(x), x: [-100, 100], error: absolute(2) },
  tan: {
    f: (x) => fn.tan(x),
    x: [-1.5, 1.5],
    error: (result) => 8 * ulp(result) + 2 ** -22 * result * result,
  },
  asin: { f: (x) => fn.asin(x), x: [-1, 1], error: absolute(4) },
  acos: { f: (x) => fn.acos(x), x: [-1, 1], error: absolute(6) },
  atan: { f: (x) => fn.atan(x), x: [-20, 20], error: absolute(4) },
  atan2: { f: (x, y) => fn.atan2(x, y), x: [-9, 9], error: absolute(6) },
  tanh: { f: (x) => fn.tanh(x), x: [-12, 12], error: absolute(4) },
  pow: {
    f: (x, y) => fn.pow(x, y),
    x: [0, 20],
    y: [-3, 3],
    // exp2(y log2(x)): the error of log2 times y, and that of exp2.
    error: (result, x, y) => {
      if (x === 0) return 0;
      const log = x >= 0.5 && x <= 2 ? 2 ** -21 : 3 * ulp(Math.log2(x));
      return result * Math.abs(y) * log + (4 + 2 * Math.abs(y * Math.log2(x))) * ulp(result);
    },
  },
  select: { f: (x, y) => fn.select(x.lt(y), x, y.mul(2)), x: [-9, 9], error: ulps(0) },
};

/** Edge values at which an operation may be unsafe, placed before the random ones. */
const EDGES: Record<string, readonly (readonly [number, number])[]> = {
  sign: [[0, 0]],
  sqrt: [[0, 0]],
  tanh: [
    [0, 0],
    [1e-4, 0],
    [1e4, 0],
    [-1e4, 0],
    [88, 0],
    [-89, 0],
  ],
  atan2: [
    [0, 0],
    [0, -1],
    [1, 0],
    [-1, 0],
    [0, 1],
  ],
  pow: [
    [0, 0],
    [0, 2],
    [5, 0],
    [1, 3],
  ],
  asin: [
    [1, 0],
    [-1, 0],
    [0, 0],
  ],
  acos: [
    [1, 0],
    [-1, 0],
    [0, 0],
  ],
  sin: [
    [0, 0],
    [1e4, 0],
  ],
  rem: [
    [6, 3],
    [-6, 3],
    [1, -1],
  ],
};

const comparisons: Record<string, (x: F32, y: F32) => Bool> = {
  eq: (x, y) => x.eq(y),
  ne: (x, y) => x.ne(y),
  lt: (x, y) => x.lt(y),
  le: (x, y) => x.le(y),
  gt: (x, y) => x.gt(y),
  ge: (x, y) => x.ge(y),
  and: (x, y) => x.gt(0).and(y.gt(0)),
  or: (x, y) => x.gt(0).or(y.gt(0)),
  xor: (x, y) => x.gt(0).xor(y.gt(0)),
  not: (x) => x.gt(0).not(),
  select: (x, y) => fn.select(x.gt(0), x.lt(y), x.gt(y)),
};

const signed: Record<string, (x: I32, y: I32) => I32> = {
  add: (x, y) => x.add(y) as I32,
  sub: (x, y) => x.sub(y) as I32,
  mul: (x, y) => x.mul(y) as I32,
  div: (x, y) => x.div(y) as I32,
  rem: (x, y) => x.rem(y) as I32,
  divByConstant: (x) => x.div(-7) as I32,
  neg: (x) => x.neg() as I32,
  min: (x, y) => fn.min(x, y),
  max: (x, y) => fn.max(x, y),
  and: (x, y) => x.and(y) as I32,
  or: (x, y) => x.or(y) as I32,
  xor: (x, y) => x.xor(y) as I32,
  not: (x) => x.not() as I32,
  shiftLeft: (x, y) => x.shiftLeft(y.toU32()) as I32,
  shiftRight: (x, y) => x.shiftRight(y.toU32()) as I32,
  shiftByConstant: (x) => x.shiftRight(3) as I32,
  select: (x, y) => fn.select(x.lt(y), x, y),
  lowest: (x) => x.xor(-(2 ** 31)) as I32,
};

const unsigned: Record<string, (x: U32, y: U32) => U32> = {
  add: (x, y) => x.add(y) as U32,
  sub: (x, y) => x.sub(y) as U32,
  mul: (x, y) => x.mul(y) as U32,
  div: (x, y) => x.div(y) as U32,
  rem: (x, y) => x.rem(y) as U32,
  neg: (x) => x.neg() as U32,
  min: (x, y) => fn.min(x, y),
  max: (x, y) => fn.max(x, y),
  and: (x, y) => x.and(y) as U32,
  or: (x, y) => x.or(y) as U32,
  xor: (x, y) => x.xor(y) as U32,
  not: (x) => x.not() as U32,
  shiftLeft: (x, y) => x.shiftLeft(y) as U32,
  shiftRight: (x, y) => x.shiftRight(y) as U32,
  trailing: (x) => fn.countTrailingZeros(x),
  comparison: (x, y) => x.ge(y).toU32(),
  toI32: (x) => x.toI32().toU32(),
};

describeWithAdapter('webgpu against doubles', () => {
  const oracle = evaluatorDevice();
  let gpu: Device;
  beforeAll(async () => {
    gpu = await webgpuDevice({ allowSoftware: true });
    console.info(`webgpu parity: on ${gpu.description}`);
  });
  afterAll(() => gpu?.dispose());

  it.each(Object.keys(floatCases))('f32 %s keeps its declared accuracy on webgpu', async (name) => {
    const {
      f,
      x: [xLow, xHigh],
      y = floatCases[name].x,
      error,
    } = floatCases[name];
    const random = randomNumbers(SEED);
    const edges = EDGES[name] ?? [];
    const values = (of: 0 | 1, low: number, high: number): Float32Array =>
      Float32Array.from({ length: ELEMENTS }, (_, k) =>
        k < edges.length ? edges[k][of] : low + (high - low) * random(),
      );
    const inputs = { x: values(0, xLow, xHigh), y: values(1, y[0], y[1]) };
    const layout = new TestLayout(ELEMENTS);
    const { form } = kernel(name, { domain: 'd', reads: { x: f32, y: f32 }, writes: { z: f32 } }, (fields) => ({
      z: f(fields.x, fields.y),
    }));
    const at = ['x', 'y', 'z'].map((field) => layout.field(field, 'f32').offset)[2];
    const [expected, got] = [
      await arenasAfter(oracle, layout, [form], inputs),
      await arenasAfter(gpu, layout, [form], inputs),
    ];
    for (let k = 0; k < ELEMENTS; k++) {
      const [wanted, result] = [expected.floats[at + k], got.floats[at + k]];
      const allowed = error(wanted, inputs.x[k], inputs.y[k]) + 2 ** -126;
      // The rounding of the exact result to f32 is no error of the device.
      expect(
        Math.abs(result - Math.fround(wanted)),
        `${name}(${inputs.x[k]}, ${inputs.y[k]}) = ${wanted}, not ${result}`,
      ).toBeLessThanOrEqual(allowed);
    }
  });

  it('comparisons and logic agree between webgpu and JavaScript', async () => {
    const random = randomNumbers(SEED);
    const steps = (): Float32Array => Float32Array.from({ length: ELEMENTS }, () => Math.round(6 * random() - 3));
    const layout = new TestLayout(ELEMENTS);
    const forms = Object.entries(comparisons).map(
      ([name, f]) =>
        kernel(name, { domain: 'd', reads: { x: f32, y: f32 }, writes: { [name]: f32 } }, ({ x, y }) => ({
          [name]: f(x, y).toF32(),
        })).form,
    );
    await expectSameWords(layout, forms, { x: steps(), y: steps() }, 'f32', Object.keys(comparisons));
  });

  it('i32 operations agree between webgpu and JavaScript, division by zero included', async () => {
    const random = randomNumbers(SEED);
    const numbers = (spread: number): Uint32Array =>
      new Uint32Array(Int32Array.from({ length: ELEMENTS }, () => Math.round(spread * (random() - 0.5))).buffer);
    const layout = new TestLayout(ELEMENTS);
    const forms = Object.entries(signed).map(
      ([name, f]) =>
        kernel(name, { domain: 'd', reads: { x: i32, y: i32 }, writes: { [name]: i32 } }, ({ x, y }) => ({
          [name]: f(x, y),
        })).form,
    );
    await expectSameWords(layout, forms, { x: numbers(2 ** 32 - 2), y: numbers(80) }, 'i32', Object.keys(signed));
  });

  it('u32 operations agree between webgpu and JavaScript, division by zero included', async () => {
    const random = randomNumbers(SEED);
    const numbers = (spread: number): Uint32Array =>
      Uint32Array.from({ length: ELEMENTS }, () => Math.floor(spread * random()));
    const layout = new TestLayout(ELEMENTS);
    const forms = Object.entries(unsigned).map(
      ([name, f]) =>
        kernel(name, { domain: 'd', reads: { x: u32, y: u32 }, writes: { [name]: u32 } }, ({ x, y }) => ({
          [name]: f(x, y),
        })).form,
    );
    const x = numbers(2 ** 32);
    x[0] = 0;
    await expectSameWords(layout, forms, { x, y: numbers(40) }, 'u32', Object.keys(unsigned));
  });

  it('conversions agree between webgpu and JavaScript, bit casts keep all bits', async () => {
    const random = randomNumbers(SEED);
    const x = Float32Array.from({ length: ELEMENTS }, () => 2e4 * (random() - 0.5));
    const layout = new TestLayout(ELEMENTS);
    const whole = kernel('whole', { domain: 'd', reads: { x: f32 }, writes: { whole: i32, back: f32 } }, (fields) => ({
      whole: fields.x.toI32(),
      back: fn.abs(fields.x).toU32().toF32(),
    })).form;
    await expectSameWords(layout, [whole], { x }, 'i32', ['whole']);
    const bits = kernel('bits', { domain: 'd', reads: { x: f32 }, writes: { bits: u32, same: f32 } }, (fields) => ({
      bits: fn.bitsOfF32(fields.x),
      same: fn.bitsToF32(fn.bitsOfF32(fields.x)),
    })).form;
    const bitsLayout = new TestLayout(ELEMENTS);
    bitsLayout.bind(bits);
    const { floats, words } = await arenasAfter(gpu, bitsLayout, [bits], { x });
    expect(words.slice(0, ELEMENTS)).toEqual(new Uint32Array(x.buffer));
    expect(floats.slice(bitsLayout.field('same', 'f32').offset)).toEqual(x);
  });

  async function expectSameWords(
    layout: TestLayout,
    forms: KernelForm[],
    inputs: Inputs,
    scalar: 'f32' | 'i32' | 'u32',
    names: readonly string[],
  ): Promise<void> {
    for (const form of forms) layout.bind(form);
    const [expected, got] = [
      await arenasAfter(oracle, layout, forms, inputs),
      await arenasAfter(gpu, layout, forms, inputs),
    ];
    for (const name of names) {
      const { offset } = layout.field(name, scalar);
      const part = (arenas: typeof got): number[] =>
        Array.from((scalar === 'f32' ? arenas.floats : arenas.words).slice(offset, offset + ELEMENTS));
      expect(part(got), name).toEqual(part(expected));
    }
  }

  const forms: Record<string, KernelForm> = {
    'a gather': springForce.form,
    'loops and branches': newtonRoot.form,
    'a branch': groundForce.form,
    'local arrays': recurrence.form,
    'the tangent of local arrays': tangent(recurrence.form, { wrt: new Set(['square']) }),
    'the adjoint of local arrays': adjoint(recurrence.form, {
      wrt: new Set(['square']),
      seeds: new Set(['value']),
    }),
    'the tangent of a gather': tangent(springForce.form, {
      wrt: new Set(['position', 'velocity', 'stiffness']),
    }),
    'the tangent of loops': tangent(newtonRoot.form, { wrt: new Set(['square']) }),
    'the tangent of a branch': tangent(groundForce.form, { wrt: new Set(['position', 'velocity']) }),
    'the adjoint of a gather': adjoint(springForce.form, {
      wrt: new Set(['stiffness', 'damping', 'restLength']),
      seeds: new Set(['pull']),
    }),
    'the adjoint of loops': adjoint(newtonRoot.form, {
      wrt: new Set(['square']),
      seeds: new Set(['squareRoot', 'root']),
    }),
    'the adjoint of a branch': adjoint(groundForce.form, {
      wrt: new Set(['position', 'velocity']),
      seeds: new Set(['force']),
    }),
  };
  it.each(Object.keys(forms))('%s agrees between webgpu and doubles to 1e-5 of its largest value', async (name) => {
    const form = forms[name];
    const random = randomNumbers(SEED);
    const layout = new TestLayout(ELEMENTS);
    const kernels = layout.bind(form);
    expect(kernels.stores.length).toBeGreaterThan(0);
    const inputs: Record<string, Float32Array | Uint32Array> = {};
    for (const port of form.ports.filter((p) => p.access === 'read')) {
      const kind = { primal: '', adjoint: '_bar', tangent: '_dot' }[port.kind];
      layout.of(port);
      const length = port.components * ELEMENTS;
      const isPositive = ['stiffness', 'damping', 'restLength'].includes(port.name);
      inputs[port.name + kind] =
        port.scalar === 'f32'
          ? Float32Array.from({ length }, () => {
              if (port.name === 'square' && kind === '') return clearSquare(random);
              return isPositive ? 0.5 + random() : 2 * random() - 1;
            })
          : Uint32Array.from({ length }, (_, k) =>
              // The two ends of a spring differ: even and odd.
              port.target
                ? 2 * Math.floor((random() * ELEMENTS) / 2) + Math.floor(k / ELEMENTS)
                : Math.floor(random() * ROUNDS),
            );
    }
    const [expected, got] = [
      await arenasAfter(oracle, layout, [form], inputs),
      await arenasAfter(gpu, layout, [form], inputs),
    ];
    expect(got.words).toEqual(expected.words);
    for (const { buffer, offset, label } of kernels.stores.filter((store) => store.buffer === 'f32')) {
      const wanted = Array.from(expected.floats.slice(offset, offset + ELEMENTS));
      const scale = Math.max(...wanted.map(Math.abs), 1e-30);
      const worst = Math.max(...wanted.map((w, k) => Math.abs(got.floats[offset + k] - w)));
      expect(worst / scale, `${buffer} ${label}`).toBeLessThan(1e-5);
    }
  });
});
