import type { Bool, F32, I32, Mat22, U32, Value, Vec2, Vec3, Vec4 } from '@gradsim/core';
import * as core from '@gradsim/core';
import type { FloatType, Type } from './program.ts';

/**
 * An operation of the kernel language, whose arguments are first mapped to where it is smooth and its result moderate.
 */
export interface Operation {
  readonly args: readonly Type[];
  readonly result: Type;
  /** Parts of the language that it uses: names of exported functions, and of methods as `Class.method`. */
  readonly uses: readonly string[];
  /**
   * True if its arguments must not depend on parameters: it has jumps, so finite differences would not be zero although
   * it has no derivative.
   */
  readonly isForConstants?: boolean;
  /** True for the form of an operation in even programs, with its kink or zero where values are 0. */
  readonly isAtZero?: boolean;
  readonly build: (...args: never[]) => Value;
}

const table: Record<string, Operation> = {};
function operation(
  name: string,
  args: readonly Type[],
  result: Type,
  uses: readonly string[],
  build: (...args: never[]) => Value,
  isForConstants = false,
): void {
  table[name] = { args, result, uses, build, isForConstants };
}

/** Maps a value smoothly to between -1 and 1. */
const soft = (x: F32): F32 => core.tanh(x);
/** Maps a value smoothly to at least `least`. */
const above = (x: F32, least: number): F32 => x.mul(x).mul(0.6).add(least);

const { f32, u32, i32 } = core;

// Functions of floats. What jumps or has a kink has it away from 0, where values that die out lie.
const unary: Record<string, (x: F32) => F32> = {
  abs: (x) => core.abs(x.sub(0.19)),
  acos: (x) => core.acos(soft(x).mul(0.9)),
  asin: (x) => core.asin(soft(x).mul(0.9)),
  atan: (x) => core.atan(x),
  ceil: (x) => core.ceil(x.mul(2.3).sub(0.41)),
  cos: (x) => core.cos(x),
  cosh: (x) => core.cosh(soft(x)),
  erf: (x) => core.erf(x),
  exp: (x) => core.exp(soft(x)),
  expm1: (x) => core.expm1(soft(x)),
  floor: (x) => core.floor(x.mul(1.7).add(0.37)),
  log: (x) => core.log(above(x, 0.3)),
  log1p: (x) => core.log1p(above(x, -0.5)),
  sigmoid: (x) => core.sigmoid(x.mul(3)),
  sign: (x) => core.sign(x.add(0.23)),
  sin: (x) => core.sin(x),
  sinh: (x) => core.sinh(soft(x)),
  sqrt: (x) => core.sqrt(above(x, 0.1)),
  tan: (x) => core.tan(soft(x)),
  tanh: (x) => core.tanh(x),
  clamp: (x) => core.clamp(x, -0.6, 0.7),
};
for (const [name, f] of Object.entries(unary)) operation(name, ['f32'], 'f32', [name], f);
operation('atan2', ['f32', 'f32'], 'f32', ['atan2'], (y: F32, x: F32) => core.atan2(y, x.add(1.3)));
operation('pow', ['f32', 'f32'], 'f32', ['pow'], (x: F32, p: F32) => core.pow(above(x, 0.2), soft(p).mul(2.5)));
operation('min', ['f32', 'f32'], 'f32', ['min'], (a: F32, b: F32) => core.min(a, b));
operation('max', ['f32', 'f32'], 'f32', ['max'], (a: F32, b: F32) => core.max(a, b));
operation('detach', ['f32'], 'f32', ['detach'], (x: F32) => core.detach(x), true);
operation('bits', ['f32'], 'f32', ['bitsOfF32', 'bitsToF32'], (x: F32) => core.bitsToF32(core.bitsOfF32(x)), true);
operation(
  'addCompensated',
  ['f32', 'f32', 'f32'],
  'f32',
  ['addCompensated'],
  (sum: F32, _: F32, increment: F32) => core.addCompensated(sum, f32(0), increment).sum,
);
operation('carry', ['f32', 'f32'], 'f32', ['addCompensated', 'rounded'], (sum: F32, increment: F32) => {
  const first = core.addCompensated(sum, f32(0), increment);
  return core.addCompensated(core.rounded(first.sum), first.compensation, increment).sum;
});

