import type { PureNode } from '../../language/form.ts';
import { scalarOf } from '../../language/form.ts';
import { instructions, SATURATING, SCALAR } from './opcodes.ts';
import type { Operands } from './operands.ts';
import { constantBound, missing } from './operands.ts';

/** Writes an operation on single values. */
export function scalarOperation(o: Operands, node: PureNode): void {
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
  const direct = instructions(op, scalarOf(x.type));
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
export function wholeOperation(o: Operands, node: PureNode, x: () => void, y: () => void): void {
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

/** Quotient and remainder that never trap: both are 0 where y is 0, and the smallest i32 is divided by 1 for -1. */
function division({ code }: Operands, node: PureNode, x: () => void, y: () => void): void {
  const isSigned = node.type === 'i32';
  const divisor = node.args[1];
  const shift = Math.log2(divisor.op === 'const' ? divisor.value : Number.NaN);
  x();
  if (!isSigned && Number.isInteger(shift)) {
    code.i32(node.op === 'div' ? shift : 2 ** shift - 1);
    code.byte(node.op === 'div' ? SCALAR.i32ShrU : SCALAR.i32And);
    return;
  }
  if (node.op === 'div' && divisor.op !== 'const') {
    // 0 in place of x where y is 0.
    code.i32(0);
    y();
    code.select('i32');
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
