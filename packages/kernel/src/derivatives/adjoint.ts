import { keptWithForm } from '../form/kept-with-form.ts';
import type { KernelForm, KernelOutput } from '../form/kernel-form.ts';
import type { Block, IfRegion, Loop, Node, Region } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import { isArray, isFloat } from '../form/types.ts';
import { firstOf, isRegion, isWithinBlock, operandsOf, regionOf } from '../form/walk.ts';
import { Builder } from '../language/builder.ts';
import type { ClonedNodes } from '../language/clone.ts';
import { cloneBlock, cloneNode, countRounds, mapped } from '../language/clone.ts';
import { simplify } from '../language/simplify.ts';
import { gt } from '../primitives/comparison.ts';
import { addAt, arraysFromOutside, entrySum, sum } from './arrays.ts';
import { Checkpoints } from './checkpoints.ts';

/**
 * Adjoint of each primal node, as a node of the derived kernel. All loads of one word at one index share the adjoint of
 * the first of them, whatever branches they stand in.
 */
type Adjoints = Map<Node, Node>;

export interface AdjointOptions {
  /** Names of the read ports whose adjoints the derived kernel computes. */
  readonly wrt: ReadonlySet<string>;
  /** Names of the output ports whose adjoints the derived kernel is given. */
  readonly seeds: ReadonlySet<string>;
}

/**
 * Reverse mode: from a kernel y = f(x) to the kernel that adds (df/dx)^T ybar to xbar.
 *
 * The derived kernel recomputes the values of the primal kernel that it needs (dead code is removed afterwards), then
 * goes through the form backwards. Branches are selected by the same conditions. Loops are reversed from the last
 * iteration to the first; the carried values of each iteration are recomputed from a checkpoint, at no cost where the
 * adjoint does not need them (sums, for example).
 *
 * Cached by form and options, because many passes share one kernel.
 */
export function adjoint(form: KernelForm, options: AdjointOptions): KernelForm {
  const choice = JSON.stringify([options.wrt, options.seeds].map((names) => [...names].sort()));
  return adjointCache(form, choice, () => derive(form, options));
}

const adjointCache = keptWithForm<KernelForm>();

function derive(form: KernelForm, { wrt, seeds }: AdjointOptions): KernelForm {
  const b = new Builder(`${form.name}_adjoint`, { sourceName: form.name });
  const map: ClonedNodes = new Map();
  cloneBlock(b, form.root, map);
  const ends = new AdjointPorts(b, form, wrt, seeds);
  reverseBlock(b, form.root, map, new Map(), ends);
  const reads = form.ports.filter((p) => p.access === 'read');
  const ports = [...reads, ...ends.ports];
  return simplify({
    name: b.kernelName,
    domain: form.domain,
    ports,
    root: b.root,
    outputs: b.outputs,
    isDerived: true,
  });
}

/** Ports through which adjoints enter and leave a derived kernel. */
export class AdjointPorts {
  readonly #b: Builder;
  readonly #wrt: ReadonlySet<string>;
  readonly #seeded: readonly KernelOutput[];
  readonly #regions = new Set<Region>();
  /** Adjoint ports, by primal port. */
  readonly #bars = new Map<Port, Port>();

