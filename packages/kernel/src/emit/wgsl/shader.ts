import type { ArrayType, ConstNode, Node, PureNode, PureOp, ScalarType } from '../../language/form.ts';
import { lengthOf, REGISTERS, scalarOf } from '../../language/form.ts';
import type { BoundKernel } from '../bind.ts';
import type { Syntax } from '../text.ts';
import { looseOperands, unwrapped, writeText } from '../text.ts';
import { wgslFunctions } from './functions.ts';
import { wgslReserved } from './reserved.ts';

/** Invocations of one workgroup. */
export const WORKGROUP_SIZE = 64;
/** As many workgroups as every WebGPU device takes along one dimension. */
export const WIDEST_DISPATCH = 65535;

/** So many workgroups, or a few more: one row of them, or several if one would be too long. */
export const wide = (count: number): readonly [number, number] =>
  count <= WIDEST_DISPATCH ? [count, 1] : [WIDEST_DISPATCH, Math.ceil(count / WIDEST_DISPATCH)];

/** How many workgroups a kernel is dispatched with. */
export const workgroups = (invocations: number): readonly [number, number] =>
  wide(Math.ceil(invocations / WORKGROUP_SIZE));

/** `let invocation = ...` for such a dispatch, and the end of those that are too many. */
export function invocationLines(invocations: number): string[] {
  const isWide = workgroups(invocations)[1] > 1;
  return [
    `  let invocation = ${isWide ? `id.y * ${WIDEST_DISPATCH * WORKGROUP_SIZE}u + id.x` : 'id.x'};`,
    ...(invocations % WORKGROUP_SIZE || isWide ? [`  if (invocation >= ${invocations}u) { return; }`] : []),
  ];
}

/** The shortest decimal that stands for the same f32. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = value.toPrecision(digits);
    if (Math.fround(Number(text)) === value) return String(Number(text));
  }
  return String(value);
}

function floatConstant(kernel: string, value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) {
    throw new Error(
      `kernel ${kernel}: the constant ${value} is no finite f32, and WGSL has no other. ` +
        'Use a large finite number (1e30, say) or a flag of its own.',
    );
  }
  // WGSL may fold -0.0 to 0.
  if (Object.is(single, -0)) return 'bitcast<f32>(0x80000000u)';
  const text = shortestFloat(Math.abs(single));
  const literal = /[.e]/.test(text) ? `${text}f` : `${text}.0f`;
  return single < 0 ? `(-${literal})` : literal;
}

function constant(kernel: string, { type, value }: ConstNode): string {
  switch (type) {
    case 'bool':
      return String(value === 1);
    case 'u32':
      return `${value >>> 0}u`;
    // The sign is no part of a literal, and 2147483648i does not exist.
    case 'i32':
      return value === -(2 ** 31) ? 'i32(-2147483648)' : value < 0 ? `(${value}i)` : `${value}i`;
    default:
      return floatConstant(kernel, value);
  }
}

const TYPES: Record<ScalarType, string> = { f32: 'f32', i32: 'i32', u32: 'u32', bool: 'bool' };
const ARITHMETIC: Partial<Record<PureOp, string>> = { add: '+', sub: '-', mul: '*', div: '/' };
const COMPARE: Partial<Record<PureOp, string>> = {
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
};
const BITWISE: Partial<Record<PureOp, string>> = { and: '&', or: '|', xor: '^' };
const LOGICAL: Partial<Record<PureOp, string>> = { and: '&&', or: '||', xor: '!=' };
/** Functions of WGSL that do what the operation of the same name asks for. */
const NATIVE = new Set<PureOp>([
  'min',
  'max',
  'abs',
  'sign',
  'floor',
  'ceil',
  'sqrt',
  'exp',
  'log',
  'countTrailingZeros',
]);
/** Operations that WGSL leaves inexact or undefined somewhere, and the functions written for them. */
const WRITTEN: Partial<Record<PureOp, string>> = {
  sin: 'sine',
  cos: 'cosine',
  tan: 'tangent',
  asin: 'arcSine',
  acos: 'arcCosine',
  atan: 'arcTangent',
  atan2: 'angleOf',
  tanh: 'hyperbolicTangent',
  pow: 'power',
  rem: 'remainder',
};

const isZero = (node: Node): boolean => node.op === 'const' && node.value === 0;

/** Integer `/` and `%`, 0 where the divisor is 0, as on the other devices. */
function integerDivision(node: PureNode, x: string, y: string): string {
  const divisor = node.args[1];
  const zero = node.type === 'u32' ? '0u' : '0i';
  const quotient = `(${x} ${node.op === 'div' ? '/' : '%'} ${y})`;
  if (divisor.op === 'const') return isZero(divisor) ? zero : quotient;
  return `select(${unwrapped(quotient)}, ${zero}, ${y} == ${zero})`;
}

