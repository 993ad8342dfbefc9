import type { Binding, Node, Overload, Text } from '../form/nodes.ts';
import type { ScalarType } from '../form/types.ts';

/** Returns the text without the parentheses around all of it, if any. */
export function unwrapped(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  for (let k = 0; k < text.length - 1; k++) {
    if (text[k] === '(') depth++;
    else if (text[k] === ')' && --depth === 0) return text;
  }
  return text.slice(1, -1);
}

export const call =
  (name: string): Text =>
  (args) =>
    `${name}(${args.map(unwrapped).join(', ')})`;

/** Returns a function as an expression: its name in Math, or its source text. */
export const functionText = (fn: (...args: number[]) => number): string =>
  isInMath(fn) ? `Math.${fn.name}` : `(${fn})`;
export const isInMath = (fn: (...args: number[]) => number): boolean => Reflect.get(Math, fn.name) === fn;

/** Returns a writer of `(before argument behind)`. */
export const wrappedIn =
  (prefix: string, suffix = ''): Text =>
  ([x]) =>
    `(${prefix}${x}${suffix})`;

const bindingOf = (node: Node): Binding | undefined => (node.op === 'pure' ? node.overload.binds : undefined);

/**
 * Returns a writer of `(x symbol y)`, without parentheses around x or y that precedence makes redundant; the order of
 * evaluation stays the same.
 */
export const infix =
  (symbol: string): Text =>
  ([x, y], { overload: { binds }, args: [left, right] }) => {
    const [l, r] = [bindingOf(left), bindingOf(right)];
    const isLoose = binds === 'sum' ? l !== undefined : binds === 'product' && l === 'product';
    const isLooseRight = binds === 'sum' && r === 'product';
    return `(${isLoose ? unwrapped(x) : x} ${symbol} ${isLooseRight ? unwrapped(y) : y})`;
  };

/**
 * Wraps integer results, computed in doubles, to the range of their type, as on the devices. Floats and conditions
 * stay.
 */
export function rangedText(
  type: ScalarType,
  evaluate: (...args: number[]) => number,
  text: Text,
): Pick<Overload, 'evaluate' | 'javascript'> {
  const into = { u32: ' >>> 0', i32: ' | 0', f32: null, bool: null }[type];
  if (into === null) return { evaluate, javascript: text };
  return {
    evaluate: type === 'u32' ? (...args) => evaluate(...args) >>> 0 : (...args) => evaluate(...args) | 0,
    javascript: (args, node) => `(${text(args, node)}${into})`,
  };
}
