import type { Node } from '../support/syntax.ts';
import { isNode, nodesOf } from '../support/syntax.ts';

/** Returns the replacement text of a syntax node, or null if the operator does not apply to that node. */
export type Operator = (node: Node, textOf: (node: Node) => string, parent: Node | undefined) => string | null;

/** Returns the text of `node` with the text of its child `child` replaced by `text`. */
const withChild = (node: Node, child: Node, text: string, textOf: (node: Node) => string): string => {
  const whole = textOf(node);
  return whole.slice(0, child.start - node.start) + text + whole.slice(child.end - node.start);
};

const exchangeNodes =
  (type: string, pairs: Readonly<Record<string, string>>): Operator =>
  (node, textOf) => {
    const [left, right] = [node.left, node.right];
    if (node.type !== type || !isNode(left) || !isNode(right)) return null;
    const other = pairs[String(node.operator)];
    return other === undefined ? null : `${textOf(left)} ${other} ${textOf(right)}`;
  };

/** Replacement of each method of a kernel builder, as in `b.add(x, y)`. */
const METHOD_EXCHANGES: Readonly<Record<string, string>> = { add: 'sub', sub: 'add', mul: 'div', div: 'mul' };
/** Replacement of each operation that is passed by name, as in `b.pure('lt', x, y)`. */
const OPERATION_EXCHANGES: Readonly<Record<string, string>> = {
  lt: 'ge',
  ge: 'lt',
  gt: 'le',
  le: 'gt',
  eq: 'ne',
  ne: 'eq',
  sin: 'cos',
  cos: 'sin',
  min: 'max',
  max: 'min',
};

const exchangeCalledMethod = (node: Node): { readonly object: Node; readonly name: Node } | null => {
  const { callee } = node;
  if (node.type !== 'CallExpression' || !isNode(callee) || callee.type !== 'MemberExpression') return null;
  return isNode(callee.object) && isNode(callee.property) && callee.property.type === 'Identifier'
    ? { object: callee.object, name: callee.property }
    : null;
};

/** Mutation operators by name: typical programming slips. The mutated program still compiles. */
export const OPERATORS: Readonly<Record<string, Operator>> = {
  comparison: exchangeNodes('BinaryExpression', {
    '<': '<=',
    '<=': '<',
    '>': '>=',
    '>=': '>',
    '===': '!==',
    '!==': '===',
  }),
  arithmetic: exchangeNodes('BinaryExpression', { '+': '-', '-': '+', '*': '+', '/': '*', '%': '+' }),
  /** Drops the right operand of `&&` or `||`. */
  logic: (node, textOf) =>
    node.type === 'LogicalExpression' && node.operator !== '??' && isNode(node.left) ? textOf(node.left) : null,
  condition: (node, textOf) => {
    const { test, consequent, alternate } = node;
    if (!isNode(test) || !isNode(consequent)) return null;
    if (node.type === 'IfStatement') return withChild(node, test, `!(${textOf(test)})`, textOf);
    if (node.type !== 'ConditionalExpression' || !isNode(alternate)) return null;
    return `(${textOf(test)}) ? (${textOf(alternate)}) : (${textOf(consequent)})`;
  },
  /** Drops a call statement, whose result is unused. */
  call: (node) =>
    node.type === 'ExpressionStatement' && isNode(node.expression) && node.expression.type === 'CallExpression'
      ? ';'
      : null,
  method: (node, textOf) => {
    const called = exchangeCalledMethod(node);
    if (!called || nodesOf(node.arguments).length !== 2) return null;
    const other = METHOD_EXCHANGES[String(called.name.name)];
    return other === undefined ? null : withChild(node, called.name, other, textOf);
  },
  operation: (node, textOf) => {
    const called = exchangeCalledMethod(node);
    const [first] = nodesOf(node.arguments);
    if (called?.name.name !== 'pure' || first?.type !== 'Literal') return null;
    const other = OPERATION_EXCHANGES[String(first.value)];
    return other === undefined ? null : withChild(node, first, `'${other}'`, textOf);
  },
  /** Drops a negation: replaces `b.neg(x)` by `x`. */
  sign: (node, textOf) => {
    const called = exchangeCalledMethod(node);
    const [argument] = nodesOf(node.arguments);
    return called?.name.name === 'neg' && argument ? textOf(argument) : null;
  },
  /** Exchanges the first two arguments of a call. */
  argument: (node, textOf) => {
    const [first, second, ...others] = nodesOf(node.arguments);
    if (node.type !== 'CallExpression' || !first || !second || others.length > 1) return null;
    if ([first, second].some(({ type }) => type !== 'Identifier')) return null;
    return withChild(node, { ...first, end: second.end }, `${textOf(second)}, ${textOf(first)}`, textOf);
  },
  /** Drops a call of `reverse()` or `toReversed()`. */
  order: (node, textOf) => {
    const called = exchangeCalledMethod(node);
    return called && (called.name.name === 'reverse' || called.name.name === 'toReversed')
      ? textOf(called.object)
      : null;
  },
  /** Replaces a list spread into an array by an empty one. */
  list: (node, _, parent) => {
    if (node.type !== 'SpreadElement' || parent?.type !== 'ArrayExpression') return null;
    return nodesOf(parent.elements).length > 1 ? '...[]' : null;
  },
  /** Replaces a variable index by 0. */
  element: (node, textOf) => {
    const { object, property } = node;
    if (node.type !== 'MemberExpression' || !node.computed || !isNode(object) || !isNode(property)) return null;
    return property.type === 'Identifier' ? `${textOf(object)}[0]` : null;
  },
  /** Replaces 0 by 1, 1 by 0, or a boolean by its opposite. */
  literal: (node, _, parent) => {
    if (node.type !== 'Literal' || parent?.type === 'MemberExpression' || parent?.type === 'ImportDeclaration')
      return null;
    if (typeof node.value === 'boolean') return String(!node.value);
    return node.value === 0 || node.value === 1 ? String(1 - node.value) : null;
  },
};
