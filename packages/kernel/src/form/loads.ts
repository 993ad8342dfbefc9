import type { LoadNode, RootBlock } from './nodes.ts';
import type { Port } from './port.ts';
import { everyStatement } from './walk.ts';

interface Loads {
  readonly all: readonly LoadNode[];
  readonly first: readonly LoadNode[];
}

// Cache: many passes run one kernel.
const loadCache = new WeakMap<RootBlock, Loads>();

function loadsIn(root: RootBlock): Loads {
  const found = loadCache.get(root) ?? find(root);
  loadCache.set(root, found);
  return found;
}

function find(root: RootBlock): Loads {
  const all = everyStatement(root).filter((node) => node.op === 'load');
  const [own, others] = [new Set<Port>(), new Set<Port>()];
  const first = all.filter(({ port, index }) => {
    const seen = index === null ? own : others;
    return !seen.has(port) && seen.add(port);
  });
  return { all, first };
}

/** Returns the loads of a finished form; cached. */
export const loadsOf = (root: RootBlock): readonly LoadNode[] => loadsIn(root).all;

/** Returns, of the loads of each port, the first at the own element and the first at an index. */
export const firstLoadsOf = (root: RootBlock): readonly LoadNode[] => loadsIn(root).first;
