import type { Node, PureOp } from '../kernel/form.ts';
import type { Code, WasmType } from './wasm-encoder.ts';
import { instructions, SATURATING, SCALAR, SIMD } from './wasm-opcodes.ts';
import { LANES } from './wasm-shape.ts';

/** What an operation needs of the function that it is written into. */
export interface Operands {
  readonly code: Code;
  readonly kernelName: string;
  /** Puts the value on the stack: one for all lanes (for those with a stride, that of the first lane). */
  scalar(node: Node): void;
  /** Puts the values of all lanes on the stack. Bools are all ones or all zeros. */
  vector(node: Node): void;
  /** Runs `write` with a local variable that takes the value on top of the stack. */
  withLocal(type: WasmType, write: (local: number) => void): void;
}

const missing = (o: Operands, node: Node): Error =>
  new Error(
    `kernel ${o.kernelName}: the cpu device has no instruction for ${node.op} of ${node.args[0].type}. ` +
      'Bind the kernel with the lowering of the device.',
  );

const isNumber = (node: Node): boolean => node.op === 'const' && !Number.isNaN(node.value);

/** For min and max of floats: the argument that may be NaN and the one that is a constant, if one is. */
function constantBound(node: Node): { open: Node; bound: Node } | null {
  if (node.type !== 'f32' || (node.op !== 'min' && node.op !== 'max')) return null;
  const [x, y] = node.args;
  if (isNumber(y)) return { open: x, bound: y };
  return isNumber(x) ? { open: y, bound: x } : null;
}

/** Writes an operation on single values. */
export function scalarOperation(o: Operands, node: Node): void {
  const { code } = o;
  const { op, type } = node;
  const [x, y, z] = node.args;
  const bounded = constantBound(node);
  if (bounded) {
    // The same choice as f32x4.pmin and pmax make: a NaN stays, for one comparison.
    o.scalar(bounded.open);
    o.withLocal('f32', (open) => {
      o.scalar(bounded.bound);
      code.get(open);
      o.scalar(bounded.bound);
      code.get(open);
      code.byte(op === 'min' ? SCALAR.f32Lt : SCALAR.f32Gt);
      code.select('f32');
    });
    return;
  }
  const direct = instructions(op as PureOp, x.type);
  if (direct) {
    for (const arg of node.args) o.scalar(arg);
    code.byte(direct[0]);
    return;
  }
  switch (op) {
    case 'select':
      o.scalar(y);
      o.scalar(z);
      o.scalar(x);
      code.select(type === 'f32' ? 'f32' : 'i32');
      return;
    case 'not':
      o.scalar(x);
      if (type === 'bool') code.byte(SCALAR.i32Eqz);
      else {
        code.i32(-1);
        code.byte(SCALAR.i32Xor);
      }
      return;
    case 'neg':
      code.i32(0);
      o.scalar(x);
      code.byte(SCALAR.i32Sub);
      return;
    case 'countTrailingZeros':
      o.scalar(x);
      code.byte(SCALAR.i32Ctz);
      return;
    case 'toF32':
      o.scalar(x);
      code.byte(x.type === 'i32' ? SCALAR.f32FromI32 : SCALAR.f32FromU32);
      return;
    case 'toI32':
    case 'toU32':
      o.scalar(x);
      if (x.type === 'f32') code.saturating(op === 'toI32' ? SATURATING.i32FromF32 : SATURATING.u32FromF32);
      return;
    case 'bitsToF32':
      o.scalar(x);
      code.byte(SCALAR.f32OfBits);
      return;
    case 'bitsOfF32':
      o.scalar(x);
      code.byte(SCALAR.i32BitsOfF32);
      return;
    default:
  }
  if (type === 'f32' || type === 'bool') throw missing(o, node);
  o.scalar(x);
  o.withLocal('i32', (first) => {
    if (!y)
      wholeOperation(
        o,
        node,
        () => code.get(first),
        () => {},
      );
    else if (y.op === 'const')
      wholeOperation(
        o,
        node,
        () => code.get(first),
        () => o.scalar(y),
      );
    else {
      o.scalar(y);
      o.withLocal('i32', (second) =>
        wholeOperation(
          o,
          node,
          () => code.get(first),
          () => code.get(second),
        ),
      );
    }
  });
}

