import type { KernelForm, Node, Port } from '@gradsim/kernel/internal';
import { Builder, portOf, primitives } from '@gradsim/kernel/internal';

/** Strides of a compared field, in words. */
export interface Steps {
  readonly component: number;
  readonly element: number;
  readonly world: number;
  /** Stride between instants of a frame, in words. */
  readonly instant: number;
  /** Stride between tangents of the compared field, in words. */
  readonly tangent: number;
}

/** Layout of a comparison, as the kernels of its sums need it. */
export interface Compared {
  readonly elements: number;
  /** Number of components of a residual. */
  readonly components: number;
  readonly instants: number;
  readonly steps: Steps;
  /** True if the kernel has to subtract the target; false if the values are residuals already. */
  readonly hasTarget: boolean;
  readonly hasWeights: boolean;
  /** Number of columns of a Jacobian; 0 without tangents. */
  readonly columns: number;
  /** Number of neighbouring worlds of one run, which hold its columns. */
  readonly worldsOfRun: number;
  readonly parts: number;
  /** Number of invocations that share the elements of a part. */
  readonly lanes: number;
  /**
   * True if sums are compensated, which makes them as accurate as sums in double precision; all compensations are
   * stored after all sums. Otherwise rounding would hide a direction in which J^T J is singular, and spoil steps along
   * weak ones.
   */
  readonly isExact: boolean;
}

/** Number of Jacobian columns in a block. */
export const COLUMNS_PER_BLOCK = 4;

/**
 * Kind of sum that a kernel forms of residuals r and columns t_i of the Jacobian. With few columns, one kernel forms
 * all sums; with many, each invocation takes one block of columns or a pair of blocks.
 */
export interface SumKind {
  readonly name: string;
  /** Number of sums, and number of those that are of residuals alone. */
  readonly count: number;
  readonly ofResiduals: 0 | 1;
  /** Number of blocks of columns that an invocation reads, 1 or 2; 0 stands for all columns. */
  readonly blocks: 0 | 1 | 2;
  /**
   * Returns the two factors of each summed product, except of those of residuals alone. `others` returns the columns of
   * the second block; it is called only where they are needed.
   */
  readonly factors: (r: Node, t: readonly Node[], others: () => readonly Node[]) => (readonly [Node, Node])[];
  /** Writes the sums of a group of blocks to their destination. */
  readonly writeSums: (to: RunSums, group: readonly number[], sum: (k: number) => number) => void;
}

/** Destination of the sums of one run and part of a frame. */
export interface RunSums {
  /** Number of columns of the Jacobian. */
  readonly columns: number;
  readonly square: (value: number) => void;
  /** Stores an entry of J^T r. */
  readonly score: (column: number, value: number) => void;
  /** Stores an entry of J^T J and its mirror image. */
  readonly product: (i: number, j: number, value: number) => void;
}

const OF_BLOCK = [...Array(COLUMNS_PER_BLOCK).keys()];

/** Kind of sum for few columns: r r, J^T r, and the upper triangle of J^T J, row by row. */
export const wholeKind = (columns: number): SumKind => ({
  name: 'sums',
  count: 1 + columns + (columns * (columns + 1)) / 2,
  ofResiduals: 1,
  blocks: 0,
  factors: (r, t) => [
    ...t.map((own) => [own, r] as const),
    ...t.flatMap((own, i) => t.slice(i).map((u) => [own, u] as const)),
  ],
  writeSums: (to, _, sum) => {
    let k = 0;
    to.square(sum(k++));
    for (let i = 0; i < columns; i++) to.score(i, sum(k++));
    for (let i = 0; i < columns; i++) for (let j = i; j < columns; j++) to.product(i, j, sum(k++));
  },
});
/** Kind of sum for one block of columns: r r and J^T r. */
export const SCORE_SUMS: SumKind = {
  name: 'scores',
  count: 1 + COLUMNS_PER_BLOCK,
  ofResiduals: 1,
  blocks: 1,
  factors: (r, t) => t.map((own) => [own, r] as const),
  writeSums: (to, [block], sum) => {
    if (block === 0) to.square(sum(0));
    for (const k of OF_BLOCK)
      if (block * COLUMNS_PER_BLOCK + k < to.columns) to.score(block * COLUMNS_PER_BLOCK + k, sum(1 + k));
  },
};
/** Kind of sum for a pair of blocks: products of their columns, row by row. */
export const PRODUCT_SUMS: SumKind = {
  name: 'products',
  count: COLUMNS_PER_BLOCK * COLUMNS_PER_BLOCK,
  ofResiduals: 0,
  blocks: 2,
  factors: (_, t, others) => t.flatMap((own) => others().map((u) => [own, u] as const)),
  writeSums: (to, [a, b], sum) => {
    for (const k of OF_BLOCK)
      for (const l of OF_BLOCK) {
        const [i, j] = [a * COLUMNS_PER_BLOCK + k, b * COLUMNS_PER_BLOCK + l];
        if (i < to.columns && j < to.columns) to.product(i, j, sum(k * COLUMNS_PER_BLOCK + l));
      }
  },
};

