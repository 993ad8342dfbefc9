import { defect } from '@gradsim/base';
import type { Block, Loop, Node, PureNode, Region, ResultNode, WordNode } from '../../form/nodes.ts';
import { carryingBlocks, isRegion, operandsOf } from '../../form/walk.ts';
import { add, div, mul, sub } from '../../primitives/arithmetic.ts';
import { argumentsOf } from '../../primitives/primitive.ts';
import type { BoundKernel, Store } from '../bound-kernel.ts';
import { NodeMap } from '../node-map.ts';

/** Variation of a value between invocations. */
export interface Shape {
  /** True if the value is the same for all invocations of the kernel. */
  readonly invariant: boolean;
  /**
   * Increment of the value from one invocation to the next, within an aligned group of as many invocations as there are
   * lanes; 0 if it is the same in all. Null if unknown.
   */
  readonly stride: number | null;
}

/** Shapes of all values of a kernel. */
export type Shapes = NodeMap<Shape>;

const INVARIANT: Shape = { invariant: true, stride: 0 };
const ALL_LANES_EQUAL: Shape = { invariant: false, stride: 0 };
const ANY_LANES: Shape = { invariant: false, stride: null };

/** Key of the memory place of a load or store: equal if base, offset and address node are. */
const placeKey = (isFloat: boolean, { base, offset, address }: WordNode | Store): string =>
  `${isFloat}|${base}|${offset}|${address.id}`;

/** Finds the shape of every value of a kernel whose invocations run `lanes` side by side. */
export function laneShapes(kernel: BoundKernel, lanes: number): Shapes {
  const shapes = new NodeMap<Shape>();
  const stored = new Set(kernel.stores.map((s) => placeKey(s.buffer === 'f32', s)));
  const get = (node: Node): Shape => shapes.get(node)!;

  const pure = (node: PureNode): Shape => {
    const { args, type } = node;
    let [isInvariant, isSame] = [true, true];
    for (let k = 0; k < args.length; k++) {
      const { invariant, stride } = get(args[k]);
      isInvariant &&= invariant;
      isSame &&= stride === 0;
    }
    if (isInvariant) return INVARIANT;
    if (type === 'u32' || type === 'i32') {
      const y = args.length > 1 ? get(args[1]).stride : null;
      const stride = wholeStride(node, get(args[0]).stride, y, lanes);
      if (stride !== null) return { invariant: false, stride };
    }
    return isSame ? ALL_LANES_EQUAL : ANY_LANES;
  };

  const word = (node: WordNode): Shape => {
    const address = get(node.address);
    if (address.invariant && !stored.has(placeKey(node.type === 'f32', node))) return INVARIANT;
    return address.stride === 0 ? ALL_LANES_EQUAL : ANY_LANES;
  };

  const shapeOf = (node: Node): Shape => {
    if (node.op === 'const' || node.op === 'register') return INVARIANT;
    if (node.op === 'builtin') return { invariant: false, stride: 1 };
    if (node.op === 'word') return word(node);
    if (node.op === 'result') return resultShape(node);
    if (node.op === 'fill' || node.op === 'get' || node.op === 'set')
      return operandsOf(node).every((operand) => get(operand).stride === 0) ? ALL_LANES_EQUAL : ANY_LANES;
    if (node.op === 'pure') return pure(node);
    throw defect(`kernel ${kernel.name} holds a ${node.op} among what it computes`);
  };

  const block = (of: Block): void => {
    const { nodes } = of;
    for (let n = 0; n < nodes.length; n++) {
      const node = nodes[n];
      if (isRegion(node)) region(node);
      else shapes.set(node, shapeOf(node));
    }
  };

  const resultShape = ({ region: of, position }: ResultNode): Shape => {
    if (of.op !== 'if') return get(of.body.params[position]);
    const both = [of.then, of.otherwise].map((side) => side.results[position]);
    return [of.condition, ...both].every((n) => get(n).stride === 0) ? ALL_LANES_EQUAL : ANY_LANES;
  };

  const region = (of: Region): void => {
    if (of.op === 'if') for (const side of [of.then, of.otherwise]) block(side);
    else loop(of);
  };

  /** Iterates the shapes of carried values to a fixed point. */
  const loop = (of: Loop): void => {
    if (of.op === 'range') shapes.set(of.body.counter, get(of.start).stride === 0 ? ALL_LANES_EQUAL : ANY_LANES);
    const carried = of.initial.map((start): Shape => (get(start).stride === 0 ? ALL_LANES_EQUAL : ANY_LANES));
    for (let isChanged = true; isChanged; ) {
      isChanged = false;
      for (const inner of carryingBlocks(of)) {
        carried.forEach((shape, k) => {
          shapes.set(inner.params[k], shape);
        });
        block(inner);
      }
      const isTogether = controlOf(of).every((c) => get(c).stride === 0);
      of.body.results.forEach((result, k) => {
        if (carried[k] === ANY_LANES || (isTogether && get(result).stride === 0)) return;
        carried[k] = ANY_LANES;
        isChanged = true;
      });
    }
  };

  block(kernel.root);
  return shapes;
}