// Methods of floats.
operation('f32.add', ['f32', 'f32'], 'f32', ['Scalar.add'], (a: F32, b: F32) => a.add(b));
operation('f32.sub', ['f32', 'f32'], 'f32', ['Scalar.sub'], (a: F32, b: F32) => a.sub(b));
operation('f32.mul', ['f32', 'f32'], 'f32', ['Scalar.mul'], (a: F32, b: F32) => a.mul(b));
operation('f32.div', ['f32', 'f32'], 'f32', ['Scalar.div'], (a: F32, b: F32) => a.div(above(b, 0.4)));
// What is moderate ends at 1, which in single precision may be a multiple of 0.5.
operation('f32.rem', ['f32', 'f32'], 'f32', ['Scalar.rem'], (a: F32, b: F32) => a.rem(above(b, 0.53)));
operation('f32.neg', ['f32'], 'f32', ['Scalar.neg'], (a: F32) => a.neg());
operation('f32.mulConstant', ['f32'], 'f32', ['Scalar.mul', 'f32'], (a: F32) => a.mul(f32(-1)));
operation('f32.addNeg', ['f32', 'f32'], 'f32', ['Scalar.add', 'Scalar.neg'], (a: F32, b: F32) => a.neg().add(b.neg()));
operation('f32.mulNeg', ['f32', 'f32'], 'f32', ['Scalar.mul', 'Scalar.neg'], (a: F32, b: F32) =>
  a.neg().mul(b).div(f32(-2)),
);

// Whole numbers. Divisors are odd and at most 7.
const divisor = (y: U32): U32 => y.and(7).or(1);
for (const type of ['u32', 'i32'] as const) {
  const add = (name: string, uses: string, f: (a: U32, b: U32) => U32): void =>
    operation(`${type}.${name}`, [type, type], type, [uses], f);
  add('add', 'Scalar.add', (a, b) => a.add(b));
  add('sub', 'Scalar.sub', (a, b) => a.sub(b));
  add('mul', 'Scalar.mul', (a, b) => a.mul(b));
  add('div', 'Scalar.div', (a, b) => a.div(divisor(b)));
  add('rem', 'Scalar.rem', (a, b) => a.rem(divisor(b)));
  add('and', 'Scalar.and', (a, b) => a.and(b));
  add('or', 'Scalar.or', (a, b) => a.or(b));
  add('xor', 'Scalar.xor', (a, b) => a.xor(b));
  add('min', 'min', (a, b) => core.min(a, b));
  add('max', 'max', (a, b) => core.max(a, b));
  operation(`${type}.not`, [type], type, ['Scalar.not'], (a: U32) => a.not());
  operation(`${type}.shiftLeft`, [type, 'u32'], type, ['Scalar.shiftLeft'], (a: U32, n: U32) => a.shiftLeft(n.and(7)));
  operation(`${type}.shiftRight`, [type, 'u32'], type, ['Scalar.shiftRight'], (a: U32, n: U32) =>
    a.shiftRight(n.and(7)),
  );
  operation(`${type}.select`, ['bool', type, type], type, ['select'], (c: Bool, a: U32, b: U32) =>
    core.select(c, a, b),
  );
}
operation('i32.neg', ['i32'], 'i32', ['Scalar.neg'], (a: I32) => a.neg());
operation('i32.abs', ['i32'], 'i32', ['abs', 'i32'], (a: I32) => core.abs(a.add(i32(3))));
operation('countTrailingZeros', ['u32'], 'u32', ['countTrailingZeros', 'u32'], (a: U32) =>
  core.countTrailingZeros(a.add(u32(0))),
);
operation('u32.toI32', ['u32'], 'i32', ['Scalar.toI32'], (a: U32) => a.toI32());
operation('i32.toU32', ['i32'], 'u32', ['Scalar.toU32'], (a: I32) => a.toU32());
operation('f32.toU32', ['f32'], 'u32', ['Scalar.toU32'], (x: F32) => core.abs(soft(x)).mul(8.7).toU32());
operation('f32.toI32', ['f32'], 'i32', ['Scalar.toI32'], (x: F32) => soft(x).mul(8.7).toI32());
operation('u32.toF32', ['u32'], 'f32', ['Scalar.toF32'], (a: U32) => a.rem(11).toF32().mul(0.17));
operation('i32.toF32', ['i32'], 'f32', ['Scalar.toF32'], (a: I32) => a.rem(11).toF32().mul(0.17));

/** Rounds a float to one of few numbers, so that whether two are equal does not depend on rounding errors. */
const step = (x: F32): F32 => core.floor(x.mul(1.7).add(0.37));

