import type { KernelForm } from '../form/kernel-form.ts';
import type { Block, IfRegion, Loop, Node, Region, ResultNode, Statement } from '../form/nodes.ts';
import { blocksOf, carryingBlocks, isRegion, operandsOf, regionOf } from '../form/walk.ts';

/** Removes all nodes and regions that no output needs. Changes `form` in place, and returns it. */
export function simplify(form: KernelForm): KernelForm {
  removeUnused(
    form.root,
    form.outputs.flatMap(({ value, index, round }) => [value, index, round].filter((node) => node !== null)),
    form.outputs.map(({ block }) => block),
  );
  return form;
}

/**
 * Removes from a block what none of `neededNodes` depends on: nodes, results of branches, carried values of loops.
 * @param requiredBlocks blocks that must run, even if their results are unused.
 */
export function removeUnused(root: Block, neededNodes: readonly Node[], requiredBlocks: readonly Block[]): void {
  const live = new Set<Statement>();
  const stack = [...neededNodes];
  const need = (node: Node): void => {
    if (!live.has(node)) stack.push(node);
  };
  for (const block of requiredBlocks)
    for (let region = regionOf(block); region; region = regionOf(region.block)) needRegion(region, live, need);
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (live.has(node)) continue;
    live.add(node);
    if (node.op === 'result') needResult(node.region, node.position, live, need);
    else if (node.op === 'param') needCarried(node.block.loop!, node.position, live, need);
    else if (node.op === 'counter') needRegion(node.block.loop!, live, need);
    else operandsOf(node).forEach(need);
  }
  pruneBlock(root, live);
}

type NeededNodes = (node: Node) => void;

/** Marks a region as used, with its bounds or condition; its results are marked one by one. */
function needRegion(region: Region, live: Set<Statement>, need: NeededNodes): void {
  live.add(region);
  if (region.op === 'range') {
    need(region.start);
    need(region.end);
  } else need(region.condition);
}

function needResult(region: Region, k: number, live: Set<Statement>, need: NeededNodes): void {
  if (region.op !== 'if') {
    needCarried(region, k, live, need);
    return;
  }
  needRegion(region, live, need);
  need(region.then.results[k]);
  need(region.otherwise.results[k]);
}

function needCarried(loop: Loop, k: number, live: Set<Statement>, need: NeededNodes): void {
  needRegion(loop, live, need);
  need(loop.initial[k]);
  need(loop.body.results[k]);
  // Kept together: the carried value as it enters each block.
  for (const block of carryingBlocks(loop)) live.add(block.params[k]);
}

function pruneBlock(block: Block, live: ReadonlySet<Statement>): void {
  block.nodes = block.nodes.filter((node) => live.has(node));
  for (const region of block.nodes.filter(isRegion)) {
    if (region.op === 'if') pruneBranch(region);
    else pruneLoop(region, live);
    for (const inner of blocksOf(region)) pruneBlock(inner, live);
  }
}

function renumberResults(region: Region, kept: readonly number[]): void {
  for (const node of region.block.nodes) {
    if (node.op === 'result' && node.region === region) node.position = kept.indexOf(node.position);
  }
}

function pruneBranch(branch: IfRegion): void {
  const kept = branch.block.nodes
    .filter((n): n is ResultNode => n.op === 'result' && n.region === branch)
    .map(({ position }) => position)
    .sort((a, b) => a - b);
  for (const side of [branch.then, branch.otherwise]) side.results = kept.map((k) => side.results[k]);
  renumberResults(branch, kept);
}

function pruneLoop(loop: Loop, live: ReadonlySet<Statement>): void {
  const { body } = loop;
  const kept = [...body.params.keys()].filter((k) => live.has(body.params[k]));
  loop.initial = kept.map((k) => loop.initial[k]);
  body.results = kept.map((k) => body.results[k]);
  for (const block of carryingBlocks(loop)) {
    block.params = kept.map((k) => block.params[k]);
    block.params.forEach((param, position) => {
      param.position = position;
    });
  }
  renumberResults(loop, kept);
}
