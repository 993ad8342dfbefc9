import type { Node } from '../support/syntax.ts';
import { isNode, nodesOf, walk } from '../support/syntax.ts';
import { OPERATORS } from './operators.ts';

/** One deliberate mistake: a range of a file's text, and its replacement. */
export interface SourceMutation {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  /** Line number, from 1. */
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

/**
 * Returns all breaks of a TypeScript file, in text order. Error messages, input checks and types are left alone: a
 * break there gives no wrong derivative. With `scope: 'derivative'`, only code in properties named `derivative` is
 * broken.
 */
export function mutationsOf(text: string, scope: 'file' | 'derivative' = 'file'): readonly SourceMutation[] {
  const found: SourceMutation[] = [];
  const textOf = (node: Node): string => text.slice(node.start, node.end);
  walk(text, (node, within) => {
    if (onlyReportsErrors(node) || node.type.startsWith('TS') || node.type === 'ImportDeclaration') return false;
    if (scope === 'derivative' && !within.some(isDerivative)) return true;
    for (const [operator, apply] of Object.entries(OPERATORS)) {
      const to = apply(node, textOf, within.at(-1));
      if (to === null || to === textOf(node)) continue;
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ operator, start: node.start, end: node.end, line, from: textOf(node), to });
    }
    return true;
  });
  return found;
}

/** Returns the file's text with one break applied. */
export const applyMutation = (text: string, { start, end, to }: SourceMutation): string =>
  text.slice(0, start) + to + text.slice(end);

const isDerivative = (node: Node): boolean =>
  node.type === 'Property' && isNode(node.key) && node.key.name === 'derivative';

/**
 * Returns whether a node only reports errors: a `throw`, an `if` that only throws, a template literal, or a function or
 * call whose name starts with `refuse`, `check` or `describe`.
 */
function onlyReportsErrors(node: Node): boolean {
  if (node.type === 'ThrowStatement' || node.type === 'TemplateLiteral') return true;
  if (node.type === 'IfStatement')
    return node.alternate === null && isNode(node.consequent) && throwsOnly(node.consequent);
  if (node.type === 'ExpressionStatement') return isNode(node.expression) && onlyReportsErrors(node.expression);
  const name = isNode(node.id) ? String(node.id.name) : isNode(node.callee) ? String(node.callee.name) : '';
  return /^(refuse|check|describe)[A-Z]/.test(name);
}

const throwsOnly = (node: Node): boolean =>
  node.type === 'ThrowStatement' ||
  (node.type === 'BlockStatement' && nodesOf(node.body).at(-1)?.type === 'ThrowStatement');