/** Integer operations that use their arguments more than once; `x` and `y` put them on the stack. */
function wholeOperation(o: Operands, node: Node, x: () => void, y: () => void): void {
  const { code } = o;
  const isSigned = node.type === 'i32';
  switch (node.op) {
    case 'shiftLeft':
      x();
      y();
      code.byte(SCALAR.i32Shl);
      return;
    case 'shiftRight':
      x();
      y();
      code.byte(isSigned ? SCALAR.i32ShrS : SCALAR.i32ShrU);
      return;
    case 'min':
    case 'max': {
      const [less, greater] = isSigned ? [SCALAR.i32LtS, SCALAR.i32GtS] : [SCALAR.i32LtU, SCALAR.i32GtU];
      x();
      y();
      x();
      y();
      code.byte(node.op === 'min' ? less : greater);
      code.select('i32');
      return;
    }
    case 'abs':
      x();
      if (!isSigned) return;
      code.i32(0);
      x();
      code.byte(SCALAR.i32Sub);
      x();
      code.i32(0);
      code.byte(SCALAR.i32GeS);
      code.select('i32');
      return;
    case 'sign':
      x();
      code.i32(0);
      code.byte(isSigned ? SCALAR.i32GtS : SCALAR.i32Ne);
      if (!isSigned) return;
      x();
      code.i32(0);
      code.byte(SCALAR.i32LtS, SCALAR.i32Sub);
      return;
    case 'div':
    case 'rem':
      division(o, node, x, y);
      return;
    default:
      throw missing(o, node);
  }
}

/** Quotient and remainder that never trap: what divides by zero is divided by 1, and so is the smallest i32 by -1. */
function division({ code }: Operands, node: Node, x: () => void, y: () => void): void {
  const isSigned = node.type === 'i32';
  const divisor = node.args[1];
  const shift = Math.log2(divisor.op === 'const' ? divisor.value : Number.NaN);
  x();
  if (!isSigned && Number.isInteger(shift)) {
    code.i32(node.op === 'div' ? shift : divisor.value - 1);
    code.byte(node.op === 'div' ? SCALAR.i32ShrU : SCALAR.i32And);
    return;
  }
  if (isSigned && node.op === 'div') {
    code.i32(1);
    y();
    y();
    code.byte(SCALAR.i32Eqz);
    y();
    code.i32(-1);
    code.byte(SCALAR.i32Eq);
    x();
    code.i32(-(2 ** 31));
    code.byte(SCALAR.i32Eq, SCALAR.i32And, SCALAR.i32Or);
    code.select('i32');
  } else {
    y();
    code.i32(1);
    y();
    code.select('i32');
  }
  if (node.op === 'div') code.byte(isSigned ? SCALAR.i32DivS : SCALAR.i32DivU);
  else code.byte(isSigned ? SCALAR.i32RemS : SCALAR.i32RemU);
}

const isWhole = (node: Node): boolean => node.type === 'i32' || node.type === 'u32';

