import type { Node } from '../support/syntax.ts';
import { isNode, nodesOf, walk } from '../support/syntax.ts';
import { OPERATORS } from './operators.ts';

/** One deliberate mistake: a stretch of a file's text and what stands there instead. */
export interface Break {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  /** Counted from 1. */
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

/**
 * All breaks of a TypeScript file, in the order of the text. What only words an error, checks input or says types is left
 * out: a break there gives no wrong derivative. In `scope: 'derivative'`, only what stands in a property of that name.
 */
export function breaksOf(text: string, scope: 'file' | 'derivative' = 'file'): readonly Break[] {
  const found: Break[] = [];
  const textOf = (node: Node): string => text.slice(node.start, node.end);
  walk(text, (node, within) => {
    if (isSpoken(node) || node.type.startsWith('TS') || node.type === 'ImportDeclaration') return false;
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

/** Text of the file with one break in it. */
export const broken = (text: string, { start, end, to }: Break): string => text.slice(0, start) + to + text.slice(end);

const isDerivative = (node: Node): boolean =>
  node.type === 'Property' && isNode(node.key) && node.key.name === 'derivative';

/** Throws, and checks that do nothing else; templates, which are words; functions that refuse. */
function isSpoken(node: Node): boolean {
  if (node.type === 'ThrowStatement' || node.type === 'TemplateLiteral') return true;
  if (node.type === 'IfStatement')
    return node.alternate === null && isNode(node.consequent) && throwsOnly(node.consequent);
  if (node.type === 'ExpressionStatement') return isNode(node.expression) && isSpoken(node.expression);
  const name = isNode(node.id) ? String(node.id.name) : isNode(node.callee) ? String(node.callee.name) : '';
  return /^(refuse|check|describe)[A-Z]/.test(name);
}

const throwsOnly = (node: Node): boolean =>
  node.type === 'ThrowStatement' ||
  (node.type === 'BlockStatement' && nodesOf(node.body).at(-1)?.type === 'ThrowStatement');
