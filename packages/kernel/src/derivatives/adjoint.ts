import { Builder } from '../language/builder.ts';
import type { NodeMap } from '../language/clone.ts';
import { cloneBlock, countRounds, mapped, rerun } from '../language/clone.ts';
import type { Block, IfRegion, KernelForm, LoadNode, Loop, Node, Port, Region } from '../language/form.ts';
import { isRegion, portLabel, within } from '../language/form.ts';
import { simplify } from '../language/simplify.ts';
import { gt } from '../primitives/comparison.ts';

/** Adjoints (in the derived kernel) of nodes of the primal one. */
type Adjoints = Map<Node, Node>;

export interface AdjointOptions {
  /** The fields read whose adjoints are wanted. */
  readonly wrt: ReadonlySet<string>;
  /** The fields written or added to whose adjoints are given. */
  readonly seeds: ReadonlySet<string>;
}

/**
 * Reverse mode: from a kernel y = f(x) to the kernel that adds (df/dx)^T ybar to xbar.
 *
 * The derived kernel computes again what it needs of the primal (dead code goes afterwards), then walks the form
 * backwards. Branches are taken again by the same condition; loops are walked from their last round to the first,
 * each round's carried values found by running the loop again from its start, which costs nothing where the
 * adjoint does not need them (sums, for example).
 */
export function adjoint(form: KernelForm, { wrt, seeds }: AdjointOptions): KernelForm {
  const b = new Builder(`${form.name}_adjoint`, { sourceName: form.name });
  const map: NodeMap = new Map();
  cloneBlock(b, form.root, map);
  const adjoints: Adjoints = new Map();
  const barPorts = new Map<Port, Port>();
  for (const { port, component, index, value } of form.outputs) {
    if (!seeds.has(port.name) || port.scalar !== 'f32') continue;
    if (!barPorts.has(port)) barPorts.set(port, { ...port, shade: 'adjoint', access: 'read' });
    const bar = b.load(barPorts.get(port)!, component, index && mapped(map, index));
    accumulate(b, adjoints, value, bar);
  }
  reverseBlock(b, form.root, map, adjoints, wrt);
  const outPorts = contributions(b, form, map, adjoints, wrt);
  const reads = form.ports.filter((p) => p.access === 'read');
  const ports = [...reads, ...barPorts.values(), ...outPorts];
  return simplify({ name: b.kernelName, domain: form.domain, ports, root: b.root, outputs: b.outputs });
}

/** Outputs for the adjoints of all loads: whole elements, with zeros for components that have no derivative. */
function contributions(
  b: Builder,
  form: KernelForm,
  map: NodeMap,
  adjoints: Adjoints,
  wrt: ReadonlySet<string>,
): Set<Port> {
  const groups = new Map<string, { port: Port; index: Node | null; bars: Map<number, Node> }>();
  const outPorts = new Map<Port, Port>();
  for (const node of form.root.nodes) {
    if (node.op !== 'load') continue;
    const { port: from, index } = node;
    const bar = adjoints.get(node);
    if (!bar || !wrt.has(from.name) || from.shade !== 'primal') continue;
    if (!outPorts.has(from)) outPorts.set(from, { ...from, shade: 'adjoint', access: 'add' });
    const port = outPorts.get(from)!;
    const key = `${port.domain}.${port.name}|${index?.id ?? 'own'}`;
    const group = groups.get(key) ?? { port, index, bars: new Map() };
    group.bars.set(node.component, bar);
    groups.set(key, group);
  }
  for (const { port, index, bars } of groups.values()) {
    for (let c = 0; c < port.components; c++)
      b.output(port, c, index && mapped(map, index), bars.get(c) ?? b.const(0));
  }
  return new Set(outPorts.values());
}

/** Adds to the adjoint of a node. */
export function accumulate(b: Builder, adjoints: Adjoints, node: Node, bar: Node): void {
  if (node.type !== 'f32' || node.op === 'const' || node.op === 'builtin') return;
  const before = adjoints.get(node);
  adjoints.set(node, before ? b.add(before, bar) : bar);
}

/** Sends the adjoints of a block's values on to what they were made from, from the last node to the first. */
export function reverseBlock(
  b: Builder,
  block: Block,
  map: NodeMap,
  adjoints: Adjoints,
  wrt: ReadonlySet<string>,
): void {
  for (let k = block.nodes.length - 1; k >= 0; k--) {
    const node = block.nodes[k];
    if (isRegion(node)) {
      reverseRegion(b, node, map, adjoints, wrt);
      continue;
    }
    const bar = adjoints.get(node);
    if (!bar) continue;
    if (node.op === 'load' && node.block.parent !== null && wrt.has(node.port.name))
      throw dynamicLoad(b, node);
    if (node.op !== 'pure' || !node.primitive.derivative) continue;
    const args = node.args.map((a) => mapped(map, a));
    node.primitive.derivative(b, args, mapped(map, node)).forEach((linear, position) => {
      if (linear && node.args[position].type === 'f32')
        accumulate(b, adjoints, node.args[position], linear(bar));
    });
  }
}