/** Writes an operation on the values of all lanes at once. */
export function vectorOperation(o: Operands, node: Node, isVector: (node: Node) => boolean): void {
  const { code } = o;
  const { op } = node;
  const [x, y, z] = node.args;
  const isSigned = node.type === 'i32';
  const bounded = constantBound(node);
  if (bounded) {
    o.vector(bounded.open);
    o.vector(bounded.bound);
    code.simd(op === 'min' ? SIMD.f32x4PMin : SIMD.f32x4PMax);
    return;
  }
  const direct = instructions(op as PureOp, x.type);
  if (direct) {
    for (const arg of node.args) o.vector(arg);
    code.simd(direct[1]);
    return;
  }
  const unary = (...opcodes: number[]): void => {
    o.vector(x);
    for (const opcode of opcodes) code.simd(opcode);
  };
  switch (op) {
    case 'select':
      o.vector(y);
      o.vector(z);
      if (isVector(x)) {
        o.vector(x);
        code.simd(SIMD.bitSelect);
      } else {
        o.scalar(x);
        code.select('v128');
      }
      return;
    case 'not':
      return unary(SIMD.not);
    case 'toF32':
      if (x.type !== 'bool') return unary(x.type === 'i32' ? SIMD.f32x4FromI32 : SIMD.f32x4FromU32);
      code.f32(1);
      code.simd(SIMD.f32x4Splat);
      return unary(SIMD.and);
    case 'toI32':
    case 'toU32':
      if (x.type === 'f32') return unary(op === 'toI32' ? SIMD.i32x4FromF32 : SIMD.u32x4FromF32);
      return x.type === 'bool' ? unary(SIMD.i32x4Neg) : unary();
    case 'bitsToF32':
    case 'bitsOfF32':
      return unary();
    default:
  }
  if (!isWhole(node)) throw missing(o, node);
  switch (op) {
    case 'neg':
      return unary(SIMD.i32x4Neg);
    case 'abs':
      return isSigned ? unary(SIMD.i32x4Abs) : unary();
    case 'min':
    case 'max':
      o.vector(x);
      o.vector(y);
      if (op === 'min') code.simd(isSigned ? SIMD.i32x4MinS : SIMD.i32x4MinU);
      else code.simd(isSigned ? SIMD.i32x4MaxS : SIMD.i32x4MaxU);
      return;
    case 'countTrailingZeros':
      trailingZeros(o, x);
      return;
    case 'shiftLeft':
    case 'shiftRight':
      if (isVector(y)) return laneByLane(o, node);
      o.vector(x);
      o.scalar(y);
      if (op === 'shiftLeft') code.simd(SIMD.i32x4Shl);
      else code.simd(isSigned ? SIMD.i32x4ShrS : SIMD.i32x4ShrU);
      return;
    case 'div':
    case 'rem':
    case 'sign':
      return laneByLane(o, node);
    default:
      throw missing(o, node);
  }
}

/** The number of ones in (x & -x) - 1. */
function trailingZeros(o: Operands, x: Node): void {
  const { code } = o;
  o.vector(x);
  o.withLocal('v128', (bits) => {
    code.get(bits);
    code.get(bits);
    code.simd(SIMD.i32x4Neg);
    code.simd(SIMD.and);
    code.i32(-1);
    code.simd(SIMD.i32x4Splat);
    code.simd(SIMD.i32x4Add);
    for (const opcode of [SIMD.i8x16Popcnt, SIMD.i16x8PairsU8, SIMD.i32x4PairsU16]) code.simd(opcode);
  });
}

/** Integer operations that SIMD lacks: one lane after another. */
function laneByLane(o: Operands, node: Node): void {
  const { code } = o;
  const [x, y] = node.args;
  const lanes = (first: number, second: (lane: number) => void): void => {
    code.get(first);
    for (let lane = 0; lane < LANES; lane++) {
      const left = (): void => {
        code.get(first);
        code.simdLane(SIMD.i32x4Extract, lane);
      };
      wholeOperation(o, node, left, () => second(lane));
      code.simdLane(SIMD.i32x4Replace, lane);
    }
  };
  o.vector(x);
  o.withLocal('v128', (first) => {
    if (!y) lanes(first, () => {});
    else if (y.op === 'const') lanes(first, () => o.scalar(y));
    else {
      o.vector(y);
      o.withLocal('v128', (second) =>
        lanes(first, (lane) => {
          code.get(second);
          code.simdLane(SIMD.i32x4Extract, lane);
        }),
      );
    }
  });
}
