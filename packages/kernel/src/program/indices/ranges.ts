import type { Block, LoadNode, Node, Primitive, PureNode } from '../../form/nodes.ts';
import { isFloat } from '../../form/types.ts';
import { everyStatement } from '../../form/walk.ts';
import { NO_ELEMENT } from '../../language/fields/no-element.ts';
import * as primitives from '../../primitives/index.ts';
import { argumentsOf } from '../../primitives/primitive.ts';

/** Bounds on the value of a scalar, both inclusive; infinite for a float about which nothing is known. */
export interface IndexRange {
  readonly low: number;
  readonly high: number;
  /** True if the value derives from a float conversion: devices differ in their treatment of NaN. */
  readonly isFromFloat: boolean;
  /** True if the value may be `NO_ELEMENT`, which the bounds do not include. */
  readonly mayBeNone: boolean;
}

/**
 * Assumptions of {@link rangesOf} beyond the kernel itself: number of its elements, and bounds of the indices that it
 * loads.
 */
export interface LoadFacts {
  /** Number of elements that the kernel runs over. */
  readonly elements: number;
  /** Returns the size of the domain that an index field points into; null for a load of anything else. */
  readonly sizeOfTarget: (load: LoadNode) => number | null;
  /** Returns whether a loaded integer may be `NO_ELEMENT`. */
  readonly mayBeNone: (load: LoadNode) => boolean;
}

/** Largest unsigned 32-bit integer. */
const LARGEST_U32 = 2 ** 32 - 1;

/**
 * Computes bounds on the values of a kernel by interval arithmetic: R. E. Moore, Interval Analysis, 1966. Rounding is
 * monotone, so bounds rounded as the device rounds are valid.
 */
export function rangesOf(root: Block, facts: LoadFacts): (node: Node) => IndexRange {
  const known = new Map<Node, IndexRange>();
  const rangeOf = (node: Node): IndexRange => {
    const before = known.get(node);
    if (before) return before;
    const found = find(node);
    known.set(node, found);
    return found;
  };

  const find = (node: Node): IndexRange => {
    switch (node.op) {
      case 'const':
        if (node.type === 'u32' && node.value === NO_ELEMENT) return ONLY_NO_ELEMENT;
        return range(node.value, node.value);
      case 'builtin':
        return node.builtin === 'element' ? range(0, Math.max(0, facts.elements - 1)) : anyOf(node);
      case 'load': {
        const mayBeNone = node.type === 'u32' && facts.mayBeNone(node);
        const size = facts.sizeOfTarget(node);
        return { ...(size === null ? anyOf(node) : range(0, Math.max(0, size - 1))), mayBeNone };
      }
      case 'counter': {
        const loop = node.block.loop;
        if (!loop) return anyOf(node);
        const [start, end] = [loop.start, loop.end].map((node) => asNumber(rangeOf(node)));
        // Wherever the counter starts, it stays below its end.
        const low = start.isFromFloat ? 0 : start.low;
        return { ...range(low, Math.max(low, end.high - 1)), isFromFloat: end.isFromFloat };
      }
      case 'param':
      case 'get':
        return kept(node);
      case 'result': {
        const { region, position } = node;
        if (region.op !== 'if') return kept(node);
        const [yes, no] = [region.then, region.otherwise].map((side) => rangeOf(side.results[position]));
        return union(yes, no);
      }
      case 'pure':
        return ofOperation(node);
      default:
        return anyOf(node);
    }
  };

  let comesUpon: boolean | undefined;
  /**
   * Returns the range of a value carried by loops or stored in arrays: any value of its type, and `NO_ELEMENT` if that
   * occurs in the kernel.
   */
  const kept = (node: Node): IndexRange => {
    if (node.type !== 'u32') return anyOf(node);
    comesUpon ??= everyStatement(root).some(
      (one) =>
        (one.op === 'const' && one.type === 'u32' && one.value === NO_ELEMENT) ||
        (one.op === 'load' && one.type === 'u32' && facts.mayBeNone(one)),
    );
    return { ...anyOf(node), mayBeNone: comesUpon };
  };

  const ofOperation = (node: PureNode): IndexRange => {
    const { primitive, args, type } = node;
    if (primitive === primitives.select) return union(rangeOf(args[1]), rangeOf(args[2]));
    if (primitive === primitives.detach) return rangeOf(args[0]);
    const rule = RANGE_RULES.get(primitive);
    const ranges = args.map((arg) => asNumber(rangeOf(arg)));
    const bounds = rule?.(ranges, node);
    const isFromFloat =
      (isFloat(type) ? false : args.some((arg) => arg.type === 'f32')) || ranges.some((r) => r.isFromFloat);
    if (!bounds || !fits(bounds, node)) return { ...anyOf(node), isFromFloat };
    // Whatever devices make of NaN, a minimum is not above its other operands.
    const isBelow = primitive === primitives.min && ranges.some((r) => !r.isFromFloat && r.high === bounds[1]);
    if (type === 'u32' && isFromFloat && isBelow) return range(0, bounds[1]);
    return { ...range(bounds[0], bounds[1]), isFromFloat };
  };
  return rangeOf;
}

/** Returns whether a value is an index of one of `size` elements, on every device. */
export const isIndexOf = ({ high, mayBeNone, isFromFloat }: IndexRange, size: number): boolean =>
  high < size && !mayBeNone && !isFromFloat;

