import type { PureNode } from '../../language/form.ts';
import { REGISTERS } from '../../language/form.ts';
import type { Overload } from '../../primitives/primitive.ts';
import { PRIMITIVES } from '../../primitives/table.ts';
import { call, unwrapped } from '../../primitives/texts.ts';
import type { BoundKernel } from '../bind.ts';
import type { Syntax } from '../text.ts';
import { writeText } from '../text.ts';

/** What generated code calls: the evaluation of operations that JavaScript has no expression for. */
export const FUNCTIONS: Readonly<Record<string, Overload['evaluate']>> = Object.fromEntries(
  PRIMITIVES.flatMap(({ overloads }) => overloads.map((o) => [o.called, o.evaluate])),
);

function operation(node: PureNode, args: readonly string[]): string {
  const { javascript, evaluate, called } = node.overload;
  const isInMath = Reflect.get(Math, evaluate.name) === evaluate;
  return (javascript ?? call(isInMath ? `Math.${evaluate.name}` : `functions.${called}`))(args, node);
}

const wordIndex = (offset: number, address: string): string =>
  offset === 0 ? unwrapped(address) : `${offset} + ${address}`;

const syntax: Syntax = {
  constant: ({ type, value }) => {
    if (type === 'bool') return String(value === 1);
    return Object.is(value, -0) ? '(-0)' : value < 0 ? `(${value})` : String(value);
  },
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
  store: (buffer, offset, address, value) =>
    `${buffer === 'f32' ? 'F' : 'U'}[${wordIndex(offset, address)}] = ${value};`,
  reserved: new Set(
    (
      'F U R functions invocation begin end Math arguments await break case catch class const continue debugger default delete do ' +
      'else enum eval export extends false finally for function if implements import in instanceof interface let new null ' +
      'package private protected public return static super switch this throw true try typeof undefined NaN Infinity var ' +
      'void while with yield'
    ).split(' '),
  ),
};

/** JavaScript source of `(F, U, R, functions, begin, end) => void`: F and U the arenas, R the registers. */
export const javascriptSource = (kernel: BoundKernel): string =>
  [
    `for (let invocation = begin; invocation < end; invocation++) {`,
    writeText(kernel, syntax, '  '),
    '}',
    `//# sourceURL=gradsim-${kernel.name}.js`,
  ].join('\n');
