import type { Node, PureNode } from '../../form/nodes.ts';
import type { Precision } from '../../form/types.ts';
import type { FloatInstruction } from '../../form/wasm-operation.ts';
import type { Code } from './format/encoder.ts';
import type { ConversionName } from './format/opcodes.ts';
import { CHOOSE_F32, F32, SCALAR_OPCODES, SIMD_OPCODES } from './format/opcodes.ts';
import { extractWhole, fromSideBySide, toSideBySide } from './lane-code.ts';
import type { Lanes } from './lanes.ts';
import type { WasmCode } from './operands.ts';

/** Emits one float instruction after the arguments. */
export const floats = (name: FloatInstruction): WasmCode => ({
  scalar(o, { args }) {
    for (let k = 0; k < args.length; k++) o.scalar(args[k]);
    o.code.byte(o.lanes.floats[name][0]);
  },
  vector(o, { args }) {
    for (let k = 0; k < args.length; k++) o.vector(args[k]);
    o.code.simd(o.lanes.floats[name][1]);
  },
});

/** Selects the code of an operation by the float precision. */
export const byPrecision = (codes: Readonly<Record<Precision, WasmCode>>): WasmCode => ({
  scalar: (o, node) => codes[o.lanes.float].scalar(o, node),
  vector: (o, node) => codes[o.lanes.float].vector(o, node),
});

/**
 * Emits the arguments, then an integer instruction by its opcode, for scalars and for SIMD; null for no instruction.
 */
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
/** Emits the argument itself, with no instruction. */
export const argumentItself = instruction(null, null);

/**
 * Emits a conversion by name. In SIMD code, `before` and `after` move integers between their lanes and the words of the
 * vector from which the instruction takes them or in which it leaves them.
 */
const conversion = (
  name: ConversionName,
  before: (code: Code, lanes: Lanes) => void,
  after: (code: Code, lanes: Lanes) => void,
): WasmCode => ({
  scalar(o, { args: [x] }) {
    o.scalar(x);
    o.code.bytes(o.lanes.conversions[name].scalar);
  },
  vector(o, { args: [x] }) {
    o.vector(x);
    before(o.code, o.lanes);
    for (const opcode of o.lanes.conversions[name].simd) o.code.simd(opcode);
    after(o.code, o.lanes);
  },
});
const noInstruction = (): void => {};
export const wholeOf = (name: 'i32OfFloat' | 'u32OfFloat' | 'bitsOfFloat'): WasmCode =>
  conversion(name, noInstruction, fromSideBySide);
export const floatOf = (name: 'floatOfI32' | 'floatOfU32' | 'floatOfBits'): WasmCode =>
  conversion(name, toSideBySide, noInstruction);

export const choice = (isFloat: boolean): WasmCode => ({
  scalar(o, { args: [condition, yes, no] }) {
    for (const arg of [yes, no, condition]) o.scalar(arg);
    o.code.select(isFloat ? o.lanes.float : 'i32');
  },
  vector(o, { args: [condition, yes, no] }) {
    o.vector(yes);
    o.vector(no);
    if (o.isVector(condition)) {
      o.vector(condition);
      o.code.simd(SIMD_OPCODES.bitSelect);
    } else {
      o.scalar(condition);
      o.code.select('v128');
    }
  },
});

const isNumber = (node: Node): boolean => node.op === 'const' && !Number.isNaN(node.value);

/**
 * Emits the smaller or larger of two f32. Against a constant, one comparison (as f32x4.pmin and pmax do) that lets a
 * NaN through. Of two zeros the argument's stays, whatever its sign.
 */
export function bounded(name: 'min' | 'max'): WasmCode {
  const plain = floats(name);
  const [compare] = F32[name === 'min' ? 'lt' : 'gt'];
  /** Returns the argument that may be NaN and the constant one, or null. */
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
      o.code.simd(CHOOSE_F32[name]);
    },
  };
}

/** Pushes an argument. */
type PushArgument = () => void;

/**
 * Emits an integer operation whose code uses its arguments more than once. There is no SIMD form: lanes are processed
 * one after another.
 */