function dynamicLoad(b: Builder, node: LoadNode): Error {
  return new Error(
    `kernel ${b.sourceName}: "${portLabel(node.port)}" is read at an index computed inside a loop or branch, ` +
      'so its adjoint would be a scatter to places known only then. Read it through an index field, or give the kernel an `adjoint`.',
  );
}

function reverseRegion(
  b: Builder,
  region: Region,
  map: NodeMap,
  adjoints: Adjoints,
  wrt: ReadonlySet<string>,
): void {
  const seeds = new Map<number, Node>();
  for (const node of region.block.nodes) {
    if (node.op !== 'result' || node.region !== region) continue;
    const bar = adjoints.get(node);
    if (bar) seeds.set(node.position, bar);
  }
  if (seeds.size === 0) return;
  if (region.op === 'if') reverseIf(b, region, map, adjoints, wrt, seeds);
  else reverseLoop(b, region, map, adjoints, wrt, seeds);
}

/** Adjoints of nodes from outside of `block`. */
function freeAdjoints(local: Adjoints, block: Block): Adjoints {
  return new Map([...local].filter(([node]) => !within(node.block, block)));
}

function reverseIf(
  b: Builder,
  { condition, then, otherwise }: IfRegion,
  map: NodeMap,
  adjoints: Adjoints,
  wrt: ReadonlySet<string>,
  seeds: Map<number, Node>,
): void {
  const [yes, no] = [then, otherwise].map((block) => {
    const copy = b.openSide();
    const inner: NodeMap = new Map(map);
    cloneBlock(b, block, inner);
    const local: Adjoints = new Map();
    for (const [k, bar] of seeds) accumulate(b, local, block.results[k], bar);
    reverseBlock(b, block, inner, local, wrt);
    b.closeBlock(copy);
    return { copy, free: freeAdjoints(local, block) };
  });
  const free = [...new Set([...yes.free.keys(), ...no.free.keys()])];
  if (free.length === 0) return;
  for (const { copy, free: bars } of [yes, no])
    copy.results = free.map((node) => bars.get(node) ?? b.const(0));
  const reversed = b.if(mapped(map, condition), yes.copy, no.copy);
  b.results(reversed).forEach((bar, k) => accumulate(b, adjoints, free[k], bar));
}

function reverseLoop(
  b: Builder,
  loop: Loop,
  map: NodeMap,
  adjoints: Adjoints,
  wrt: ReadonlySet<string>,
  seeds: Map<number, Node>,
): void {
  const { body } = loop;
  const floats = [...body.results.keys()].filter((k) => body.results[k].type === 'f32');
  const rounds =
    loop.op === 'range'
      ? rangeRounds(b, mapped(map, loop.start), mapped(map, loop.end))
      : countRounds(b, loop, map);

  const block = b.openRange();
  const barParams = floats.map(() => b.param(block, 'f32'));
  // The round that is reversed now, from the last to the first.
  const round = b.sub(b.sub(rounds, b.const(1, 'u32')), block.counter);
  const inner: NodeMap = new Map(map);
  if (loop.op === 'range') inner.set(loop.body.counter, b.add(mapped(map, loop.start), round));
  rerun(b, loop, map, round).forEach((node, k) => inner.set(body.params[k], node));
  cloneBlock(b, body, inner);
  const local: Adjoints = new Map();
  floats.forEach((k, position) => accumulate(b, local, body.results[k], barParams[position]));
  reverseBlock(b, body, inner, local, wrt);
  const nextBars = floats.map((k) => local.get(body.params[k]) ?? b.const(0));
  const free = freeAdjoints(local, body);
  const freeNodes = [...free.keys()];
  const sums = freeNodes.map((node) => b.add(b.param(block, 'f32'), free.get(node)!));
  block.results = [...nextBars, ...sums];
  b.closeBlock(block);

  const zero = b.const(0);
  const initial = [...floats.map((k) => seeds.get(k) ?? zero), ...freeNodes.map(() => zero)];
  const bars = b.results(b.range(b.const(0, 'u32'), rounds, initial, block));
  floats.forEach((k, position) => accumulate(b, adjoints, loop.initial[k], bars[position]));
  freeNodes.forEach((node, k) => accumulate(b, adjoints, node, bars[floats.length + k]));
}

function rangeRounds(b: Builder, start: Node, end: Node): Node {
  // Unsigned: a range that ends before it starts makes no round.
  return b.select(b.pure(gt, end, start), b.sub(end, start), b.const(0, 'u32'));
}
