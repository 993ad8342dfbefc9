import type { KernelForm, Node } from '../language/form.ts';
import { isRegion } from '../language/form.ts';

/** Operations whose result has no derivative. */
const CONSTANT = new Set<Node['op']>([
  'detach',
  'floor',
  'ceil',
  'sign',
  'toF32',
  'bitsToF32',
  'const',
  'builtin',
]);

/** For every port that a kernel gives values to (by name), the read ports that they have a derivative to (by name). */
export function dependencies(form: KernelForm): Map<string, Set<string>> {
  const known = new Map<Node, Set<string>>();
  const of = (node: Node): Set<string> => {
    const before = known.get(node);
    if (before) return before;
    const found = new Set<string>();
    known.set(node, found);
    if (CONSTANT.has(node.op)) return found;
    if (node.op === 'load' && node.type === 'f32') found.add(node.port!.name);
    for (const from of sources(node)) {
      if (from.type === 'f32') for (const name of of(from)) found.add(name);
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
  if (node.op === 'load') return [];
  if (node.op === 'result') return regionSources(node.args[0]);
  if (node.op === 'param') return node.region ? regionSources(node.region) : [];
  return node.args;
}

function regionSources(region: Node): Node[] {
  return [...region.args, ...region.blocks!.flatMap((block) => block.results)].filter((n) => !isRegion(n));
}