const sequence = (write: (code: Code, node: PureNode, x: PushArgument, y: PushArgument) => void): WasmCode => ({
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
      extractWhole(o.code, o.lanes, lane);
    };
    const eachLane = (first: number, second: (lane: number) => void): void => {
      o.code.get(first);
      for (let lane = 0; lane < o.lanes.count; lane++) {
        write(
          o.code,
          node,
          () => putLane(first, lane),
          () => second(lane),
        );
        o.code.simdLane(SIMD_OPCODES.i32x4Replace, lane);
      }
      fromSideBySide(o.code, o.lanes);
    };
    o.vector(x);
    o.withLocal('v128', (first) => {
      if (!y || y.op === 'const') eachLane(first, () => y && o.scalar(y));
      else {
        o.vector(y);
        o.withLocal('v128', (second) => eachLane(first, (lane) => putLane(second, lane)));
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
    min: isSigned ? [SCALAR_OPCODES.i32LtS, SIMD_OPCODES.i32x4MinS] : [SCALAR_OPCODES.i32LtU, SIMD_OPCODES.i32x4MinU],
    max: isSigned ? [SCALAR_OPCODES.i32GtS, SIMD_OPCODES.i32x4MaxS] : [SCALAR_OPCODES.i32GtU, SIMD_OPCODES.i32x4MaxU],
  };
  const [compare, simd] = opcodes[name];
  const { scalar } = sequence((code, _, x, y) => {
    for (const put of [x, y, x, y]) put();
    code.byte(compare);
    code.select('i32');
  });
  return { scalar, vector: instruction(null, simd).vector };
}

/**
 * Emits a quotient or remainder that never traps: both are 0 where y is 0, and the smallest i32 is divided by 1 instead
 * of -1.
 */
export const division = (isQuotient: boolean, isSigned: boolean): WasmCode =>
  sequence((code, { args: [, divisor] }, x, y) => {
    const shiftBy = Math.log2(divisor.op === 'const' ? divisor.value : Number.NaN);
    x();
    if (!isSigned && Number.isInteger(shiftBy)) {
      code.i32(isQuotient ? shiftBy : 2 ** shiftBy - 1);
      code.byte(isQuotient ? SCALAR_OPCODES.i32ShrU : SCALAR_OPCODES.i32And);
      return;
    }
    if (isQuotient && divisor.op !== 'const') {
      // Replace x by 0 where y is 0.
      code.i32(0);
      y();
      code.select('i32');
    }
    if (isSigned && isQuotient) {
      code.i32(1);
      y();
      y();
      code.byte(SCALAR_OPCODES.i32Eqz);
      y();
      code.i32(-1);
      code.byte(SCALAR_OPCODES.i32Eq);
      x();
      code.i32(-(2 ** 31));
      code.bytes([SCALAR_OPCODES.i32Eq, SCALAR_OPCODES.i32And, SCALAR_OPCODES.i32Or]);
      code.select('i32');
    } else {
      y();
      code.i32(1);
      y();
      code.select('i32');
    }
    if (isQuotient) code.byte(isSigned ? SCALAR_OPCODES.i32DivS : SCALAR_OPCODES.i32DivU);
    else code.byte(isSigned ? SCALAR_OPCODES.i32RemS : SCALAR_OPCODES.i32RemU);
  });

/** Counts trailing zeros; in SIMD code as the number of ones in (x & -x) - 1. */
export const trailingZeros: WasmCode = {
  scalar: instruction(SCALAR_OPCODES.i32Ctz, null).scalar,
  vector(o, { args: [x] }) {
    const { code } = o;
    o.vector(x);
    o.withLocal('v128', (local) => {
      code.get(local);
      code.get(local);
      code.simd(SIMD_OPCODES.i32x4Neg);
      code.simd(SIMD_OPCODES.and);
      code.i32(-1);
      code.simd(SIMD_OPCODES.i32x4Splat);
      code.simd(SIMD_OPCODES.i32x4Add);
      for (const opcode of [SIMD_OPCODES.i8x16Popcnt, SIMD_OPCODES.i16x8PairsU8, SIMD_OPCODES.i32x4PairsU16])
        code.simd(opcode);
    });
  },
};

/** Calls a host function, lane by lane. */
export const hostCall = (host: number): WasmCode => ({
  scalar(o, { args }) {
    for (const arg of args) o.scalar(arg);
    o.code.call(host);
  },
  vector(o, { args }) {
    const { code, lanes } = o;
    const locals = args.map((arg) => {
      const local = code.local('v128');
      o.vector(arg);
      code.set(local);
      return local;
    });
    for (let lane = 0; lane < lanes.count; lane++) {
      for (const local of locals) {
        code.get(local);
        code.simdLane(lanes.extract, lane);
      }
      code.call(host);
      if (lane === 0) code.simd(lanes.splat);
      else code.simdLane(lanes.replace, lane);
    }
    locals.forEach((local) => code.release(local));
  },
});
