import type { Block, KernelSpec, Statement } from './program.ts';
import { usedAround } from './program.ts';

/** Returns the kernel without the statements and ports that no output needs, since an unused comparison is an error. */
export function pruned(kernel: KernelSpec): KernelSpec {
  const { gives } = kernel;
  if (gives.length === 0) return kernel;
  const live = new Set(
    gives.flatMap((gift) => [
      ...gift.values,
      ...(gift.at === undefined ? [] : [gift.at]),
      ...(gift.near ? [gift.near.point] : []),
      ...usedAround(gift),
    ]),
  );
  const body = pruneBlock(kernel.body, live);
  const loaded = portsOf(body);
  const given = new Set(gives.map((g) => g.port));
  const ports = kernel.ports.filter((p) => (p.access === 'read' ? loaded : given).has(p.name));
  return { ...kernel, body, ports };
}

function pruneBlock(block: Block, live: Set<number>): Block {
  for (const id of block.results) live.add(id);
  const statements: Statement[] = [];
  for (const statement of [...block.statements].reverse()) {
    if (!live.has(statement.id)) continue;
    for (const id of statement.args) live.add(id);
    statements.unshift({ ...statement, blocks: statement.blocks?.map((inner) => pruneBlock(inner, live)) });
  }
  return { ...block, statements };
}

function portsOf(block: Block): Set<string> {
  const ports = new Set<string>();
  for (const { port, blocks = [] } of block.statements) {
    if (port !== undefined) ports.add(port);
    for (const inner of blocks) for (const name of portsOf(inner)) ports.add(name);
  }
  return ports;
}
