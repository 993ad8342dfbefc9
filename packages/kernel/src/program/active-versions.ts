import { dependencies } from '../derivatives/dependencies.ts';
import type { Chain, ChainStep, Version } from './chain.ts';
import { passesOf } from './chain.ts';
import { fieldKey } from './jobs/kernel-steps.ts';

/**
 * Returns the versions that a derivative passes through: those that depend on one of `wrt` and on which one of
 * `outputs` depends.
 */
export function activeVersions(chain: Chain, wrt: Iterable<Version>, outputs: Iterable<Version>): ReadonlySet<Version> {
  const edges = passesOf(chain).flatMap(edgesOf);
  const dependent = new Set(wrt);
  for (const { from, to } of edges) if (dependent.has(from)) dependent.add(to);
  const useful = new Set(outputs);
  for (const { from, to } of edges.reverse()) if (useful.has(to)) useful.add(from);
  return new Set([...dependent].filter((version) => useful.has(version)));
}

/** Returns pairs of versions: an output of a kernel, and an input with respect to which it has a derivative. */
function edgesOf({ kernel: { form }, rename, reads, writes }: ChainStep): { from: Version; to: Version }[] {
  const keys = new Map(form.ports.map((port) => [port.name, fieldKey(port, form.domain, rename)]));
  return [...dependencies(form)].flatMap(([to, from]) =>
    [...from].map((name) => ({ from: reads.get(keys.get(name)!)!, to: writes.get(keys.get(to)!)! })),
  );
}
