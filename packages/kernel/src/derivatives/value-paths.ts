import type { KernelForm } from '../form/kernel-form.ts';
import type { Block, Node } from '../form/nodes.ts';
import { blocksOf, nodeName, operandsOf, regionOf } from '../form/walk.ts';
import { follow } from './dependencies.ts';

/** An operation that passes a value on without its derivative: a comparison, a conversion, `detach`. */
export interface DerivativeEnd {
  /** The name of the operation: `lt`, `toU32`, `floor`, `detach`. */
  readonly operation: string;
  /** For each operand: names of the read ports that it has a derivative with respect to. */
  readonly operands: readonly (readonly string[])[];
}

/**
 * For every port that a kernel gives values to (by name), the read ports (by name) whose values make a difference to it:
 * also those of integers, conditions, indices and loop counts, which have no derivative.
 */
export function valueDependencies(form: KernelForm): Map<string, Set<string>> {
  const result = new Map<string, Set<string>>();
  for (const name of new Set(form.outputs.map(({ port }) => port.name))) {
    const found = new Set<string>();
    for (const node of valuesBehind(form, name)) if (node.op === 'load') found.add(node.port.name);
    result.set(name, found);
  }
  return result;
}

/** The operations between some read ports and a port that the kernel gives values to at which derivatives end. */
export function derivativeEnds(form: KernelForm, from: ReadonlySet<string>, to: string): DerivativeEnd[] {
  const ends: DerivativeEnd[] = [];
  for (const node of valuesBehind(form, to)) {
    if (node.op !== 'pure' || node.primitive.derivative) continue;
    const operands = node.args.map((arg) => {
      const found = new Set<string>();
      follow(arg, new Set(), found);
      return [...found];
    });
    if (operands.some((names) => names.some((name) => from.has(name))))
      ends.push({ operation: nodeName(node), operands });
  }
  return ends;
}

/** Every node whose value makes a difference to what the kernel gives to a port. */
function valuesBehind(form: KernelForm, output: string): Set<Node> {
  const seen = new Set<Node>();
  const blocks = new Set<Block>();
  const stack: Node[] = [];
  /** Nodes that decide whether a block runs, and how often. */
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
