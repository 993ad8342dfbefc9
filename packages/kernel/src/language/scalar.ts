import { GradsimError } from '@gradsim/base';
import type { Block, Node, Primitive } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';
import { nodeName } from '../form/walk.ts';
import * as primitives from '../primitives/index.ts';
import type { Builder } from './builder.ts';

/** Kernel being traced. Tracing is synchronous, so one variable is enough. */
let currentTrace: Builder | null = null;

/** Key of a global counter of kernels being traced, which all loaded copies of this package share. */
const TRACE_COUNTER_KEY = Symbol.for('@gradsim/kernel: traces');
const sharedCounter = globalThis as unknown as Record<typeof TRACE_COUNTER_KEY, number>;

/** Runs `body` with `builder` as the kernel being traced. */
export function trace<T>(builder: Builder, body: () => T): T {
  const outer = currentTrace;
  currentTrace = builder;
  sharedCounter[TRACE_COUNTER_KEY] = (sharedCounter[TRACE_COUNTER_KEY] ?? 0) + 1;
  try {
    return body();
  } finally {
    currentTrace = outer;
    sharedCounter[TRACE_COUNTER_KEY]--;
  }
}

/** Returns the builder of the kernel being traced; throws outside of a kernel function. */
export function currentBuilder(): Builder {
  if (currentTrace) return currentTrace;
  throw new GradsimError(
    'kernel/traced-outside-kernel',
    sharedCounter[TRACE_COUNTER_KEY] > 0
      ? 'A traced operation of one copy of @gradsim/kernel was used in a kernel of another. Install one version of all that `npm ls @gradsim/core @gradsim/kernel` shows.'
      : 'A traced operation was used outside of a kernel function.',
  );
}

/** A traced scalar, or a plain number, which becomes a constant of the required type. */
export type Operand<T extends ScalarType = 'f32'> = Scalar<T> | (T extends 'bool' ? never : number);

/**
 * A traced scalar: a value that the kernel will compute, not a JavaScript number.
 *
 * Arithmetic is by methods (`a.mul(b)`); comparisons return a `Bool` for {@link select} or `when`. Using it as a
 * JavaScript number or string throws; TypeScript and the tracer catch conditions such as `if (a.gt(0))`.
 */
export class Scalar<T extends ScalarType = ScalarType> {
  declare readonly scalarType: T;
  readonly node: Node;
  /** Branch, loop or kernel function in which the value was made. Its node may lie farther out: code that does not change within. */
  readonly scope: Block;

  constructor(node: Node) {
    this.node = node;
    this.scope = currentTrace?.current ?? node.block;
  }

  #binary(op: Primitive, other: Operand<T>): Scalar<T> {
    return wrap(currentBuilder().pure(op, use(this), lift(other, typeOf(this))));
  }
  #compare(op: Primitive, other: Operand<T>): Bool {
    return comparison(currentBuilder().pure(op, use(this), lift(other, typeOf(this))));
  }

  add(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.add, other);
  }
  sub(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.sub, other);
  }
  mul(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.mul, other);
  }
  /** Quotient; for integers, rounded toward zero. */
  div(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.div, other);
  }
  /** Remainder of {@link div}, with the sign of the dividend. */
  rem(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.rem, other);
  }
  neg(): Scalar<T> {
    return wrap(currentBuilder().pure(primitives.neg, use(this)));
  }
  lt(other: Operand<T>): Bool {
    return this.#compare(primitives.lt, other);
  }
  le(other: Operand<T>): Bool {
    return this.#compare(primitives.le, other);
  }
  gt(other: Operand<T>): Bool {
    return this.#compare(primitives.gt, other);
  }
  ge(other: Operand<T>): Bool {
    return this.#compare(primitives.ge, other);
  }
  eq(other: Operand<T>): Bool {
    return this.#compare(primitives.eq, other);
  }
  ne(other: Operand<T>): Bool {
    return this.#compare(primitives.ne, other);
  }
  /** Logical and (Bool), bitwise and (integers). */
  and(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.and, other);
  }
  or(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.or, other);
  }
  xor(other: Operand<T>): Scalar<T> {
    return this.#binary(primitives.xor, other);
  }
  not(): Scalar<T> {
    return wrap(currentBuilder().pure(primitives.not, use(this)));
  }
  /** Shift by `bits` (0 to 31); integers only. */
  shiftLeft(bits: Operand<'u32'>): Scalar<T> {
    return wrap(currentBuilder().pure(primitives.shiftLeft, use(this), lift(bits, 'u32')));
  }
  shiftRight(bits: Operand<'u32'>): Scalar<T> {
    return wrap(currentBuilder().pure(primitives.shiftRight, use(this), lift(bits, 'u32')));
  }
  toF32(): F32 {
    return wrap(currentBuilder().pure(primitives.toF32, use(this)));
  }
  /** Converts to i32; truncates. */
  toI32(): I32 {
    return wrap(currentBuilder().pure(primitives.toI32, use(this)));
  }
  toU32(): U32 {
    return wrap(currentBuilder().pure(primitives.toU32, use(this)));
  }

  /** Value of element `index`, of a field that the kernel reads at its own element. @throws for any other value. */
  at(_index: Operand<'u32'>): Scalar<T> {
    return refuseAt();
  }

  [Symbol.toPrimitive](): never {
    const name = currentTrace ? `kernel ${currentTrace.kernelName}` : 'a kernel';
    throw new GradsimError(
      'kernel/traced-as-plain',
      `A traced value was used as a JavaScript number, string or comparison operand in ${name}.`,
      {
        hint: 'Write a.add(b), a.mul(b), a.lt(b) instead of a + b, a * b, a < b, and select(c, x, y) or when(c, ...) instead of c ? x : y.',
      },
    );
  }
}

