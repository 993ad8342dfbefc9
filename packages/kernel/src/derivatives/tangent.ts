import { Builder } from '../language/builder.ts';
import type { NodeMap } from '../language/clone.ts';
import { cloneNode, copyRegion, mapped } from '../language/clone.ts';
import type { Block, KernelForm, LoadNode, Node, Port, PureNode, Region } from '../language/form.ts';
import { givenBy, isFloat, isPure, isRegion } from '../language/form.ts';
import { simplify } from '../language/simplify.ts';
import { derivativeMaps } from './rules.ts';

export interface TangentOptions {
  /** The fields read that have tangents; those of others are zero. */
  readonly wrt: ReadonlySet<string>;
}

/**
 * Forward mode: from a kernel y = f(x) to the kernel that gives y and (df/dx) xdot. A tangent that is zero whatever
 * the inputs still is an output, so that every field written has one.
 */
export function tangent(form: KernelForm, { wrt }: TangentOptions): KernelForm {
  const b = new Builder(`${form.name}_tangent`);
  const map: NodeMap = new Map();
  const dots: NodeMap = new Map();
  const readPorts = new Map<Port, Port>();
  const dotOfLoad: DotOfLoad = (node, map) => {
    const { port, component, index } = node;
    if (!wrt.has(port.name) || port.scalar !== 'f32') return null;
    if (!readPorts.has(port)) readPorts.set(port, { ...port, shade: 'tangent' });
    return b.load(readPorts.get(port)!, component, index && mapped(map, index));
  };
  forwardBlock(b, form.root, map, dots, dotOfLoad);
  const outPorts = new Map<Port, Port>();
  for (const { port, component, index, value } of form.outputs) {
    const at = index && mapped(map, index);
    b.output(port, component, at, mapped(map, value));
    if (port.scalar !== 'f32') continue;
    if (!outPorts.has(port)) outPorts.set(port, { ...port, shade: 'tangent' });
    b.output(outPorts.get(port)!, component, at, dots.get(value) ?? b.const(0));
  }
  const ports = [...form.ports, ...readPorts.values(), ...outPorts.values()];
  return simplify({ name: b.kernelName, domain: form.domain, ports, root: b.root, outputs: b.outputs });
}

type DotOfLoad = (node: LoadNode, map: NodeMap) => Node | null;

function forwardBlock(b: Builder, block: Block, map: NodeMap, dots: NodeMap, dotOfLoad: DotOfLoad): void {
  for (const node of block.nodes) {
    if (isRegion(node)) forwardRegion(b, node, map, dots, dotOfLoad);
    else if (node.op !== 'result') {
      const y = cloneNode(b, node, map);
      map.set(node, y);
      const dot = dotOf(b, node, y, map, dots, dotOfLoad);
      if (dot) dots.set(node, dot);
    }
  }
}

function dotOf(
  b: Builder,
  node: Node,
  y: Node,
  map: NodeMap,
  dots: NodeMap,
  dotOfLoad: DotOfLoad,
): Node | null {
  if (node.op === 'load') return dotOfLoad(node, map);
  if (node.op === 'fill') {
    const dot = node.value && dots.get(node.value);
    return dot ? b.fill(node.type, dot) : null;
  }
  if (node.op === 'get') {
    const dot = dots.get(node.array);
    return dot ? b.get(dot, mapped(map, node.at)) : null;
  }
  if (node.op === 'set') {
    const [array, value] = [dots.get(node.array), dots.get(node.value)];
    if (!array && !value) return null;
    return b.set(array ?? b.zero(node.type), mapped(map, node.at), value ?? b.const(0));
  }
  return isPure(node) && node.type === 'f32' ? dotOfPure(b, node, y, map, dots) : null;
}

function dotOfPure(b: Builder, node: PureNode, y: Node, map: NodeMap, dots: NodeMap): Node | null {
  if (!node.args.some((a) => dots.has(a))) return null;
  let sum: Node | null = null;
  derivativeMaps(
    b,
    node.op,
    node.args.map((a) => mapped(map, a)),
    y,
  ).forEach((linear, k) => {
    const dot = dots.get(node.args[k]);
    if (!linear || !dot) return;
    const term = linear(dot);
    sum = sum ? b.add(sum, term) : term;
  });
  return sum;
}

/** Every float that a region carries or gives has its tangent behind them all. */
function forwardRegion(b: Builder, region: Region, map: NodeMap, dots: NodeMap, dotOfLoad: DotOfLoad): void {
  const given = givenBy(region);
  const floats = [...given.keys()].filter((k) => isFloat(given[k].type));
  const results = copyRegion(
    b,
    region,
    map,
    (block, copy, inner) => {
      const innerDots: NodeMap = new Map(dots);
      if (block.kind !== 'side' && copy.kind !== 'side')
        for (const k of floats) innerDots.set(block.params[k], b.param(copy, given[k].type));
      forwardBlock(b, block, inner, innerDots, dotOfLoad);
      return block.kind === 'test'
        ? []
        : floats.map((k) => innerDots.get(block.results[k]) ?? b.zero(given[k].type));
    },
    region.op === 'if' ? [] : floats.map((k) => dots.get(region.initial[k]) ?? b.zero(given[k].type)),
  );
  for (const node of region.block.nodes) {
    if (node.op === 'result' && node.region === region && isFloat(node.type))
      dots.set(node, results[given.length + floats.indexOf(node.position)]);
  }
}
