import type { KernelForm } from '../form/kernel-form.ts';
import type { Node, Region } from '../form/nodes.ts';
import { isFloat } from '../form/types.ts';
import { blocksOf, operandsOf } from '../form/walk.ts';

/**
 * Returns, for every output port (by name), the read ports (by name) with respect to which it has a derivative. Cached:
 * many passes run one kernel.
 */
export function dependencies(form: KernelForm): ReadonlyMap<string, ReadonlySet<string>> {
  const found = dependencyCache.get(form) ?? find(form);
  dependencyCache.set(form, found);
  return found;
}

const dependencyCache = new WeakMap<KernelForm, ReadonlyMap<string, ReadonlySet<string>>>();

function find(form: KernelForm): ReadonlyMap<string, ReadonlySet<string>> {
  const result = new Map<string, Set<string>>();
  const seen = new Map<string, Set<Node>>();
  for (const { port, value } of form.outputs) {
    const found = result.get(port.name) ?? new Set<string>();
    const visited = seen.get(port.name) ?? new Set<Node>();
    result.set(port.name, found);
    seen.set(port.name, visited);
    // For each port anew: what one loop carries into another value may be known in part while it is followed.
    if (value.type === 'f32') collectReadPorts(value, visited, found);
  }
  return result;
}

/** Adds the read ports that a node has a derivative with respect to; `visited` nodes have been followed before. */
export function collectReadPorts(node: Node, visited: Set<Node>, found: Set<string>): void {
  if (!isFloat(node.type) || visited.has(node)) return;
  visited.add(node);
  if (node.op === 'pure' && !node.primitive.derivative) return;
  if (node.op === 'load' && node.type === 'f32') found.add(node.port.name);
  for (const source of sources(node)) collectReadPorts(source, visited, found);
}

/** Returns the nodes that a node's value depends on; a region's result depends on all inputs of the region. */
function sources(node: Node): readonly Node[] {
  switch (node.op) {
    case 'load':
      return [];
    case 'result':
      return regionSources(node.region);
    case 'param':
      return regionSources(node.block.loop!);
    default:
      return operandsOf(node);
  }
}

const regionSources = (region: Region): Node[] => [
  ...operandsOf(region),
  ...blocksOf(region).flatMap((block) => ('results' in block ? block.results : [])),
];
