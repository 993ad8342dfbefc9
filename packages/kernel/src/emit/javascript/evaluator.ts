import { GradsimError } from '@gradsim/base';
import type { PureNode } from '../../form/nodes.ts';
import type { ScalarType } from '../../form/types.ts';
import { lengthOf, scalarOf } from '../../form/types.ts';
import { everyStatement } from '../../form/walk.ts';
import { call, functionText, isInMath, unwrapped } from '../../primitives/texts.ts';
import type { BoundKernel } from '../bound-kernel.ts';
import type { Syntax } from '../text.ts';
import { writeText } from '../text.ts';

function operation(node: PureNode, args: readonly string[]): string {
  const { javascript, evaluate, called } = node.overload;
  if (javascript) return javascript(args, node);
  if (!evaluate)
    throw new GradsimError('kernel/no-instruction', `The evaluator in JavaScript has no ${node.primitive.name}.`);
  return call(isInMath(evaluate) ? functionText(evaluate) : `functions.${called}`)(args, node);
}

/**
 * Returns source text of the `evaluate` functions of operations without a JavaScript expression, for generated code to
 * call.
 */
function functionsOf({ root }: BoundKernel): string[] {
  const known = new Map<string, string>();
  for (const node of everyStatement(root)) {
    if (node.op !== 'pure' || node.overload.javascript) continue;
    const { called, evaluate } = node.overload;
    if (!isInMath(evaluate)) known.set(called, `  ${called}: ${functionText(evaluate)},`);
  }
  return known.size === 0 ? [] : ['const functions = {', ...known.values(), '};'];
}

const wordIndex = (offset: number, address: string): string =>
  offset === 0 ? unwrapped(address) : `${offset} + ${address}`;

const ARRAYS: Partial<Record<ScalarType, string>> = {
  f32: 'Float64Array',
  i32: 'Int32Array',
  u32: 'Uint32Array',
};

const syntaxOf = ({ registers }: BoundKernel): Syntax => ({
  constant: ({ type, value }) => {
    if (type === 'bool') return String(value === 1);
    return Object.is(value, -0) ? '(-0)' : value < 0 ? `(${value})` : String(value);
  },
  register: (name) => `R[${registers.indexOf(name)}]`,
  word: (node, offset, address) => {
    const text = `${node.type === 'f32' ? 'F' : 'U'}[${wordIndex(offset, address)}]`;
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
  add: (offset, address, value) => `F[${wordIndex(offset, address)}] += ${value};`,
  reserved: new Set(
    (
      'F U R functions invocation begin end Math arguments await break case catch class const continue debugger default delete do ' +
      'else enum eval export extends false finally for function if implements import in instanceof interface let new null ' +
      'package private protected public return static super switch this throw true try typeof undefined NaN Infinity var ' +
      'void while with yield'
    ).split(' '),
  ),
});

/** Returns the JavaScript source of `(F, U, R, begin, end) => void`: F and U are the arenas, R the registers. */
export function javascriptSource(kernel: BoundKernel): string {
  const body = writeText(kernel, syntaxOf(kernel), '  ');
  return [
    ...functionsOf(kernel),
    'for (let invocation = begin; invocation < end; invocation++) {',
    body,
    '}',
    `//# sourceURL=gradsim-${kernel.name}.js`,
  ].join('\n');
}
