import { Builder } from '../language/builder.ts';
import type { NodeMap } from '../language/clone.ts';
import { cloneNode, mapped, resultTypes } from '../language/clone.ts';
import type { Block, KernelForm, Node, Output, Port } from '../language/form.ts';
import { isRegion } from '../language/form.ts';
import { carriedFrom, simplify } from '../language/simplify.ts';
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
    const port = node.port!;
    if (!wrt.has(port.name) || port.scalar !== 'f32') return null;
    if (!readPorts.has(port)) readPorts.set(port, { ...port, shade: 'tangent' });
    return b.load(readPorts.get(port)!, node.component!, node.args.length ? mapped(map, node.args[0]) : null);
  };
  const outPorts = new Map<Port, Port>();
  const given = new Map<Output, Output[]>();
  const give: Give = (block, map, dots) => {
    for (const output of form.outputs.filter((o) => o.block === block)) {
      const { port, value } = output;
      const [index, round] = [output.index, output.round].map((node) => node && mapped(map, node));
      const same = b.outputHere({ ...output, index, round, value: mapped(map, value) });
      given.set(output, [same]);
      if (port.scalar !== 'f32') continue;
      if (!outPorts.has(port)) outPorts.set(port, { ...port, shade: 'tangent' });
      const dot = { ...same, port: outPorts.get(port)!, value: dots.get(value) ?? b.const(0) };
      given.get(output)!.push(b.outputHere(dot));
    }
  };
  forwardBlock(b, form.root, map, dots, { dotOfLoad, give });
  const ports = [...form.ports, ...readPorts.values(), ...outPorts.values()];
  // In the order of the form's own.
  const outputs = form.outputs.flatMap((output) => given.get(output)!);
  return simplify({ name: b.kernelName, domain: form.domain, ports, root: b.root, outputs });
}

type DotOfLoad = (node: Node, map: NodeMap) => Node | null;
/** Gives what a block gives, and its tangents. */
type Give = (block: Block, map: NodeMap, dots: NodeMap) => void;
interface Ends {
  readonly dotOfLoad: DotOfLoad;
  readonly give: Give;
}

function forwardBlock(b: Builder, block: Block, map: NodeMap, dots: NodeMap, ends: Ends): void {
  for (const node of block.nodes) {
    if (isRegion(node)) forwardRegion(b, node, map, dots, ends);
    else if (node.op !== 'result') {
      const y = cloneNode(b, node, map);
      map.set(node, y);
      const dot =
        node.op === 'load'
          ? ends.dotOfLoad(node, map)
          : node.type === 'f32'
            ? dotOfPure(b, node, y, map, dots)
            : null;
      if (dot) dots.set(node, dot);
    }
  }
  ends.give(block, map, dots);
}

function dotOfPure(b: Builder, node: Node, y: Node, map: NodeMap, dots: NodeMap): Node | null {
  if (node.args.length === 0 || !node.args.some((a) => dots.has(a))) return null;
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

function forwardRegion(b: Builder, region: Node, map: NodeMap, dots: NodeMap, ends: Ends): void {
  const { args, params } = carriedFrom(region);
  const types = resultTypes(region);
  const floats = [...types.keys()].filter((k) => types[k] === 'f32');
  const last = region.blocks!.length - 1;
  const blocks = region.blocks!.map((block, position) => {
    const copy = b.openBlock(block.kind);
    const inner: NodeMap = new Map(map);
    const innerDots: NodeMap = new Map(dots);
    for (const param of block.params) inner.set(param, b.param(copy, param.type));
    if (region.op !== 'if')
      for (const k of floats) innerDots.set(block.params[params + k], b.param(copy, 'f32'));
    forwardBlock(b, block, inner, innerDots, ends);
    copy.results = block.results.map((r) => mapped(inner, r));
    if (region.op === 'if' || position === last) {
      copy.results.push(...floats.map((k) => innerDots.get(block.results[k]) ?? b.const(0)));
    }
    b.closeBlock(copy);
    return copy;
  });
  const inits = region.op === 'if' ? [] : floats.map((k) => dots.get(region.args[args + k]) ?? b.const(0));
  const copy = b.region(
    region.op as 'if' | 'range' | 'while',
    [...region.args.map((a) => mapped(map, a)), ...inits],
    blocks,
    region.most,
  );
  const results = b.results(copy, [...types, ...floats.map(() => 'f32' as const)]);
  map.set(region, copy);
  for (const node of region.block.nodes) {
    if (node.op !== 'result' || node.args[0] !== region) continue;
    map.set(node, results[node.value]);
    if (node.type === 'f32') dots.set(node, results[types.length + floats.indexOf(node.value)]);
  }
}
