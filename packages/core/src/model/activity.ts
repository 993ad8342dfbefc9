import { dependencies } from '@gradsim/kernel/compiler';
import type { BlockStep, PassStep, Step, Steps } from './step.ts';
import { keyOf } from './uses.ts';

/**
 * The fields that matter to a gradient: those that depend on a field of `wrt` and that a field of `outputs` depends
 * on. Adjoints and tangents of all others are never computed. Setup comes before all else: what a state becomes
 * later does not reach what setup makes of its initial value.
 */
export function activeFields(steps: Steps, wrt: Iterable<string>, outputs: Iterable<string>): Set<string> {
  // Nothing goes through phase search: what it finds counts as constant.
  const setup = edgesIn(steps.setup);
  const run = [...edgesIn(steps.physics), ...edgesIn(steps.frame)];
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

/** From which field to which steps carry derivatives. */
function edgesIn(steps: readonly Step[]): Edge[] {
  return steps.flatMap((step) => {
    switch (step.kind) {
      case 'pass':
        return edgesOf(step);
      case 'loop':
        return edgesIn(step.body);
      case 'block':
        return edgesThrough(step);
      default:
        return [];
    }
  });
}

function edgesOf({ kernel: { form }, rename, reads, writes }: PassStep): Edge[] {
  const key = keyOf(form, rename);
  const from = new Map(form.ports.filter((p) => p.access === 'read').map((p) => [p.name, reads.get(key(p))]));
  const to = new Map(form.ports.filter((p) => p.access !== 'read').map((p) => [p.name, writes.get(key(p))]));
  return [...dependencies(form)].flatMap(([target, sources]) =>
    [...sources].flatMap((source) => {
      const [made, found] = [to.get(target), from.get(source)];
      return made && found ? [{ from: found.field.key, to: made.field.key }] : [];
    }),
  );
}

/** Whatever a block makes may depend on whatever it finds. */
function edgesThrough({ reads, writes }: BlockStep): Edge[] {
  const floats = (versions: BlockStep['reads']): string[] =>
    [...versions.values()].filter(({ field }) => field.scalar === 'f32').map(({ field }) => field.key);
  return floats(reads).flatMap((from) => floats(writes).map((to) => ({ from, to })));
}

function closure(start: Iterable<string>, step: (reached: ReadonlySet<string>) => string[]): Set<string> {
  const reached = new Set(start);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const key of step(reached)) reached.add(key);
  }
  return reached;
}