/** Returns the nodes that determine a loop's number of iterations. */
export const controlOf = (loop: Loop): readonly Node[] =>
  loop.op === 'range' ? [loop.start, loop.end] : [loop.condition];

function wholeStride({ primitive, args }: PureNode, x: number | null, y: number | null, lanes: number): number | null {
  const [left, right] = args;
  switch (primitive) {
    case add:
      return x === null || y === null ? null : x + y;
    case sub:
      return x === null || y === null ? null : x - y;
    case mul:
      if (right.op === 'const' && x !== null) return x * right.value;
      return left.op === 'const' && y !== null ? y * left.value : null;
    case div:
      // An aligned group never straddles a multiple of the divisor: all of its invocations share the quotient.
      return x === 1 && isWholeGroup(left, lanes) && right.op === 'const' && right.value % lanes === 0 ? 0 : null;
    default:
      return null;
  }
}

/**
 * Returns whether a value increases by one from lane to lane and is a multiple of the number of lanes in the first: the
 * invocation number, or that within its world.
 */
function isWholeGroup(node: Node, lanes: number): boolean {
  const sum = argumentsOf(node, add);
  if (sum) {
    const [counting, other] = isMultiple(sum[0], lanes) ? [sum[1], sum[0]] : sum;
    return isMultiple(other, lanes) && isWholeGroup(counting, lanes);
  }
  const difference = argumentsOf(node, sub);
  if (difference) return isWholeGroup(difference[0], lanes) && isMultiple(difference[1], lanes);
  return node.op === 'builtin';
}

/** Returns whether a value is known to be a multiple of the number of lanes. */
function isMultiple(node: Node, lanes: number): boolean {
  const factors = argumentsOf(node, mul);
  return factors
    ? factors.some((factor) => isMultiple(factor, lanes))
    : node.op === 'const' && node.value % lanes === 0;
}

/**
 * Returns whether invocations of a group may run in SIMD lanes with the same results as one after another: nothing that
 * counts from the base of words that several lanes may store (without adding) is also read.
 */
export function mayRunSideBySide(kernel: BoundKernel, shapes: Shapes): boolean {
  const shared = new Set<string>();
  for (const store of kernel.stores) {
    if (store.adds || store.isRecord) continue;
    const { stride } = shapes.get(store.address)!;
    if (stride === null || stride === 0) shared.add(`${store.buffer === 'f32'}|${store.base}`);
  }
  if (shared.size === 0) return true;
  for (const node of shapes.nodes) {
    if (node.op === 'word' && shared.has(`${node.type === 'f32'}|${node.base}`)) return false;
  }
  return true;
}
