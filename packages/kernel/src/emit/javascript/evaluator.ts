import type { PureNode, PureOp, ScalarType } from '../../language/form.ts';
import { lengthOf, REGISTERS, scalarOf } from '../../language/form.ts';
import type { BoundKernel } from '../bind.ts';
import type { Syntax } from '../text.ts';
import { looseOperands, unwrapped, writeText } from '../text.ts';

const UNARY: Partial<Record<PureOp, string>> = {
  abs: 'Math.abs',
  sign: 'Math.sign',
  floor: 'Math.floor',
  ceil: 'Math.ceil',
  sqrt: 'Math.sqrt',
  exp: 'Math.exp',
  log: 'Math.log',
  sin: 'Math.sin',
  cos: 'Math.cos',
  tan: 'Math.tan',
  asin: 'Math.asin',
  acos: 'Math.acos',
  atan: 'Math.atan',
  tanh: 'Math.tanh',
  atan2: 'Math.atan2',
  pow: 'Math.pow',
  min: 'Math.min',
  max: 'Math.max',
};
const COMPARE: Partial<Record<PureOp, string>> = {
  eq: '===',
  ne: '!==',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};
const FLOAT: Partial<Record<PureOp, string>> = { add: '+', sub: '-', mul: '*', div: '/' };
const ARITHMETIC: Partial<Record<PureOp, string>> = { add: '+', sub: '-', div: '/', rem: '%' };
const BITWISE: Partial<Record<PureOp, string>> = { and: '&', or: '|', xor: '^' };

/** Integers wrap as they do on the other devices. */
const whole = (type: ScalarType, text: string): string =>
  type === 'u32' ? `((${text}) >>> 0)` : type === 'i32' ? `((${text}) | 0)` : `(${text})`;

function operation(node: PureNode, args: readonly string[]): string {
  const [x, y, z] = args;
  const { op, type } = node;
  if (type === 'f32' && FLOAT[op]) {
    const [left, right] = looseOperands(node, args);
    return `(${left} ${FLOAT[op]} ${right})`;
  }
  if (COMPARE[op]) return `(${x} ${COMPARE[op]} ${y})`;
  if (op === 'select') return `(${x} ? ${y} : ${z})`;
  if (op === 'neg') return whole(type, `-${x}`);
  if (op === 'mul') return whole(type, `Math.imul(${x}, ${y})`);
  if (ARITHMETIC[op]) return whole(type, `${x} ${ARITHMETIC[op]} ${y}`);
  if (op === 'not') return type === 'bool' ? `(!${x})` : whole(type, `~${x}`);
  if (BITWISE[op]) {
    if (type === 'bool') return op === 'xor' ? `(${x} !== ${y})` : `(${x} ${BITWISE[op]}${BITWISE[op]} ${y})`;
    return whole(type, `${x} ${BITWISE[op]} ${y}`);
  }
  switch (op) {
    case 'shiftLeft':
      return whole(type, `${x} << ${y}`);
    case 'shiftRight':
      return type === 'u32' ? `(${x} >>> ${y})` : `(${x} >> ${y})`;
    case 'countTrailingZeros':
      return `(${x} === 0 ? 32 : 31 - Math.clz32(${x} & -${x}))`;
    case 'toF32':
      return node.args[0].type === 'bool' ? `(${x} ? 1 : 0)` : x;
    case 'toU32':
      if (node.args[0].type === 'bool') return `(${x} ? 1 : 0)`;
      // From a float, what is out of range goes to the nearest end and NaN to 0, as on the other devices.
      return node.args[0].type === 'f32' ? `(Math.min(Math.max(${x}, 0), 4294967295) >>> 0)` : `(${x} >>> 0)`;
    case 'toI32':
      if (node.args[0].type === 'bool') return `(${x} ? 1 : 0)`;
      return node.args[0].type === 'f32'
        ? `(Math.min(Math.max(${x}, -2147483648), 2147483647) | 0)`
        : `(${x} | 0)`;
    case 'bitsOfF32':
      return `bitsOfF32(${x})`;
    case 'bitsToF32':
      return `bitsToF32(${x})`;
    default: {
      const name = UNARY[op];
      if (!name) throw new Error(`The double-precision evaluator has no ${op}.`);
      return `${name}(${args.join(', ')})`;
    }
  }
}

const wordIndex = (offset: number, address: string): string =>
  offset === 0 ? unwrapped(address) : `${offset} + ${address}`;

const ARRAYS: Partial<Record<ScalarType, string>> = {
  f32: 'Float64Array',
  i32: 'Int32Array',
  u32: 'Uint32Array',
};

const syntax: Syntax = {
  constant: (node) =>
    node.type === 'bool' ? String(node.value === 1) : node.value < 0 ? `(${node.value})` : String(node.value),
  register: (name) => `R[${REGISTERS.indexOf(name)}]`,
  word: (node, address) => {
    const text = `${node.type === 'f32' ? 'F' : 'U'}[${wordIndex(node.offset, address)}]`;
    return node.type === 'i32' ? `(${text} | 0)` : text;
  },
  operation,
  declare: (_, name, value) => `const ${name} = ${value};`,
  declareVariable: (_, name, value) => (value === null ? `let ${name};` : `let ${name} = ${value};`),
  counter: (name, start) => `let ${name} = ${start}`,
  forever: 'while (true) {',
  declareArray: (name, type) => `const ${name} = new ${ARRAYS[scalarOf(type)]}(${lengthOf(type)});`,
  fill: (array, _, value) => `${array}.fill(${value});`,
  copy: (to, from) => `${to}.set(${from});`,
  store: (buffer, offset, address, value) =>
    `${buffer === 'f32' ? 'F' : 'U'}[${wordIndex(offset, address)}] = ${value};`,
  reserved: new Set(
    (
      'F U R BITS_F BITS_U bitsOfF32 bitsToF32 invocation begin end Math arguments await break case catch class const continue debugger default delete do ' +
      'else enum eval export extends false finally for function if implements import in instanceof interface let new null ' +
      'package private protected public return static super switch this throw true try typeof undefined NaN Infinity var ' +
      'void while with yield'
    ).split(' '),
  ),
};

/** JavaScript source of `(F, U, R, begin, end) => void`: F and U the arenas, R the registers. */
export function javascriptSource(kernel: BoundKernel): string {
  return [
    'const BITS_F = new Float32Array(1);',
    'const BITS_U = new Uint32Array(BITS_F.buffer);',
    'const bitsOfF32 = (x) => { BITS_F[0] = x; return BITS_U[0]; };',
    'const bitsToF32 = (x) => { BITS_U[0] = x; return BITS_F[0]; };',
    `for (let invocation = begin; invocation < end; invocation++) {`,
    writeText(kernel, syntax, '  '),
    '}',
    `//# sourceURL=gradsim-${kernel.name}.js`,
  ].join('\n');
}
