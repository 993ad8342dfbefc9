import { keptWithForm } from '../form/kept-with-form.ts';
import type { KernelForm, KernelOutput } from '../form/kernel-form.ts';
import type { Block, LoadNode, Node, PureNode, Region } from '../form/nodes.ts';
import type { Port } from '../form/port.ts';
import { isFloat } from '../form/types.ts';
import { givenBy, isRegion } from '../form/walk.ts';
import { Builder } from '../language/builder.ts';
import type { ClonedNodes } from '../language/clone.ts';
import { cloneNode, copyRegion, mapped } from '../language/clone.ts';
import { simplify } from '../language/simplify.ts';

export interface TangentOptions {
  /** Names of the read ports whose tangents are given; the tangents of all other ports are zero. */
  readonly wrt: ReadonlySet<string>;
  /** Number of tangents carried with each value, each on ports of its own. Default 1. */
  readonly count?: number;
}

// Cache: simulations of one model have the same tangents, and what follows from a form, such as its text, is kept with it.
const tangentCache = keptWithForm<KernelForm>();

/**
 * Forward mode: from a kernel y = f(x) to the kernel that computes y and (df/dx) xdot, for one or several xdot. A
 * tangent that is always zero still is an output, so that every field written has one.
 */
export function tangent(form: KernelForm, { wrt, count = 1 }: TangentOptions): KernelForm {
  return tangentCache(form, JSON.stringify([count, ...[...wrt].sort()]), () => tangentOf(form, wrt, count));
}

function tangentOf(form: KernelForm, wrt: ReadonlySet<string>, count: number): KernelForm {
  const b = new Builder(`${form.name}_tangent`);
  const ports: Port[] = [...form.ports];
  const columns = Array.from({ length: count }, (_, c): Column => {
    const known = new Map<Port, Port>();
    const dotOfPort = (port: Port): Port => {
      const dot = known.get(port) ?? { ...port, kind: 'tangent' as const, ...(c > 0 && { column: c }) };
      if (!known.has(port)) ports.push(dot);
      known.set(port, dot);
      return dot;
    };
    const dotOfLoad: DotOfLoad = (node, map) => {
      const { port, component, index } = node;
      if (!wrt.has(port.name) || port.scalar !== 'f32') return null;
      return b.load(dotOfPort(port), component, index && mapped(map, index));
    };
    return { dotOfPort, dotOfLoad };
  });
  const given = new Map<KernelOutput, KernelOutput[]>();
  const emitOutputs: EmitTangentOutputs = (block, map, dots) => {
    for (const output of form.outputs.filter((o) => o.block === block)) {
      const { port, value } = output;
      const [index, round] = [output.index, output.round].map((node) => node && mapped(map, node));
      const same = b.outputHere({ ...output, index, round, value: mapped(map, value) });
      given.set(output, [same]);
      if (port.scalar !== 'f32') continue;
      columns.forEach(({ dotOfPort }, c) => {
        const dot = { ...same, port: dotOfPort(port), value: dots[c].get(value) ?? b.const(0) };
        given.get(output)!.push(b.outputHere(dot));
      });
    }
  };
  const dots = columns.map((): ClonedNodes => new Map());
  forwardBlock(b, form.root, new Map(), dots, { columns, emitOutputs });
  // In the order of the form's own.
  const outputs = form.outputs.flatMap((output) => given.get(output)!);
  return simplify({ name: b.kernelName, domain: form.domain, ports, root: b.root, outputs });
}

type DotOfLoad = (node: LoadNode, map: ClonedNodes) => Node | null;
/** Callback that emits the outputs of a block and their tangents. */
type EmitTangentOutputs = (block: Block, map: ClonedNodes, dots: readonly ClonedNodes[]) => void;
/** Ports of one tangent direction. */
interface Column {
  readonly dotOfPort: (port: Port) => Port;
  readonly dotOfLoad: DotOfLoad;
}
interface Ends {
  readonly columns: readonly Column[];
  readonly emitOutputs: EmitTangentOutputs;
}

function forwardBlock(b: Builder, block: Block, map: ClonedNodes, dots: readonly ClonedNodes[], ends: Ends): void {
  for (const node of block.nodes) {
    if (isRegion(node)) forwardRegion(b, node, map, dots, ends);
    else if (node.op !== 'result') {
      const y = cloneNode(b, node, map);
      map.set(node, y);
      ends.columns.forEach(({ dotOfLoad }, c) => {
        const dot = dotOf(b, node, y, map, dots[c], dotOfLoad);
        if (dot) dots[c].set(node, dot);
      });
    }
  }
  ends.emitOutputs(block, map, dots);
}

function dotOf(
  b: Builder,
  node: Node,
  y: Node,
  map: ClonedNodes,
  dots: ClonedNodes,
  dotOfLoad: DotOfLoad,
): Node | null {
  if (node.op === 'load') return dotOfLoad(node, map);
  if (node.op === 'fill') {
    const dot = node.value && dots.get(node.value);
    return dot ? b.fill(node.type, dot) : null;
  }
  if (node.op === 'get') {
    const dot = dots.get(node.array);
    return dot ? b.get(dot, mapped(map, node.index)) : null;
  }
  if (node.op === 'set') {
    const [array, value] = [dots.get(node.array), dots.get(node.value)];
    if (!array && !value) return null;
    return b.set(array ?? b.zero(node.type), mapped(map, node.index), value ?? b.const(0));
  }
  return node.op === 'pure' && node.type === 'f32' ? dotOfPure(b, node, y, map, dots) : null;
}

function dotOfPure(b: Builder, node: PureNode, y: Node, map: ClonedNodes, dots: ClonedNodes): Node | null {
  const { derivative } = node.primitive;
  if (!derivative || !node.args.some((a) => dots.has(a))) return null;
  const args = node.args.map((a) => mapped(map, a));
  let sum: Node | null = null;
  derivative(b, args, y).forEach((linear, k) => {
    const dot = dots.get(node.args[k]);
    if (!linear || !dot) return;
    const term = linear(dot);
    sum = sum ? b.add(sum, term) : term;
  });
  return sum;
}

/**
 * Copies a region so that every float that it carries or returns is followed by its tangents, one direction after
 * another.
 */
function forwardRegion(b: Builder, region: Region, map: ClonedNodes, dots: readonly ClonedNodes[], ends: Ends): void {
  const given = givenBy(region);
  const floats = [...given.keys()].filter((k) => isFloat(given[k].type));
  const ofAll = (all: readonly ClonedNodes[], nodes: readonly Node[]): Node[] =>
    all.flatMap((own) => floats.map((k) => own.get(nodes[k]) ?? b.zero(given[k].type)));
  const results = copyRegion(
    b,
    region,
    map,
    (block, copy, inner) => {
      const innerDots = dots.map((own): ClonedNodes => new Map(own));
      if (block.kind !== 'side' && copy.kind !== 'side')
        for (const own of innerDots) for (const k of floats) own.set(block.params[k], b.param(copy, given[k].type));
      forwardBlock(b, block, inner, innerDots, ends);
      return block.kind === 'test' ? [] : ofAll(innerDots, block.results);
    },
    region.op === 'if' ? [] : ofAll(dots, region.initial),
  );
  for (const node of region.block.nodes) {
    if (node.op === 'result' && node.region === region && isFloat(node.type))
      dots.forEach((own, c) => {
        own.set(node, results[given.length + c * floats.length + floats.indexOf(node.position)]);
      });
  }
}
