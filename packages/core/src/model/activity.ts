import { dependencies, fieldKey } from '@gradsim/kernel/compiler';
import type { Cycle } from './model.ts';
import type { PassStep, Step } from './steps.ts';
import { isPass } from './steps.ts';

type Steps = Readonly<Record<Cycle, readonly Step[]>>;

/**
 * The fields that matter to a gradient: those that depend on a field of `wrt` and that a field of `outputs` depends
 * on. Adjoints and tangents of all others are never computed. Setup comes before all else: what a state becomes
 * later does not reach what setup makes of its initial value.
 */
export function activeFields(steps: Steps, wrt: Iterable<string>, outputs: Iterable<string>): Set<string> {
  // Nothing goes through phase search: what it finds counts as constant.
  const setup = steps.setup.filter(isPass).flatMap(edgesOf);
  const run = [...steps.physics, ...steps.frame].filter(isPass).flatMap(edgesOf);
  const from = (start: Iterable<string>, edges: readonly Edge[]): Set<string> =>
    closure(start, (reached) => edges.filter((e) => reached.has(e.from)).map((e) => e.to));
  const to = (start: Iterable<string>, edges: readonly Edge[]): Set<string> =>
    closure(start, (reached) => edges.filter((e) => reached.has(e.to)).map((e) => e.from));
  const dependent = from(from(wrt, setup), run);
  const useful = to(to(outputs, run), setup);
  return new Set([...dependent].filter((key) => useful.has(key)));
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** From which field to which a pass carries derivatives. */
function edgesOf({ kernel, rename }: PassStep): Edge[] {
  const keys = new Map(kernel.form.ports.map((p) => [p.name, fieldKey(p, kernel.form.domain, rename)]));
  return [...dependencies(kernel.form)].flatMap(([to, from]) =>
    [...from].map((name) => ({ from: keys.get(name)!, to: keys.get(to)! })),
  );
}

function closure(start: Iterable<string>, step: (reached: ReadonlySet<string>) => string[]): Set<string> {
  const reached = new Set(start);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const key of step(reached)) reached.add(key);
  }
  return reached;
}
