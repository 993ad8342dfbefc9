import type { Node, PureNode } from '../../language/form.ts';
import { scalarOf } from '../../language/form.ts';
import { instructions, SIMD } from './opcodes.ts';
import type { Operands } from './operands.ts';
import { constantBound, missing } from './operands.ts';
import { wholeOperation } from './scalar.ts';
import { LANES } from './shape.ts';

const isWhole = (node: Node): boolean => node.type === 'i32' || node.type === 'u32';

/** Writes an operation on the values of all lanes at once. */
export function vectorOperation(o: Operands, node: PureNode, isVector: (node: Node) => boolean): void {
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
  const direct = instructions(op, scalarOf(x.type));
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
      unary(SIMD.not);
      return;
    case 'toF32':
      if (x.type !== 'bool') {
        unary(x.type === 'i32' ? SIMD.f32x4FromI32 : SIMD.f32x4FromU32);
        return;
      }
      code.f32(1);
      code.simd(SIMD.f32x4Splat);
      unary(SIMD.and);
      return;
    case 'toI32':
    case 'toU32':
      if (x.type === 'f32') {
        unary(op === 'toI32' ? SIMD.i32x4FromF32 : SIMD.u32x4FromF32);
        return;
      }
      if (x.type === 'bool') unary(SIMD.i32x4Neg);
      else unary();
      return;
    case 'bitsToF32':
    case 'bitsOfF32':
      unary();
      return;
    default:
  }
  if (!isWhole(node)) throw missing(o, node);
  switch (op) {
    case 'neg':
      unary(SIMD.i32x4Neg);
      return;
    case 'abs':
      if (isSigned) unary(SIMD.i32x4Abs);
      else unary();
      return;
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
      if (isVector(y)) {
        laneByLane(o, node);
        return;
      }
      o.vector(x);
      o.scalar(y);
      if (op === 'shiftLeft') code.simd(SIMD.i32x4Shl);
      else code.simd(isSigned ? SIMD.i32x4ShrS : SIMD.i32x4ShrU);
      return;
    case 'div':
    case 'rem':
    case 'sign':
      laneByLane(o, node);
      return;
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
function laneByLane(o: Operands, node: PureNode): void {
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
