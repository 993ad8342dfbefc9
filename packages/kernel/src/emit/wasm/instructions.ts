import type { Node, PureNode } from '../../language/form.ts';
import type { Code } from './encoder.ts';
import { LANES, SCALAR, SIMD } from './opcodes.ts';
import type { WasmCode } from './operands.ts';

/** One instruction after the arguments, or none: for single values and for all lanes. */
export const instruction = (scalar: number | null, simd: number | null): WasmCode => ({
  scalar(o, { args }) {
    for (let k = 0; k < args.length; k++) o.scalar(args[k]);
    if (scalar !== null) o.code.byte(scalar);
  },
  vector(o, { args }) {
    for (let k = 0; k < args.length; k++) o.vector(args[k]);
    if (simd !== null) o.code.simd(simd);
  },
});
/** What is there already. */
export const itself = instruction(null, null);

/** Conversions that never trap. */
export const saturated = (scalar: number, simd: number): WasmCode => ({
  scalar(o, { args: [x] }) {
    o.scalar(x);
    o.code.saturating(scalar);
  },
  vector: instruction(null, simd).vector,
});

export const choice = (type: 'f32' | 'i32'): WasmCode => ({
  scalar(o, { args: [condition, yes, no] }) {
    for (const arg of [yes, no, condition]) o.scalar(arg);
    o.code.select(type);
  },
  vector(o, { args: [condition, yes, no] }) {
    o.vector(yes);
    o.vector(no);
    if (o.isVector(condition)) {
      o.vector(condition);
      o.code.simd(SIMD.bitSelect);
    } else {
      o.scalar(condition);
      o.code.select('v128');
    }
  },
});

const isNumber = (node: Node): boolean => node.op === 'const' && !Number.isNaN(node.value);

/**
 * The smaller or larger of two floats. Against a constant, one comparison, after which a NaN is still there: the
 * choice that f32x4.pmin and pmax make.
 */
export function bounded(name: 'min' | 'max'): WasmCode {
  const [plain, compare, choose] =
    name === 'min'
      ? [instruction(SCALAR.f32Min, SIMD.f32x4Min), SCALAR.f32Lt, SIMD.f32x4PMin]
      : [instruction(SCALAR.f32Max, SIMD.f32x4Max), SCALAR.f32Gt, SIMD.f32x4PMax];
  /** The argument that may be NaN, and the one that is a constant. */
  const parts = ({ args: [x, y] }: PureNode): [open: Node, bound: Node] | null =>
    isNumber(y) ? [x, y] : isNumber(x) ? [y, x] : null;
  return {
    scalar(o, node) {
      const found = parts(node);
      if (!found) {
        plain.scalar(o, node);
        return;
      }
      const [open, bound] = found;
      o.scalar(open);
      o.withLocal('f32', (local) => {
        o.scalar(bound);
        o.code.get(local);
        o.scalar(bound);
        o.code.get(local);
        o.code.byte(compare);
        o.code.select('f32');
      });
    },
    vector(o, node) {
      const found = parts(node);
      if (!found) {
        plain.vector(o, node);
        return;
      }
      for (const part of found) o.vector(part);
      o.code.simd(choose);
    },
  };
}

/** Puts an argument on the stack. */
type Put = () => void;

/** Operations on integers that use their arguments more than once; SIMD lacks them, and does one lane after another. */
const sequence = (write: (code: Code, node: PureNode, x: Put, y: Put) => void): WasmCode => ({
  scalar(o, node) {
    const [x, y] = node.args;
    o.scalar(x);
    o.withLocal('i32', (first) => {
      const put = (): void => o.code.get(first);
      if (!y || y.op === 'const') write(o.code, node, put, () => y && o.scalar(y));
      else {
        o.scalar(y);
        o.withLocal('i32', (second) => write(o.code, node, put, () => o.code.get(second)));
      }
    });
  },
  vector(o, node) {
    const [x, y] = node.args;
    const putLane = (local: number, lane: number): void => {
      o.code.get(local);
      o.code.simdLane(SIMD.i32x4Extract, lane);
    };
    const lanes = (first: number, second: (lane: number) => void): void => {
      o.code.get(first);
      for (let lane = 0; lane < LANES; lane++) {
        write(
          o.code,
          node,
          () => putLane(first, lane),
          () => second(lane),
        );
        o.code.simdLane(SIMD.i32x4Replace, lane);
      }
    };
    o.vector(x);
    o.withLocal('v128', (first) => {
      if (!y || y.op === 'const') lanes(first, () => y && o.scalar(y));
      else {
        o.vector(y);
        o.withLocal('v128', (second) => lanes(first, (lane) => putLane(second, lane)));
      }
    });
  },
});

