import type { Cycle } from './model.ts';
import type { Step } from './steps.ts';
import { isPass } from './steps.ts';

type Steps = Readonly<Record<Cycle, readonly Step[]>>;

/**
 * The fields that matter to a gradient: those that depend on a field of `wrt` and that a field of `outputs` depends
 * on. Adjoints and tangents of all others are never computed.
 */
export function activeFields(steps: Steps, wrt: Iterable<string>, outputs: Iterable<string>): Set<string> {
  const passes = [...steps.setup, ...steps.physics, ...steps.frame].filter(isPass);
  const dependent = closure(wrt, (reached) =>
    passes
      .filter((p) => [...p.reads.keys()].some((k) => reached.has(k)))
      .flatMap((p) => [...p.writes.keys()]),
  );
  const useful = closure(outputs, (reached) =>
    passes
      .filter((p) => [...p.writes.keys()].some((k) => reached.has(k)))
      .flatMap((p) => [...p.reads.keys()]),
  );
  return new Set([...dependent].filter((key) => useful.has(key)));
}

function closure(start: Iterable<string>, step: (reached: ReadonlySet<string>) => string[]): Set<string> {
  const reached = new Set(start);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const key of step(reached)) reached.add(key);
  }
  return reached;
}
