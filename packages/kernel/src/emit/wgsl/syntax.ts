import { GradsimError } from '@gradsim/base';
import type { ConstNode, PureNode } from '../../form/nodes.ts';
import type { ArrayType } from '../../form/types.ts';
import { lengthOf, scalarOf } from '../../form/types.ts';
import { call, unwrapped } from '../../primitives/texts.ts';
import type { Syntax } from '../text.ts';
import { wgslReserved } from './reserved.ts';

/** Largest finite f32. */
const LARGEST_FLOAT = (2 - 2 ** -23) * 2 ** 127;

/** Returns the shortest decimal that rounds to the same f32. WGSL refuses one above the largest f32, though it rounds to it. */
function shortestFloat(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const decimal = Number(value.toPrecision(digits));
    if (Math.fround(decimal) === value && decimal <= LARGEST_FLOAT) return String(decimal);
  }
  return String(value);
}

/** Returns the text of a float that is finite in single precision; WGSL has no literals for others. */
export function finiteFloat(value: number): string {
  const single = Math.fround(value);
  // WGSL may fold -0.0 to 0.
  if (Object.is(single, -0)) return 'bitcast<f32>(0x80000000u)';
  const text = shortestFloat(Math.abs(single));
  const literal = /[.e]/.test(text) ? `${text}f` : `${text}.0f`;
  return single < 0 ? `(-${literal})` : literal;
}

function wholeConstant({ type, value }: ConstNode): string {
  if (type === 'bool') return String(value === 1);
  if (type === 'u32') return `${value >>> 0}u`;
  // The sign is no part of a literal, and 2147483648i does not exist.
  return value === -(2 ** 31) ? 'i32(-2147483648)' : value < 0 ? `(${value}i)` : `${value}i`;
}

const word = (buffer: 'f32' | 'u32', offset: number, address: string): string => {
  const at = address === '0u' ? `${offset}u` : offset === 0 ? unwrapped(address) : `${offset}u + ${address}`;
  return `${buffer === 'f32' ? 'floats' : 'words'}[${at}]`;
};

/** Returns the WGSL name of register number `k`: its own name, or a numbered one where WGSL does not allow that. */
export const registerName = (name: string, k: number): string =>
  /^[A-Za-z]\w*$/.test(name) && !wgslReserved.has(name) ? name : `register${k}`;

function operation(node: PureNode, args: readonly string[]): string {
  const { wgsl, lowering, inSingle, called } = node.overload;
  if (!wgsl && !lowering && !inSingle)
    throw new GradsimError('kernel/no-instruction', `WGSL has no ${node.primitive.name}.`);
  return (wgsl ?? call(called))(args, node);
}

const arrayType = (type: ArrayType): string => `array<${scalarOf(type)}, ${lengthOf(type)}>`;

/** Syntax of WGSL, with f32 constants written by `float`. */
export const wgslSyntax = (float: (value: number) => string, registers: readonly string[] = []): Syntax => ({
  constant: (node) => (node.type === 'f32' ? float(node.value) : wholeConstant(node)),
  register: (name) => `registers.${registerName(name, registers.indexOf(name))}`,
  word: (node, offset, address) => {
    const text = word(node.type === 'f32' ? 'f32' : 'u32', offset, address);
    return node.type === 'i32' ? `bitcast<i32>(${text})` : text;
  },
  operation,
  declare: (_, name, value) => `let ${name} = ${value};`,
  declareVariable: (node, name, value) => `var ${name}: ${scalarOf(node.type)}${value === null ? '' : ` = ${value}`};`,
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
  add: (offset, address, value) => `${word('f32', offset, address)} += ${value};`,
  reserved: wgslReserved,
});
