import type { KernelForm } from '../form/kernel-form.ts';
import type { Block, Node } from '../form/nodes.ts';
import { blocksOf, nodeName, operandsOf, regionOf } from '../form/walk.ts';
import { collectReadPorts } from './dependencies.ts';

/** An operation whose result has no derivative with respect to its operand: a comparison, a conversion, `detach`. */
export interface DerivativeEnd {
  /** Name of the operation: `lt`, `toU32`, `floor`, `detach`. */
  readonly operation: string;
  /** For each operand, the names of the read ports with respect to which it has a derivative. */
  readonly operands: readonly (readonly string[])[];
}

/**
 * Returns, for every output port (by name), the read ports (by name) whose values influence it, integers, conditions,
 * indices and loop counts included, which have no derivative.
 */
export function valueDependencies(form: KernelForm): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  for (const name of new Set(form.outputs.map(({ port }) => port.name))) {
    const found = new Set<string>();
    for (const node of nodesInfluencing(form, name)) if (node.op === 'load') found.add(node.port.name);
    result.set(name, found);
  }
  return result;
}

/** Returns the operations between some read ports and an output port at which derivatives end. */
export function derivativeEnds(form: KernelForm, from: ReadonlySet<string>, to: string): DerivativeEnd[] {
  const ends: DerivativeEnd[] = [];
  for (const node of nodesInfluencing(form, to)) {
    if (node.op !== 'pure' || node.primitive.derivative) continue;
    const operands = node.args.map((arg) => {
      const found = new Set<string>();
      collectReadPorts(arg, new Set(), found);
      return [...found];
    });
    if (operands.some((names) => names.some((name) => from.has(name))))
      ends.push({ operation: nodeName(node), operands });
  }
  return ends;
}

/** Returns every node whose value influences an output port. */
function nodesInfluencing(form: KernelForm, output: string): Set<Node> {
  const seen = new Set<Node>();
  const blocks = new Set<Block>();
  const stack: Node[] = [];
  /** Collects a block's enclosing blocks, and the conditions and bounds that decide whether and how often they run. */
  const around = (block: Block | null): void => {
    for (let at = block; at !== null && !blocks.has(at); at = at.parent) {
      blocks.add(at);
      const region = regionOf(at);
      if (!region) continue;
      stack.push(...operandsOf(region));
      if (region.op === 'while') stack.push(region.condition);
    }
  };
  for (const { port, value, index, block } of form.outputs) {
    if (port.name !== output) continue;
    stack.push(value);
    if (index) stack.push(index);
    around(block);
  }
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (seen.has(node)) continue;
    seen.add(node);
    stack.push(...operandsOf(node));
    if (node.op === 'counter') around(node.block);
    const region = node.op === 'result' ? node.region : node.op === 'param' ? node.block.loop! : null;
    if (!region) continue;
    stack.push(...operandsOf(region));
    if (region.op === 'while') stack.push(region.condition);
    for (const inner of blocksOf(region)) if ('results' in inner) stack.push(...inner.results);
  }
  return seen;
}