export interface SumForm {
  readonly form: KernelForm;
  /** Ports of the compared field, and of its tangents. */
  readonly outputPort: Port;
  readonly tangents: Port;
  readonly target: Port;
  readonly weights: Port;
  /** Index of the first element of each part, then the number of elements. */
  readonly bounds: Port;
  /** Numbers of the blocks of each group, as many per group as the kind of sum has. */
  readonly blocks: Port;
  readonly sums: Port;
}

/**
 * Kernel that sums over the elements lane, lane + lanes, ... of a part of a frame, and over all their components. An
 * invocation is one lane of one part of a group of blocks, in the worlds of one Jacobian: neighbours read neighbouring
 * words.
 */
export function sumForm(kind: SumKind, compared: Compared): SumForm {
  const { elements, components, steps, hasTarget, hasWeights, columns, worldsOfRun, parts, lanes, isExact } = compared;
  const b = new Builder(`${kind.name}_of_residuals`);
  const ports = {
    outputPort: portOf('shown', 'read', 'words'),
    tangents: portOf('shown', 'read', 'words', { kind: 'tangent' }),
    target: portOf('target', 'read', 'words'),
    weights: portOf('weights', 'read', 'words'),
    bounds: portOf('bounds', 'read', 'words', { scalar: 'u32' }),
    blocks: portOf('blocks', 'read', 'words', { scalar: 'u32' }),
    sums: portOf('sums', 'write', '', { components: isExact ? 2 * kind.count : kind.count }),
  };
  const whole = (value: number): Node => b.const(value, 'u32');
  const times = (node: Node, by: number): Node => b.mul(node, whole(by));
  const remainder = (node: Node, quotient: Node, by: number): Node => b.sub(node, times(quotient, by));

  const invocation = b.builtin('element');
  const isOne = parts === 1 && kind.blocks === 0;
  const outer = isOne ? whole(0) : b.div(invocation, whole(lanes));
  const lane = isOne ? invocation : remainder(invocation, outer, lanes);
  const group = parts === 1 ? outer : b.div(outer, whole(parts));
  const part = parts === 1 ? whole(0) : remainder(outer, group, parts);
  const first = parts === 1 ? whole(0) : b.load(ports.bounds, 0, part);
  const end = parts === 1 ? whole(elements) : b.load(ports.bounds, 0, b.add(part, whole(1)));
  const rounds = b.div(b.sub(end, first), whole(lanes));

  const start = times(b.builtin('world'), worldsOfRun * steps.world);
  /** Returns the offset of a column's values, in words. */
  const startOf = (column: Node): Node => {
    const tangent = columns > worldsOfRun ? b.div(column, whole(worldsOfRun)) : whole(0);
    const world = remainder(column, tangent, worldsOfRun);
    return b.add(start, b.add(times(world, steps.world), times(tangent, steps.tangent)));
  };
  const startsOf = (k: number): Node[] => {
    if (kind.blocks === 0) return Array.from({ length: columns }, (_, j) => startOf(whole(j)));
    const block = b.load(ports.blocks, 0, b.add(times(group, kind.blocks), whole(k)));
    return Array.from({ length: COLUMNS_PER_BLOCK }, (_, j) =>
      // Blocks are full: a missing column is a repeated one, whose sum is not read.
      startOf(b.pure(primitives.min, b.add(times(block, COLUMNS_PER_BLOCK), whole(j)), whole(columns - 1))),
    );
  };
  const starts = columns === 0 ? [] : startsOf(0);
  const otherStarts = kind.blocks === 2 ? startsOf(1) : [];

  const add = (before: readonly Node[], component: Node, element: Node, inside: Node | null): Node[] => {
    const value = b.add(times(component, elements), element);
    const weight = hasWeights ? b.load(ports.weights, 0, value) : null;
    const at = (from: Port, first: Node): Node => {
      const mean = meanOf(b, compared, from, { component, element, first });
      return weight ? b.mul(weight, mean) : mean;
    };
    const seen = at(ports.outputPort, start);
    const difference = hasTarget ? b.sub(seen, b.load(ports.target, 0, value)) : seen;
    const r = inside ? b.select(inside, difference, b.const(0)) : difference;
    const withProducts = (from: number, factors: readonly (readonly [Node, Node])[]): Node[] => {
      const added = factors.map(([x, y], k) => {
        const [sum, compensation] = [before[from + k], before[kind.count + from + k]];
        return isExact ? addExactly(b, { sum, compensation }, x, y) : { sum: b.add(sum, b.mul(x, y)), compensation };
      });
      return [...added.map(({ sum }) => sum), ...(isExact ? added.map(({ compensation }) => compensation) : [])];
    };
    const squares = kind.ofResiduals ? withProducts(0, [[r, r]]) : [];
    if (columns === 0) return squares;
    const t = starts.map((own) => at(ports.tangents, own));
    // Most of a picture is background, which no unknown moves.
    const moves = t
      .map((own) => b.pure(primitives.ne, own, b.const(0)))
      .reduce((any, is) => b.pure(primitives.or, any, is));
    const own = kind.ofResiduals;
    const rest = [...before.slice(own, kind.count), ...before.slice(kind.count + own)];
    const then = b.openSide();
    const factors = kind.factors(r, t, () => otherStarts.map((other) => at(ports.tangents, other)));
    then.results = withProducts(own, factors);
    b.closeBlock(then);
    const otherwise = b.openSide();
    otherwise.results = rest;
    b.closeBlock(otherwise);
    const condition = inside ? b.pure(primitives.and, inside, moves) : moves;
    const found = b.results(b.if(condition, then, otherwise));
    const count = kind.count - own;
    return [...squares.slice(0, own), ...found.slice(0, count), ...squares.slice(own), ...found.slice(count)];
  };

  const zeros = Array.from({ length: ports.sums.components }, () => b.const(0));
  const overComponents = b.openRange();
  const before = zeros.map(() => b.param(overComponents, 'f32'));
  const overRounds = b.openRange();
  const sums = zeros.map(() => b.param(overRounds, 'f32'));
  const next = b.add(b.add(first, times(overRounds.counter, lanes)), lane);
  overRounds.results = add(sums, overComponents.counter, next, null);
  b.closeBlock(overRounds);
  const full = b.results(b.range(whole(0), rounds, before, overRounds));
  overComponents.results = withRest(full);
  b.closeBlock(overComponents);
  const found = b.results(b.range(whole(0), whole(components), zeros, overComponents));
  found.forEach((sum, k) => b.output(ports.sums, k, null, sum));

  /** Adds the elements after the last full round, which are fewer than the lanes. */
  function withRest(sumsOfFull: Node[]): Node[] {
    if (parts === 1 && elements % lanes === 0) return sumsOfFull;
    const own = b.add(b.add(first, times(rounds, lanes)), lane);
    const inside = b.pure(primitives.lt, own, end);
    const safe = b.pure(primitives.min, own, whole(elements - 1));
    return add(sumsOfFull, overComponents.counter, safe, inside);
  }
  const form = { name: b.kernelName, domain: 'sums', ports: Object.values(ports), root: b.root, outputs: b.outputs };
  return { form, ...ports };
}