  constructor(
    b: Builder,
    { outputs }: Pick<KernelForm, 'outputs'>,
    wrt: ReadonlySet<string>,
    seeds: ReadonlySet<string>,
  ) {
    this.#b = b;
    this.#wrt = wrt;
    this.#seeded = outputs.filter(({ port }) => seeds.has(port.name) && port.scalar === 'f32');
    for (const { block } of this.#seeded)
      for (let region = regionOf(block); region; region = regionOf(region.block)) this.#regions.add(region);
  }

  get ports(): Iterable<Port> {
    return this.#bars.values();
  }

  #barOf(port: Port, access: Port['access']): Port {
    if (!this.#bars.has(port)) this.#bars.set(port, { ...port, kind: 'adjoint', access });
    return this.#bars.get(port)!;
  }

  /** Returns whether a region contains an output whose adjoint is given. */
  isSeeded(region: Region): boolean {
    return this.#regions.has(region);
  }

  /** Loads the adjoints of a block's outputs. */
  load(block: Block, map: ClonedNodes, adjoints: Adjoints): void {
    for (const { port, component, index, value, block: own } of this.#seeded) {
      if (own !== block) continue;
      const bar = this.#b.load(this.#barOf(port, 'read'), component, index && mapped(map, index));
      accumulate(this.#b, adjoints, value, bar);
    }
  }

  /**
   * Adds to the adjoints of fields, for loads whose index is computed in this block or a block inside it: always all
   * components of an element, with zeros for components without a derivative.
   */
  add(block: Block, map: ClonedNodes, adjoints: Adjoints): void {
    const b = this.#b;
    const groups = new Map<string, { port: Port; index: Node | null; bars: Map<number, Node> }>();
    // In the order in which they were written: the order of the slots of sums.
    const loads = [...adjoints.keys()].filter((node) => node.op === 'load');
    for (const node of loads.sort((a, other) => a.id - other.id)) {
      if (!isWithinBlock(node.home, block) || !this.#wrt.has(node.port.name)) continue;
      if (node.port.kind !== 'primal') continue;
      const port = this.#barOf(node.port, 'add');
      const index = node.index && counterpart(b, node.index, map);
      const key = `${port.domain}.${port.name}|${index?.id ?? 'own'}`;
      const group = groups.get(key) ?? { port, index, bars: new Map() };
      group.bars.set(node.component, adjoints.get(node)!);
      groups.set(key, group);
    }
    for (const { port, index, bars } of groups.values()) {
      for (let c = 0; c < port.components; c++) b.output(port, c, index, bars.get(c) ?? b.const(0), true);
    }
  }
}

/**
 * Returns the counterpart of a node in the derived kernel; writes it again where the counterpart lies in another
 * branch.
 */
function counterpart(b: Builder, node: Node, map: ClonedNodes): Node {
  const known = map.get(node);
  if (known) return known;
  return cloneNode(b, node, new Map(operandsOf(node).map((of) => [of, counterpart(b, of, map)])));
}

/** Returns the key of a value in `Adjoints`: the node itself, or for a load the first load of the same word. */
const holderOf = (node: Node): Node => (node.op === 'load' ? firstOf(node) : node);

/** Adds `bar` to the adjoint of a node, unless the node is a constant or has no derivative. */
export function accumulate(b: Builder, adjoints: Adjoints, node: Node, bar: Node): void {
  if (!isFloat(node.type) || node.op === 'const' || node.op === 'builtin') return;
  const of = holderOf(node);
  const before = adjoints.get(of);
  adjoints.set(of, before ? sum(b, before, bar) : bar);
}

/** Propagates the adjoints of a block's values to their operands, from the last node to the first. */
export function reverseBlock(b: Builder, block: Block, map: ClonedNodes, adjoints: Adjoints, ends: AdjointPorts): void {
  ends.load(block, map, adjoints);
  for (let k = block.nodes.length - 1; k >= 0; k--) {
    const node = block.nodes[k];
    if (isRegion(node)) {
      reverseRegion(b, node, map, adjoints, ends);
      continue;
    }
    const bar = adjoints.get(node);
    if (!bar) continue;
    if (node.op === 'fill' && node.value) accumulate(b, adjoints, node.value, entrySum(b, bar));
    else if (node.op === 'get') {
      const before = adjoints.get(node.array) ?? b.zero(node.array.type);
      adjoints.set(node.array, addAt(b, before, mapped(map, node.index), bar));
    } else if (node.op === 'set') {
      const at = mapped(map, node.index);
      accumulate(b, adjoints, node.value, b.get(bar, at));
      accumulate(b, adjoints, node.array, b.set(bar, at, b.const(0)));
    }
    if (node.op !== 'pure' || !node.primitive.derivative) continue;
    const args = node.args.map((a) => mapped(map, a));
    node.primitive.derivative(b, args, mapped(map, node)).forEach((linear, position) => {
      if (linear && node.args[position].type === 'f32') accumulate(b, adjoints, node.args[position], linear(bar));
    });
  }
  ends.add(block, map, adjoints);
}

function reverseRegion(b: Builder, region: Region, map: ClonedNodes, adjoints: Adjoints, ends: AdjointPorts): void {
  const seeds = new Map<number, Node>();
  for (const node of region.block.nodes) {
    if (node.op !== 'result' || node.region !== region) continue;
    const bar = adjoints.get(node);
    if (bar) seeds.set(node.position, bar);
  }
  if (seeds.size === 0 && !ends.isSeeded(region)) return;
  if (region.op === 'if') reverseIf(b, region, map, adjoints, ends, seeds);
  else reverseLoop(b, region, map, adjoints, ends, seeds);
}

/** Returns the adjoints of values computed outside of `block`, including loads whose index is computed outside. */
function freeAdjoints(local: Adjoints, block: Block): Adjoints {
  return new Map([...local].filter(([node]) => !isWithinBlock(node.op === 'load' ? node.home : node.block, block)));
}

function reverseIf(
  b: Builder,
  { condition, then, otherwise }: IfRegion,
  map: ClonedNodes,
  adjoints: Adjoints,
  ends: AdjointPorts,
  seeds: Map<number, Node>,
): void {
  // Both sides continue with the adjoints of arrays as they are: adding to one entry then costs one entry, not a copy.
  const arrays = new Map([...adjoints].filter(([node]) => isArray(node.type)));
  const [yes, no] = [then, otherwise].map((block) => {
    const copy = b.openSide();
    const inner: ClonedNodes = new Map(map);
    cloneBlock(b, block, inner);
    const local: Adjoints = new Map(arrays);
    for (const [k, bar] of seeds) accumulate(b, local, block.results[k], bar);
    reverseBlock(b, block, inner, local, ends);
    b.closeBlock(copy);
    return { copy, free: freeAdjoints(local, block) };
  });
  const free = [...new Set([...yes.free.keys(), ...no.free.keys()])].filter(
    (node) => yes.free.get(node) !== no.free.get(node) || !arrays.has(node),
  );
  if (free.length === 0 && !b.givesIn(yes.copy) && !b.givesIn(no.copy)) return;
  const none = free.map((node) => b.zero(node.type));
  for (const { copy, free: bars } of [yes, no]) copy.results = free.map((node, k) => bars.get(node) ?? none[k]);
  const reversed = b.if(mapped(map, condition), yes.copy, no.copy);
  const bars = b.results(reversed);
  free.forEach((node, k) => {
    if (isArray(node.type)) adjoints.set(node, bars[k]);
    else accumulate(b, adjoints, node, bars[k]);
  });
}

function reverseLoop(
  b: Builder,
  loop: Loop,
  map: ClonedNodes,
  adjoints: Adjoints,
  ends: AdjointPorts,
  seeds: Map<number, Node>,
): void {
  const { body } = loop;
  const floats = [...body.results.keys()].filter((k) => isFloat(body.results[k].type));
  const rounds =
    loop.op === 'range' ? rangeRounds(b, mapped(map, loop.start), mapped(map, loop.end)) : countRounds(b, loop, map);
  const offset = loop.op === 'range' ? mapped(map, loop.start) : null;
  const checkpoints = new Checkpoints(b, loop, map, rounds);

  const block = b.openRange();
  const held = checkpoints.initial.map(({ type }) => b.param(block, type));
  const barParams = floats.map((k) => b.param(block, body.results[k].type));
  // Carried from iteration to iteration, which add to them in place.
  const arrays = arraysFromOutside(body);
  const arrayParams = arrays.map((array) => b.param(block, array.type));
  // The iteration to reverse, from the last to the first.
  const round = b.sub(b.sub(rounds, b.const(1, 'u32')), block.counter);
  const inner: ClonedNodes = new Map(map);
  if (loop.op === 'range') inner.set(loop.body.counter, b.add(offset!, round));
  const reached = checkpoints.rerunUpTo(round, held, offset);
  body.params.forEach((param, k) => inner.set(param, reached.state[k]));
  cloneBlock(b, body, inner);
  const local: Adjoints = new Map(arrays.map((array, k) => [array, arrayParams[k]]));
  floats.forEach((k, position) => accumulate(b, local, body.results[k], barParams[position]));
  reverseBlock(b, body, inner, local, ends);
  const nextBars = floats.map((k) => local.get(body.params[k]) ?? b.zero(body.results[k].type));
  const nextArrays = arrays.map((array) => local.get(array)!);
  const free = freeAdjoints(local, body);
  const freeNodes = [...free.keys()].filter((node) => !isArray(node.type));
  const sums = freeNodes.map((node) => b.add(b.param(block, 'f32'), free.get(node)!));
  block.results = [...reached.held, ...nextBars, ...nextArrays, ...sums];
  b.closeBlock(block);

  const initial = [
    ...checkpoints.initial,
    ...floats.map((k) => seeds.get(k) ?? b.zero(body.results[k].type)),
    ...arrays.map((array) => adjoints.get(array) ?? b.zero(array.type)),
    ...freeNodes.map(() => b.const(0)),
  ];
  const results = b.results(b.range(b.const(0, 'u32'), rounds, initial, block));
  const bars = results.slice(held.length).values();
  const next = (): Node => bars.next().value!;
  const starts = floats.map(next);
  arrays.forEach((array, k) => {
    const bar = next();
    if (nextArrays[k] !== arrayParams[k]) adjoints.set(array, bar);
  });
  floats.forEach((k, position) => accumulate(b, adjoints, loop.initial[k], starts[position]));
  for (const node of freeNodes) accumulate(b, adjoints, node, next());
}

function rangeRounds(b: Builder, start: Node, end: Node): Node {
  // Unsigned: a range that ends before it starts has no iterations.
  return b.select(b.pure(gt, end, start), b.sub(end, start), b.const(0, 'u32'));
}
