import type { Node, PureNode } from '../form/nodes.ts';
import { add, div, min, mul, sub } from '../primitives/arithmetic.ts';
import { argumentsOf } from '../primitives/primitive.ts';

/**
 * Returns the largest value of a whole number of a bound kernel, such as an address, with registers counted as 0 (the
 * host sets them, not data). Null if it depends on data without a bound, or if an unsigned difference might wrap.
 */
export function largestWhole(invocations: number): (node: Node) => number | null {
  const known = new Map<Node, number | null>();
  const both = (args: readonly Node[], f: (x: number, y: number) => number): number | null => {
    const [x, y] = args.map(largest);
    return x === null || y === null ? null : f(x, y);
  };
  const find = (node: Node): number | null => {
    switch (node.op) {
      case 'const':
        return node.value >= 0 ? node.value : null;
      case 'builtin':
        return invocations - 1;
      case 'register':
        return 0;
      case 'pure':
        return ofOperation(node);
      default:
        return null;
    }
  };
  const ofOperation = ({ primitive, args }: PureNode): number | null => {
    const [x, y] = args;
    switch (primitive) {
      case add:
        return both(args, (a, b) => a + b);
      case mul:
        return both(args, (a, b) => a * b);
      case min: {
        const known = [x, y].map(largest).filter((bound) => bound !== null);
        return known.length > 0 ? Math.min(...known) : null;
      }
      case div:
        return y.op === 'const' && y.value > 0 ? both(args, (a, b) => Math.floor(a / b)) : null;
      // x - (x / c) c: a remainder.
      case sub: {
        const [quotient, c] = argumentsOf(y, mul) ?? [];
        const divided = quotient && argumentsOf(quotient, div);
        return divided?.[0] === x && divided[1] === c ? both([x, c], (a, size) => Math.min(a, size - 1)) : null;
      }
      default:
        return null;
    }
  };
  const largest = (node: Node): number | null => {
    if (node.type !== 'u32') return null;
    if (!known.has(node)) known.set(node, find(node));
    return known.get(node)!;
  };
  return largest;
}
