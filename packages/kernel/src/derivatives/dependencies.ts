import type { KernelForm, Node, Region } from '../language/form.ts';
import { blocksOf, isFloat, operandsOf } from '../language/form.ts';

/** For every port that a kernel gives values to (by name), the read ports that they have a derivative to (by name). */
export function dependencies(form: KernelForm): Map<string, Set<string>> {
  const known = new Map<Node, Set<string>>();
  const of = (node: Node): Set<string> => {
    const before = known.get(node);
    if (before) return before;
    const found = new Set<string>();
    known.set(node, found);
    if (node.op === 'pure' && !node.primitive.derivative) return found;
    if (node.op === 'load' && node.type === 'f32') found.add(node.port.name);
    for (const from of sources(node)) {
      if (isFloat(from.type)) for (const name of of(from)) found.add(name);
    }
    return found;
  };
  const result = new Map<string, Set<string>>();
  for (const { port, value } of form.outputs) {
    const names = result.get(port.name) ?? new Set<string>();
    if (value.type === 'f32') for (const name of of(value)) names.add(name);
    result.set(port.name, names);
  }
  return result;
}

/** Where a node's value comes from; values of a region from all that goes into it. */
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