function operation(node: PureNode, args: readonly string[]): string {
  const [x, y, z] = args;
  const { op, type } = node;
  if (type === 'f32') {
    if (ARITHMETIC[op]) {
      const [left, right] = looseOperands(node, args);
      return `(${left} ${ARITHMETIC[op]} ${right})`;
    }
    if (WRITTEN[op]) return `${WRITTEN[op]}(${args.map(unwrapped).join(', ')})`;
  }
  if (op === 'div' || op === 'rem') return integerDivision(node, x, y);
  if (ARITHMETIC[op]) return `(${x} ${ARITHMETIC[op]} ${y})`;
  if (COMPARE[op]) return `(${x} ${COMPARE[op]} ${y})`;
  if (BITWISE[op]) return `(${x} ${type === 'bool' ? LOGICAL[op] : BITWISE[op]} ${y})`;
  if (NATIVE.has(op)) return `${op}(${args.map(unwrapped).join(', ')})`;
  switch (op) {
    case 'neg':
      return type === 'u32' ? `(0u - ${x})` : `(-${x})`;
    case 'not':
      return type === 'bool' ? `(!${x})` : `(~${x})`;
    // Comparisons keep their parentheses: `(a < b, c > d)` would be read as a template.
    case 'select':
      return `select(${[z, y].map((of) => (type === 'bool' ? of : unwrapped(of))).join(', ')}, ${unwrapped(x)})`;
    case 'shiftLeft':
    case 'shiftRight': {
      const [, by] = node.args;
      const bits = by.op === 'const' ? `${by.value & 31}u` : `(${y} & 31u)`;
      return `(${x} ${op === 'shiftLeft' ? '<<' : '>>'} ${bits})`;
    }
    case 'toF32':
    case 'toI32':
    case 'toU32':
      return `${TYPES[type]}(${unwrapped(x)})`;
    case 'bitsToF32':
    case 'bitsOfF32':
      return `bitcast<${TYPES[type]}>(${unwrapped(x)})`;
    default:
      throw new Error(`WGSL has no ${op} of ${type}.`);
  }
}

const word = (buffer: 'f32' | 'u32', offset: number, address: string): string => {
  const at = address === '0u' ? `${offset}u` : offset === 0 ? unwrapped(address) : `${offset}u + ${address}`;
  return `${buffer === 'f32' ? 'floats' : 'words'}[${at}]`;
};

const arrayType = (type: ArrayType): string => `array<${TYPES[scalarOf(type)]}, ${lengthOf(type)}>`;

function syntaxOf(kernel: BoundKernel): Syntax {
  return {
    constant: (node) => constant(kernel.name, node),
    register: (name) => `registers.${name}`,
    word: (node, address) => {
      const text = word(node.type === 'f32' ? 'f32' : 'u32', node.offset, address);
      return node.type === 'i32' ? `bitcast<i32>(${text})` : text;
    },
    operation,
    declare: (_, name, value) => `let ${name} = ${value};`,
    declareVariable: (node, name, value) =>
      `var ${name}: ${TYPES[scalarOf(node.type)]}${value === null ? '' : ` = ${value}`};`,
    counter: (name, start) => `var ${name} = ${start}`,
    forever: 'loop {',
    declareArray: (name, type) => `var ${name}: ${arrayType(type)};`,
    fill: (array, type, value, counter) =>
      /^0(u|i|\.0f)$/.test(value)
        ? `${array} = ${arrayType(type)}();`
        : `for (var ${counter} = 0u; ${counter} < ${lengthOf(type)}u; ${counter}++) { ${array}[${counter}] = ${value}; }`,
    copy: (to, from) => `${to} = ${from};`,
    store: (buffer, offset, address, value, type) =>
      `${word(buffer, offset, address)} = ${type === 'i32' ? `bitcast<u32>(${value})` : value};`,
    reserved: wgslReserved,
  };
}

export const REGISTERS_STRUCT = `struct Registers { ${REGISTERS.map((name) => `${name}: u32`).join(', ')} }`;
/** What every kernel is bound to, as WGSL: both arenas... */
export const ARENAS = `@group(0) @binding(0) var<storage, read_write> floats: array<f32>;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;`;
/** ...and the row of registers of this dispatch. */
export const REGISTERS_BINDING = '@group(0) @binding(2) var<uniform> registers: Registers;';

/** A kernel as a function of the invocation and a row of registers. */
export const kernelFunction = (kernel: BoundKernel, name: string): string =>
  [
    `fn ${name}(invocation: u32, registers: Registers) {`,
    writeText(kernel, syntaxOf(kernel), '  '),
    '}',
    '',
  ].join('\n');

/**
 * WGSL source of a compute shader with the entry point `main`: the f32 arena at binding 0, the u32 arena at 1, the
 * registers (`REGISTERS`, one u32 each) at 2, all in group 0. Dispatch it with {@link workgroups}.
 *
 * Sines, arcs and powers are functions of the shader itself where WGSL promises too few digits or nothing at all.
 *
 * @throws when the kernel has a constant that is no finite f32.
 */
export function wgslSource(kernel: BoundKernel): string {
  const body = writeText(kernel, syntaxOf(kernel), '  ');
  return [
    `// ${kernel.name}, ${kernel.invocations} invocations`,
    REGISTERS_STRUCT,
    ARENAS,
    REGISTERS_BINDING,
    '',
    ...wgslFunctions(body),
    `@compute @workgroup_size(${WORKGROUP_SIZE})`,
    'fn main(@builtin(global_invocation_id) id: vec3u) {',
    ...invocationLines(kernel.invocations),
    body,
    '}',
    '',
  ].join('\n');
}
