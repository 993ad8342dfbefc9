import type { Builder } from './builder.ts';
import type { ConstNode, Node, PureOp, ScalarType } from './form.ts';

const isConst = (node: Node, value: number): boolean => node.op === 'const' && node.value === value;

/**
 * Simplifies `op(args)` where it can be decided while tracing: constants, neutral and absorbing elements.
 * `x * 0` becomes 0, which differs from IEEE only where x is infinite or NaN; derivatives are full of such terms.
 */
export function foldConstants(b: Builder, op: PureOp, type: ScalarType, args: readonly Node[]): Node | null {
  const [x, y, z] = args;
  switch (op) {
    case 'add':
      if (isConst(x, 0)) return y;
      if (isConst(y, 0)) return x;
      if (y.op === 'neg') return b.sub(x, y.args[0]);
      if (x.op === 'neg') return b.sub(y, x.args[0]);
      break;
    case 'sub':
      if (isConst(y, 0)) return x;
      if (isConst(x, 0) && type === 'f32') return b.neg(y);
      if (y.op === 'neg') return b.add(x, y.args[0]);
      break;
    case 'mul':
      if (isConst(x, 0)) return x;
      if (isConst(y, 0)) return y;
      if (isConst(x, 1)) return y;
      if (isConst(y, 1)) return x;
      if (isConst(x, -1)) return b.neg(y);
      if (isConst(y, -1)) return b.neg(x);
      if (x.op === 'neg' && y.op === 'neg') return b.mul(x.args[0], y.args[0]);
      if (x.op === 'neg') return b.neg(b.mul(x.args[0], y));
      if (y.op === 'neg') return b.neg(b.mul(x, y.args[0]));
      break;
    case 'div':
      if (isConst(y, 1)) return x;
      if (isConst(x, 0)) return x;
      if (x.op === 'neg') return b.neg(b.div(x.args[0], y));
      break;
    case 'neg':
      if (x.op === 'neg') return x.args[0];
      if (x.op === 'sub') return b.sub(x.args[1], x.args[0]);
      break;
    case 'select':
      if (x.op === 'const') return x.value ? y : z;
      if (y === z) return y;
      return null;
    case 'and':
      if (type !== 'bool') break;
      if (x.op === 'const') return x.value ? y : x;
      if (y.op === 'const') return y.value ? x : y;
      break;
    case 'or':
      if (type !== 'bool') break;
      if (x.op === 'const') return x.value ? x : y;
      if (y.op === 'const') return y.value ? y : x;
      break;
    case 'toF32':
    case 'toI32':
    case 'toU32':
      if (x.type === type) return x;
      break;
    default:
  }
  if (!args.every((a): a is ConstNode => a.op === 'const')) return null;
  const value = evaluate(
    op,
    type,
    args[0].type,
    args.map((a) => a.value),
  );
  return value === null ? null : b.const(value, type);
}

/** The value of a pure operation on constants; null where it is not decided here. */
export function evaluate(
  op: PureOp,
  type: ScalarType,
  argType: ScalarType,
  [x, y]: readonly number[],
): number | null {
  const wrap = (value: number): number => (type === 'u32' ? value >>> 0 : type === 'i32' ? value | 0 : value);
  switch (op) {
    case 'add':
      return wrap(x + y);
    case 'sub':
      return wrap(x - y);
    case 'mul':
      return type === 'f32' ? x * y : wrap(Math.imul(x, y));
    case 'div':
      return type === 'f32' ? x / y : y === 0 ? null : wrap(Math.trunc(x / y));
    case 'rem':
      return y === 0 ? null : wrap(x % y);
    case 'neg':
      return wrap(-x);
    case 'min':
      return Math.min(x, y);
    case 'max':
      return Math.max(x, y);
    case 'abs':
      return Math.abs(x);
    case 'sqrt':
      return Math.sqrt(x);
    case 'exp':
      return Math.exp(x);
    case 'log':
      return Math.log(x);
    case 'sin':
      return Math.sin(x);
    case 'cos':
      return Math.cos(x);
    case 'floor':
      return Math.floor(x);
    case 'eq':
      return x === y ? 1 : 0;
    case 'ne':
      return x !== y ? 1 : 0;
    case 'lt':
      return x < y ? 1 : 0;
    case 'le':
      return x <= y ? 1 : 0;
    case 'gt':
      return x > y ? 1 : 0;
    case 'ge':
      return x >= y ? 1 : 0;
    case 'not':
      return type === 'bool' ? 1 - x : wrap(~x);
    case 'and':
      return wrap(x & y);
    case 'or':
      return wrap(x | y);
    case 'xor':
      return wrap(x ^ y);
    case 'shiftLeft':
      return wrap(x << y);
    case 'shiftRight':
      return type === 'u32' ? x >>> y : x >> y;
    case 'toF32':
      return argType === 'bool' ? null : x;
    case 'toU32':
      return x >= 0 ? Math.trunc(x) >>> 0 : null;
    case 'toI32':
      return Math.trunc(x) | 0;
    default:
      return null;
  }
}