const range = (low: number, high: number): IndexRange => ({ low, high, isFromFloat: false, mayBeNone: false });
/** Range that contains no value but `NO_ELEMENT`: its bounds are the identity of the union. */
const ONLY_NO_ELEMENT: IndexRange = { ...range(Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY), mayBeNone: true };

const TYPE_BOUNDS = { u32: [0, LARGEST_U32], i32: [-(2 ** 31), 2 ** 31 - 1] } as const;

const boundsOfType = ({ type }: Node): Bounds =>
  type === 'u32' || type === 'i32' ? TYPE_BOUNDS[type] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

const anyOf = (node: Node): IndexRange => range(...boundsOfType(node));

/** Returns the range for an operation without a rule for `NO_ELEMENT`: any u32 if the value may be that. */
const asNumber = (x: IndexRange): IndexRange =>
  x.mayBeNone ? { ...range(0, LARGEST_U32), isFromFloat: x.isFromFloat } : x;

const eitherFromFloat = (x: IndexRange, y: IndexRange): boolean => x.isFromFloat || y.isFromFloat;

const union = (x: IndexRange, y: IndexRange): IndexRange => ({
  low: Math.min(x.low, y.low),
  high: Math.max(x.high, y.high),
  isFromFloat: eitherFromFloat(x, y),
  mayBeNone: x.mayBeNone || y.mayBeNone,
});

/**
 * Returns whether bounds of the exact result lie within the type's range. Otherwise an integer may wrap to any value.
 */
function fits([low, high]: Bounds, node: Node): boolean {
  const [least, most] = boundsOfType(node);
  return least <= low && low <= high && high <= most;
}

type Bounds = readonly [low: number, high: number];
type Rule = (args: readonly IndexRange[], node: PureNode) => Bounds | null;

/** Returns a rule for an operation that is monotone in each argument: the smallest and largest result at the bounds. */
const corners =
  (f: (x: number, y: number) => number): Rule =>
  ([x, y], { type }) => {
    const all = [f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)];
    const [low, high] = [Math.min(...all), Math.max(...all)];
    return type === 'f32' ? [rounded(low, -1), rounded(high, 1)] : [low, high];
  };

/** Rounds a bound so that it holds in single and in double precision. */
const rounded = (x: number, side: -1 | 1): number => side * Math.max(side * x, side * Math.fround(x));

const constantOf = (node: Node): number | null => (node.op === 'const' ? node.value : null);

/** Bounds of a quotient, only for a divisor above 0: integer division by 0 returns 0. */
const quotient: Rule = (args, node) => {
  const [x, y] = args;
  if (!(y.low > 0)) return null;
  if (node.type === 'f32') return corners((a, b) => a / b)(args, node);
  return node.type === 'u32' ? [Math.floor(x.low / y.high), Math.floor(x.high / y.low)] : null;
};

const remainder: Rule = ([x, y], { type }) => (type === 'u32' && y.low > 0 ? [0, Math.min(x.high, y.high - 1)] : null);

/** Bounds of x - (x / c) c, integer arithmetic with a constant c: a remainder. */
const wholeRemainder: Rule = ([x], { args: [of, multiple], type }) => {
  if (type !== 'u32') return null;
  const [quotient, c] = argumentsOf(multiple, primitives.mul) ?? [];
  const [divided, by] = (quotient && argumentsOf(quotient, primitives.div)) || [];
  if (divided !== of || c === undefined || by !== c || c.op !== 'const' || c.value === 0) return null;
  return [0, Math.min(x.high, c.value - 1)];
};

/** Bounds of a conversion to u32: it truncates, clamps values out of range, and turns NaN into 0. */
const toWhole: Rule = ([x], { args: [arg], type }) => {
  if (type !== 'u32') return null;
  if (arg.type === 'u32') return [x.low, x.high];
  if (arg.type === 'bool') return [0, 1];
  if (arg.type === 'i32') return x.low >= 0 ? [x.low, x.high] : null;
  const limited = (value: number): number => Math.floor(Math.min(Math.max(value, 0), LARGEST_U32));
  return [0, limited(x.high)];
};

const RANGE_RULES = new Map<Primitive, Rule>([
  [primitives.add, corners((x, y) => x + y)],
  [primitives.sub, (args, node) => wholeRemainder(args, node) ?? corners((x, y) => x - y)(args, node)],
  [primitives.mul, corners((x, y) => x * y)],
  [primitives.div, quotient],
  [primitives.rem, remainder],
  [primitives.min, ([x, y]) => [Math.min(x.low, y.low), Math.min(x.high, y.high)]],
  [primitives.max, ([x, y]) => [Math.max(x.low, y.low), Math.max(x.high, y.high)]],
  [primitives.floor, ([x]) => [Math.floor(x.low), Math.floor(x.high)]],
  [primitives.and, ([x, y], { type }) => (type === 'u32' ? [0, Math.min(x.high, y.high)] : null)],
  [
    primitives.shiftRight,
    ([x], { args: [, by], type }) => {
      const bits = constantOf(by);
      return type === 'u32' && bits !== null ? [x.low >>> bits, x.high >>> bits] : null;
    },
  ],
  [primitives.countTrailingZeros, () => [0, 32]],
  [primitives.toU32, toWhole],
  [primitives.toF32, ([x], { args: [arg] }) => (arg.type === 'u32' ? [x.low, x.high] : null)],
]);