// Conditions. Floats that come to be almost equal are held apart.
for (const type of ['f32', 'u32', 'i32'] as const) {
  for (const comparison of ['lt', 'le', 'gt', 'ge'] as const) {
    operation(`${type}.${comparison}`, [type, type], 'bool', [`Scalar.${comparison}`], (a: F32, b: F32) =>
      a[comparison](type === 'f32' ? b.mul(0.8).add(0.11) : b),
    );
  }
  for (const comparison of ['eq', 'ne'] as const) {
    operation(`${type}.${comparison}`, [type, type], 'bool', [`Scalar.${comparison}`], (a: F32, b: F32) =>
      type === 'f32' ? step(a)[comparison](step(b)) : a[comparison](b),
    );
  }
}
operation('bool.and', ['bool', 'bool'], 'bool', ['Scalar.and'], (a: Bool, b: Bool) => a.and(b));
operation('bool.or', ['bool', 'bool'], 'bool', ['Scalar.or'], (a: Bool, b: Bool) => a.or(b));
operation('bool.xor', ['bool', 'bool'], 'bool', ['Scalar.xor'], (a: Bool, b: Bool) => a.xor(b));
operation('bool.not', ['bool'], 'bool', ['Scalar.not'], (a: Bool) => a.not());

// Vectors.
const vectors = { vec2: core.vec2, vec3: core.vec3, vec4: core.vec4 } as const;
// One size stands for all in the types below.
type V = Vec2;
type M = Mat22;
/** Names of the components of a vector type. */
const parts = (type: string): ('x' | 'y' | 'z' | 'w')[] =>
  (['x', 'y', 'z', 'w'] as const).slice(0, Number(type.slice(3)));
for (const [type, construct] of Object.entries(vectors) as ['vec2' | 'vec3' | 'vec4', (...parts: F32[]) => V][]) {
  const size = parts(type).length;
  // From the zero vector, where directions are those of rounding.
  const away = (): V => construct(...parts(type).map((_, k) => f32(0.5 + 0.1 * k)));
  const binary = (name: string, uses: string[], f: (a: V, b: V) => Value): void =>
    operation(`${type}.${name}`, [type, type], type, uses, f);
  operation(type, Array<Type>(size).fill('f32'), type, [type], (...components: F32[]) => construct(...components));
  binary('add', ['Vec.add'], (a, b) => a.add(b));
  binary('sub', ['Vec.sub'], (a, b) => a.sub(b));
  binary('mul', ['Vec.mul'], (a, b) => a.mul(b));
  operation(`${type}.div`, [type, 'f32'], type, ['Vec.div'], (a: V, b: F32) => a.div(above(b, 0.5)));
  operation(`${type}.scale`, [type, 'f32'], type, ['Vec.mul'], (a: V, b: F32) => a.mul(b));
  operation(`${type}.neg`, [type], type, ['Vec.neg'], (a: V) => a.neg());
  operation(`${type}.dot`, [type, type], 'f32', ['dot'], (a: V, b: V) => core.dot(a, b));
  operation(`${type}.norm`, [type], 'f32', ['norm'], (a: V) => core.norm(a.add(away())));
  operation(`${type}.normalize`, [type], type, ['normalize'], (a: V) => core.normalize(a.add(away())));
  operation(`${type}.soft`, [type], type, ['Vec', 'tanh'], (a: V) => new core.Vec(a.components.map(soft)));
  operation(`${type}.select`, ['bool', type, type], type, ['select'], (c: Bool, a: V, b: V) => core.select<V>(c, a, b));
  for (const part of parts(type)) operation(`${type}.${part}`, [type], 'f32', [`Vec.${part}`], (a: Vec4) => a[part]);
}
operation('cross', ['vec3', 'vec3'], 'vec3', ['cross'], (a: Vec3, b: Vec3) => core.cross(a, b));

