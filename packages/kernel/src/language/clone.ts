import type { Builder } from './builder.ts';
import type { Block, Node } from './form.ts';
import { isRegion } from './form.ts';
import { carriedFrom } from './simplify.ts';

/** From the nodes of one form to their counterparts in another. */
export type NodeMap = Map<Node, Node>;

/** Writes a pure node of another form with its arguments mapped. */
export function cloneNode(b: Builder, node: Node, map: NodeMap): Node {
  const { value, builtin, port, component, offset } = node;
  return b.emit(
    node.op,
    node.type,
    node.args.map((a) => mapped(map, a)),
    { value, builtin, port, component, offset },
  );
}

export function mapped(map: NodeMap, node: Node): Node {
  const to = map.get(node);
  if (!to) throw new Error(`internal: node ${node.op} #${node.id} has no counterpart in the derived kernel`);
  return to;
}

/** Writes all nodes of a block, regions included, where the builder stands. */
export function cloneBlock(b: Builder, block: Block, map: NodeMap): void {
  for (const node of block.nodes) {
    if (map.has(node)) continue;
    if (isRegion(node)) cloneRegion(b, node, map, cloneBlock);
    else if (node.op !== 'result') map.set(node, cloneNode(b, node, map));
  }
}

/** Maps the results of a region to those of its counterpart. */
function mapResults(b: Builder, region: Node, counterpart: Node, map: NodeMap): void {
  map.set(region, counterpart);
  for (const node of region.block.nodes) {
    if (node.op === 'result' && node.args[0] === region) {
      map.set(node, b.results(counterpart, resultTypes(region))[node.value]);
    }
  }
}

export const resultTypes = (region: Node) =>
  region.blocks![region.blocks!.length - 1].results.map((r) => r.type);

/** Writes a region with the nodes of its blocks written by `inside`. */
export function cloneRegion(
  b: Builder,
  region: Node,
  map: NodeMap,
  inside: (b: Builder, block: Block, map: NodeMap) => void,
): void {
  const args = region.args.map((a) => mapped(map, a));
  const blocks = region.blocks!.map((block) => {
    const copy = b.openBlock(block.kind);
    const inner: NodeMap = new Map(map);
    for (const param of block.params) inner.set(param, b.param(copy, param.type));
    inside(b, block, inner);
    copy.results = block.results.map((r) => mapped(inner, r));
    b.closeBlock(copy);
    return copy;
  });
  mapResults(b, region, b.region(region.op as 'if' | 'range' | 'while', args, blocks, region.most), map);
}

/** Runs the loop `region` again for `rounds` rounds from its start; gives the carried values it reaches. */
export function rerun(b: Builder, region: Node, map: NodeMap, rounds: Node): Node[] {
  const { args, params } = carriedFrom(region);
  const body = region.blocks![region.blocks!.length - 1];
  const inits = region.args.slice(args).map((a) => mapped(map, a));
  if (inits.length === 0) return [];
  const block = b.openBlock('range');
  const round = b.param(block, 'u32');
  const inner: NodeMap = new Map(map);
  if (region.op === 'range') inner.set(body.params[0], b.add(mapped(map, region.args[0]), round));
  const carried = inits.map((n) => b.param(block, n.type));
  body.params.slice(params).forEach((p, k) => inner.set(p, carried[k]));
  cloneBlock(b, body, inner);
  block.results = body.results.map((r) => mapped(inner, r));
  b.closeBlock(block);
  const again = b.region('range', [b.const(0, 'u32'), rounds, ...inits], [block]);
  return b.results(
    again,
    inits.map((n) => n.type),
  );
}

/** How many rounds a `while` region makes, by running it with a counter. */
export function countRounds(b: Builder, region: Node, map: NodeMap): Node {
  const [testBlock, body] = region.blocks!;
  const inits = region.args.map((a) => mapped(map, a));
  const copies = [testBlock, body].map((block) => {
    const copy = b.openBlock(block.kind);
    const inner: NodeMap = new Map(map);
    for (const param of block.params) inner.set(param, b.param(copy, param.type));
    const counter = b.param(copy, 'u32');
    cloneBlock(b, block, inner);
    copy.results = block.results.map((r) => mapped(inner, r));
    if (block === body) copy.results.push(b.add(counter, b.const(1, 'u32')));
    b.closeBlock(copy);
    return copy;
  });
  const counted = b.region('while', [...inits, b.const(0, 'u32')], copies);
  return b.results(counted, [...inits.map((n) => n.type), 'u32'])[inits.length];
}