/** Veltkamp splitting factor: splits a single-precision float into two halves of its digits. */
const VELTKAMP_FACTOR = 2 ** 12 + 1;

/**
 * Adds a product to a sum, and the rounding errors of both operations to the sum's compensation. Source: T. J. Dekker,
 * 1971, for the product; D. E. Knuth for the sum.
 */
function addExactly(
  b: Builder,
  { sum, compensation }: Readonly<Record<'sum' | 'compensation', Node>>,
  x: Node,
  y: Node,
): Record<'sum' | 'compensation', Node> {
  const exactly = roundedBy(b);
  const halves = (value: Node): [Node, Node] => {
    const large = exactly(b.mul(value, b.const(VELTKAMP_FACTOR)));
    const high = exactly(b.sub(large, exactly(b.sub(large, value))));
    return [high, exactly(b.sub(value, high))];
  };
  const product = exactly(b.mul(x, y));
  const [[a, c], [d, e]] = [halves(x), halves(y)];
  const first = exactly(b.sub(b.mul(a, d), product));
  const most = exactly(b.add(exactly(b.add(first, b.mul(a, e))), b.mul(c, d)));
  const ofProduct = b.add(most, b.mul(c, e));
  const { total, error } = twoSum(b, sum, product);
  return { sum: total, compensation: b.add(compensation, b.add(ofProduct, error)) };
}