export function shift(scalar: number, simd: number): WasmCode {
  const alone = sequence((code, _, x, y) => {
    x();
    y();
    code.byte(scalar);
  });
  return {
    scalar: alone.scalar,
    vector(o, node) {
      const [x, by] = node.args;
      if (o.isVector(by)) {
        alone.vector(o, node);
        return;
      }
      o.vector(x);
      o.scalar(by);
      o.code.simd(simd);
    },
  };
}

export function lowestOrHighest(name: 'min' | 'max', isSigned: boolean): WasmCode {
  const opcodes = {
    min: isSigned ? [SCALAR.i32LtS, SIMD.i32x4MinS] : [SCALAR.i32LtU, SIMD.i32x4MinU],
    max: isSigned ? [SCALAR.i32GtS, SIMD.i32x4MaxS] : [SCALAR.i32GtU, SIMD.i32x4MaxU],
  };
  const [compare, simd] = opcodes[name];
  const { scalar } = sequence((code, _, x, y) => {
    for (const put of [x, y, x, y]) put();
    code.byte(compare);
    code.select('i32');
  });
  return { scalar, vector: instruction(null, simd).vector };
}

/** Quotient or remainder that never traps: both are 0 where y is 0, and the smallest i32 is divided by 1 for -1. */
export const division = (isQuotient: boolean, isSigned: boolean): WasmCode =>
  sequence((code, { args: [, divisor] }, x, y) => {
    const shiftBy = Math.log2(divisor.op === 'const' ? divisor.value : Number.NaN);
    x();
    if (!isSigned && Number.isInteger(shiftBy)) {
      code.i32(isQuotient ? shiftBy : 2 ** shiftBy - 1);
      code.byte(isQuotient ? SCALAR.i32ShrU : SCALAR.i32And);
      return;
    }
    if (isQuotient && divisor.op !== 'const') {
      // 0 in place of x where y is 0.
      code.i32(0);
      y();
      code.select('i32');
    }
    if (isSigned && isQuotient) {
      code.i32(1);
      y();
      y();
      code.byte(SCALAR.i32Eqz);
      y();
      code.i32(-1);
      code.byte(SCALAR.i32Eq);
      x();
      code.i32(-(2 ** 31));
      code.bytes([SCALAR.i32Eq, SCALAR.i32And, SCALAR.i32Or]);
      code.select('i32');
    } else {
      y();
      code.i32(1);
      y();
      code.select('i32');
    }
    if (isQuotient) code.byte(isSigned ? SCALAR.i32DivS : SCALAR.i32DivU);
    else code.byte(isSigned ? SCALAR.i32RemS : SCALAR.i32RemU);
  });

/** For all lanes, the number of ones in (x & -x) - 1. */
export const trailingZeros: WasmCode = {
  scalar: instruction(SCALAR.i32Ctz, null).scalar,
  vector(o, { args: [x] }) {
    const { code } = o;
    o.vector(x);
    o.withLocal('v128', (local) => {
      code.get(local);
      code.get(local);
      code.simd(SIMD.i32x4Neg);
      code.simd(SIMD.and);
      code.i32(-1);
      code.simd(SIMD.i32x4Splat);
      code.simd(SIMD.i32x4Add);
      for (const opcode of [SIMD.i8x16Popcnt, SIMD.i16x8PairsU8, SIMD.i32x4PairsU16]) code.simd(opcode);
    });
  },
};