/** Refuses `at` of a value that is not what a kernel reads of its own element. */
export function refuseAt(): never {
  throw new GradsimError(
    'kernel/not-a-field',
    '`at` was called on a value that is no field: it was computed, or is one for a world.',
    { kernel: currentTrace?.kernelName, hint: 'Write x.at(k) of x itself, as the kernel function is given it.' },
  );
}

export const typeOf = (scalar: Scalar): ScalarType => scalar.node.type as ScalarType;

export type F32 = Scalar<'f32'>;
export type I32 = Scalar<'i32'>;
export type U32 = Scalar<'u32'>;
export type Bool = Scalar<'bool'>;

/** Element of `domain` that an index field refers to. Works as a u32, and is accepted by `field.at(...)`. */
export class Index<D extends string = string> extends Scalar<'u32'> {
  readonly domain: D;
  constructor(node: Node, domain: D) {
    super(node);
    this.domain = domain;
  }
}

/** Nodes of traced comparisons, for each builder. One that is never used was meant for a JavaScript `if`. */
const madeComparisons = new WeakMap<Builder, Set<Node>>();
const usedComparisons = new WeakSet<Node>();

function comparison(node: Node): Bool {
  const builder = currentBuilder();
  madeComparisons.set(builder, (madeComparisons.get(builder) ?? new Set()).add(node));
  return wrap(node);
}

/** Throws if a comparison was traced that no operation uses. */
export function refuseUnusedComparisons(builder: Builder): void {
  for (const node of madeComparisons.get(builder) ?? []) {
    if (node.op === 'const' || usedComparisons.has(node)) continue;
    throw new GradsimError(
      'kernel/comparison-unused',
      `a comparison (${nodeName(node)}) is not used by anything. A traced value in a JavaScript condition (if, ?:, &&, !) always counts as true.`,
      { kernel: builder.kernelName, hint: 'Write select(c, x, y), when(c, () => x, () => y), a.and(b) or a.not().' },
    );
  }
}

export function wrap<T extends ScalarType>(node: Node): Scalar<T> {
  return new Scalar<T>(node);
}

/** Advice on what a branch or loop computes. */
export const RETURN_HINT =
  'Give it back: y = when(c, () => y.mul(2), () => y), y = forRange(0, 4, y, (k, y) => y.mul(2)), or sumOver(0, 4, f32, (k) => ...).';

/** Traced scalar or array. */
export interface Traced {
  readonly node: Node;
  /** Block in which it was made. */
  readonly scope: Block;
}

/** Returns the node of a traced value, after checking that it belongs to the kernel being traced and is in scope. */
export function use({ node, scope }: Traced): Node {
  const builder = currentBuilder();
  if (!builder.isWithin(scope)) {
    throw new GradsimError(
      'kernel/value-outside-scope',
      `a value (${nodeName(node)}) is used outside of the branch, loop or kernel that made it.`,
      { kernel: builder.kernelName, hint: RETURN_HINT },
    );
  }
  // Other types are never looked up.
  if (node.type === 'bool') usedComparisons.add(node);
  return node;
}

/** Returns the node of an operand; plain numbers become constants of `type`. */
export function lift(operand: Scalar | number | boolean, type: ScalarType): Node {
  const builder = currentBuilder();
  if (operand instanceof Scalar) {
    const node = use(operand);
    if (node.type !== type) {
      const advice = type === 'bool' ? 'compare it, a.gt(0)' : 'convert with toF32(), toI32() or toU32()';
      throw new GradsimError('base/wrong-type', `expected ${type}, got ${node.type}; ${advice}.`, {
        kernel: builder.kernelName,
      });
    }
    return node;
  }
  if (typeof operand === 'boolean')
    throw new GradsimError(
      'kernel/plain-condition',
      `a condition is the plain ${operand}, the same for all elements.`,
      {
        kernel: builder.kernelName,
        hint: 'Write a.not() for !a, a.eq(b) for a === b; what is known when the kernel is made takes a JavaScript if.',
      },
    );
  if (typeof operand !== 'number' || type === 'bool') {
    const got = typeof (operand as unknown) === 'object' ? 'a vector, matrix or object' : String(operand);
    throw new GradsimError('base/wrong-type', `expected a number or a traced ${type}, got ${got}.`, {
      kernel: builder.kernelName,
    });
  }
  if ((type === 'u32' || type === 'i32') && !Number.isInteger(operand)) {
    throw new GradsimError('base/wrong-type', `the constant ${operand} is no ${type}.`, {
      kernel: builder.kernelName,
    });
  }
  return builder.const(Number(operand), type);
}

export const f32 = (value: Operand<'f32'>): F32 => wrap(lift(value, 'f32'));
export const i32 = (value: Operand<'i32'>): I32 => wrap(lift(value, 'i32'));
export const u32 = (value: Operand<'u32'>): U32 => wrap(lift(value, 'u32'));
export const bool = (value: Bool | boolean): Bool =>
  wrap(typeof value === 'boolean' ? currentBuilder().const(Number(value), 'bool') : lift(value, 'bool'));