/** Returns a sum and its rounding error. */
function twoSum(b: Builder, x: Node, y: Node): Record<'total' | 'error', Node> {
  const exactly = roundedBy(b);
  const total = exactly(b.add(x, y));
  const part = exactly(b.sub(total, x));
  const rest = exactly(b.sub(total, part));
  return { total, error: b.add(exactly(b.sub(x, rest)), exactly(b.sub(y, part))) };
}

/** Returns a function that keeps compilers from rearranging what is computed from a value, and what it is computed from. */
const roundedBy =
  (b: Builder) =>
  (value: Node): Node =>
    b.pure(primitives.rounded, value);

/** Returns the mean over the instants of a frame. */
function meanOf(
  b: Builder,
  { instants, steps }: Compared,
  from: Port,
  at: Readonly<Record<'component' | 'element' | 'first', Node>>,
): Node {
  const step = (node: Node, by: number): Node => b.mul(node, b.const(by, 'u32'));
  const inFrame = b.add(step(at.component, steps.component), step(at.element, steps.element));
  const word = b.add(inFrame, at.first);
  let sum = b.load(from, 0, word);
  for (let i = 1; i < instants; i++) sum = b.add(sum, b.load(from, 0, b.add(word, b.const(i * steps.instant, 'u32'))));
  return instants > 1 ? b.mul(sum, b.const(1 / instants)) : sum;
}

/**
 * Kernel of one level of a reduction: target number `own` of a group is the sum of the slots group * size + own + k *
 * into, k = 0, 1, ..., of the group. Components are the sums in the device's precision, then, in the same order, what
 * rounding has lost of them (compensations). Source: A. Neumaier, 1974, with D. E. Knuth's error of an addition.
 * @param count number of sums.
 * @param size number of slots in a group.
 * @param targetCount number of targets of a group.
 * @param isCompensated true if the slots hold compensations too.
 */
export function foldForm(count: number, size: number, targetCount: number, isCompensated: boolean) {
  const b = new Builder('fold_sums');
  const slots = portOf('slots', 'read', 'words', { components: isCompensated ? 2 * count : count });
  const target = portOf('target', 'write', '', { components: 2 * count });
  const element = b.builtin('element');
  const whole = (value: number): Node => b.const(value, 'u32');
  const group = b.div(element, whole(targetCount));
  const own = b.sub(element, b.mul(group, whole(targetCount)));
  const first = b.add(b.mul(group, whole(size)), own);
  const block = b.openRange();
  const zeros = Array.from({ length: 2 * count }, () => b.const(0));
  const sums = zeros.map(() => b.param(block, 'f32'));
  const slot = b.add(first, b.mul(block.counter, whole(targetCount)));
  const next = Array.from({ length: count }, (_, c) => {
    const { total, error } = twoSum(b, sums[c], b.load(slots, c, slot));
    const carried = isCompensated ? b.add(error, b.load(slots, count + c, slot)) : error;
    return { total, compensation: b.add(sums[count + c], carried) };
  });
  block.results = [...next.map(({ total }) => total), ...next.map(({ compensation }) => compensation)];
  b.closeBlock(block);
  const found = b.results(b.range(whole(0), whole(size / targetCount), zeros, block));
  found.forEach((sum, c) => b.output(target, c, null, sum));
  const ports = [slots, target];
  const form: KernelForm = { name: b.kernelName, domain: 'sums', ports, root: b.root, outputs: b.outputs };
  return { form, slots, target };
}