// Matrices.
const matrices = { mat22: core.mat22, mat33: core.mat33 } as const;
for (const [type, vector, size] of [
  ['mat22', 'vec2', 2],
  ['mat33', 'vec3', 3],
] as const) {
  const unit = (): M => core.identity(size) as M;
  const binary = (name: string, f: (a: M, b: M) => Value): void =>
    operation(`${type}.${name}`, [type, type], type, [`Mat.${name}`], f);
  const fromVectors = Array<Type>(size).fill(vector);
  const construct = matrices[type];
  operation(type, ['f32', vector], type, [type, 'Mat'], (x: F32, v: V) =>
    construct(
      ...Array.from({ length: size * size }, (_, k) =>
        v.components[k % size].mul(1 - 0.25 * k).add(x.mul((k * k) % 5)),
      ),
    ),
  );
  operation(`${type}.fromRows`, fromVectors, type, ['matFromRows'], (...rows: V[]) => core.matFromRows(rows));
  operation(`${type}.fromColumns`, fromVectors, type, ['matFromColumns'], (...columns: V[]) =>
    core.matFromColumns(columns),
  );
  binary('add', (a, b) => a.add(b));
  binary('sub', (a, b) => a.sub(b));
  binary('mul', (a, b) => a.mul(b));
  operation(`${type}.neg`, [type], type, ['Mat.neg'], (a: M) => a.neg());
  operation(`${type}.scale`, [type, 'f32'], type, ['Mat.mul'], (a: M, x: F32) => a.mul(x));
  operation(`${type}.apply`, [type, vector], vector, ['Mat.mul'], (a: M, v: V) => a.mul(v));
  operation(`${type}.transpose`, [type], type, ['transpose'], (a: M) => core.transpose(a));
  operation(`${type}.trace`, [type], 'f32', ['traceOf'], (a: M) => core.traceOf(a));
  operation(`${type}.determinant`, [type], 'f32', ['determinant'], (a: M) => core.determinant(softMatrix(a)));
  operation(`${type}.inverse`, [type], type, ['inverse', 'identity'], (a: M) =>
    core.inverse(softMatrix(a).mul(0.15).add(unit())),
  );
  operation(`${type}.outer`, [vector, vector], type, ['outer'], (a: V, b: V) => core.outer(a, b));
  operation(`${type}.row`, [type], vector, ['Mat.row'], (a: M) => a.row(size - 1));
  operation(`${type}.column`, [type], vector, ['Mat.column'], (a: M) => a.column(0));
  operation(`${type}.entry`, [type], 'f32', ['Mat.entry'], (a: M) => a.entry(1, 0));
  operation(`${type}.soft`, [type], type, ['Mat', 'tanh'], (a: M) => softMatrix(a));
  operation(`${type}.select`, ['bool', type, type], type, ['select'], (c: Bool, a: M, b: M) =>
    core.select<Value>(c, a, b),
  );
  function softMatrix(a: M): M {
    return new core.Mat(size, a.entries.map(soft)) as M;
  }
}

// Quaternions.
const { quat } = core;
type Q = InstanceType<typeof core.Quat>;
operation('quat', ['f32', 'vec3'], 'quat', ['quat'], (w: F32, v: Vec3) => quat(v.x, v.y, v.z, w));
operation('quat.add', ['quat', 'quat'], 'quat', ['Quat.add'], (a: Q, b: Q) => a.add(b));
operation('quat.mul', ['quat', 'quat'], 'quat', ['Quat.mul'], (a: Q, b: Q) => a.mul(b));
operation('quat.scale', ['quat', 'f32'], 'quat', ['Quat.scale'], (a: Q, x: F32) => a.scale(x));
operation('quat.conjugate', ['quat'], 'quat', ['Quat.conjugate'], (a: Q) => a.conjugate());
operation('quat.vector', ['quat'], 'vec3', ['Quat.vector'], (a: Q) => a.vector);
operation('quat.w', ['quat'], 'f32', ['Quat.w'], (a: Q) => a.w);
operation('quat.normalize', ['quat'], 'quat', ['normalize'], (a: Q) => core.normalize(a.add(quat(0.2, 0.1, 0.4, 0.7))));
operation('quat.soft', ['quat'], 'quat', ['Quat', 'tanh'], (a: Q) => new core.Quat(a.components.map(soft)));
operation('quat.select', ['bool', 'quat', 'quat'], 'quat', ['select'], (c: Bool, a: Q, b: Q) =>
  core.select<Value>(c, a, b),
);
operation('rotate', ['quat', 'vec3'], 'vec3', ['rotate'], (q: Q, v: Vec3) => core.rotate(q, v));
operation('rotateInverse', ['quat', 'vec3'], 'vec3', ['rotateInverse'], (q: Q, v: Vec3) => core.rotateInverse(q, v));
operation('f32.soft', ['f32'], 'f32', ['tanh'], soft);
operation('f32.select', ['bool', 'f32', 'f32'], 'f32', ['select'], (c: Bool, a: F32, b: F32) => core.select(c, a, b));

/** Suffix of the names of operations that have their kink or zero where values are 0. */
export const AT_ZERO = ' at 0';
const atZero: Readonly<Record<string, (x: never) => Value>> = {
  abs: (x: F32) => core.abs(x),
  clamp: (x: F32) => core.clamp(x, 0, 1),
  sqrt: (x: F32) => core.sqrt(above(x, 0)),
  ...Object.fromEntries(
    Object.keys(vectors).flatMap((type) => [
      [`${type}.norm`, (a: V) => core.norm(a)],
      [`${type}.normalize`, (a: V) => core.normalize(a)],
    ]),
  ),
};
for (const [name, build] of Object.entries(atZero))
  table[name + AT_ZERO] = { ...table[name], isAtZero: true, build: build as (...args: never[]) => Value };

export const OPERATIONS: Readonly<Record<string, Operation>> = table;

/** Name of the operation that maps a value of a type to moderate size. */
export const softOf = (type: FloatType): string => `${type}.soft`;
