import type { Block, KernelForm, Node } from './form.ts';
import { isRegion } from './form.ts';

/** Removes what no output needs: nodes, values that branches give, values that loops carry. Changes `form` in place. */
export function simplify(form: KernelForm): KernelForm {
  const live = new Set<Node>();
  const stack: Node[] = [];
  const need = (node: Node | null | undefined): void => {
    if (node && !live.has(node)) stack.push(node);
  };
  for (const { value, index, round, block } of form.outputs) {
    for (const node of [value, index, round]) need(node);
    for (let { region } = block; region; { region } = region.block) needRegion(region, live, need);
  }
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (live.has(node)) continue;
    live.add(node);
    if (node.op === 'result') needResult(node.args[0], node.value, live, need);
    else if (node.op === 'param') needParam(node, live, need);
    else for (const arg of node.args) need(arg);
  }
  prune(form.root, live);
  return form;
}

/** How many arguments and params of a region stand before the carried values. */
export const carriedFrom = (region: Node): { args: number; params: number } =>
  region.op === 'range' ? { args: 2, params: 1 } : { args: region.op === 'if' ? 1 : 0, params: 0 };

function needRegion(region: Node, live: Set<Node>, need: (n: Node) => void): void {
  live.add(region);
  const { args } = carriedFrom(region);
  for (const arg of region.args.slice(0, args)) need(arg);
  if (region.op === 'while') need(region.blocks![0].results[0]);
}

function needResult(region: Node, k: number, live: Set<Node>, need: (n: Node) => void): void {
  needRegion(region, live, need);
  if (region.op === 'if') {
    for (const block of region.blocks!) need(block.results[k]);
    return;
  }
  needCarried(region, k, live, need);
}

function needCarried(region: Node, k: number, live: Set<Node>, need: (n: Node) => void): void {
  const { args, params } = carriedFrom(region);
  const body = region.blocks![region.blocks!.length - 1];
  need(region.args[args + k]);
  need(body.results[k]);
  // Kept together: where the carried value enters each block.
  for (const block of region.blocks!) live.add(block.params[params + k]);
}

function needParam(param: Node, live: Set<Node>, need: (n: Node) => void): void {
  const region = param.region!;
  needRegion(region, live, need);
  const { params } = carriedFrom(region);
  if (param.value >= params) needCarried(region, param.value - params, live, need);
}

function prune(block: Block, live: Set<Node>): void {
  block.nodes = block.nodes.filter((node) => live.has(node));
  for (const region of block.nodes.filter(isRegion)) {
    if (region.op === 'if') pruneIf(region, block);
    else pruneLoop(region, block, live);
    for (const inner of region.blocks!) prune(inner, live);
  }
}

function renumberResults(region: Node, block: Block, kept: readonly number[]): void {
  for (const node of block.nodes) {
    if (node.op === 'result' && node.args[0] === region) node.value = kept.indexOf(node.value);
  }
}

function pruneIf(region: Node, block: Block): void {
  const kept = block.nodes
    .filter((n) => n.op === 'result' && n.args[0] === region)
    .map((n) => n.value)
    .sort((a, b) => a - b);
  for (const branch of region.blocks!) branch.results = kept.map((k) => branch.results[k]);
  renumberResults(region, block, kept);
}

function pruneLoop(region: Node, block: Block, live: Set<Node>): void {
  const { args, params } = carriedFrom(region);
  const body = region.blocks![region.blocks!.length - 1];
  const kept = [...body.results.keys()].filter((k) => live.has(body.params[params + k]));
  region.args = [...region.args.slice(0, args), ...kept.map((k) => region.args[args + k])];
  for (const inner of region.blocks!) {
    inner.params = [...inner.params.slice(0, params), ...kept.map((k) => inner.params[params + k])];
    inner.params.forEach((p, position) => {
      p.value = position;
    });
  }
  body.results = kept.map((k) => body.results[k]);
  renumberResults(region, block, kept);
}
