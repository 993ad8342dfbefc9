import { dependencies } from '@gradsim/kernel/compiler';
import { keyOf } from '../model/uses.ts';
import type { BlockStep, PassStep, Step, Steps } from './step.ts';
import { allPasses } from './step.ts';

/**
 * The fields that matter to a gradient: those that depend on a field of `parameters` and that a field of `outputs` depends
 * on. Adjoints and tangents of all others are never computed. Setup comes before all else: what a state becomes
 * later does not reach what setup makes of its initial value.
 */
export function activeFields(steps: Steps, parameters: Iterable<string>, outputs: Iterable<string>): Set<string> {
  // Nothing goes through phase search: what it finds counts as constant.
  const setup = edgesIn(steps.setup);
  const run = [...edgesIn(steps.physics), ...edgesIn(steps.frame)];
  const dependent = after(after(parameters, setup), run);
  const useful = before(before(outputs, run), setup);
  return new Set([...dependent].filter((key) => useful.has(key)));
}

/** A field with those that it follows from, and the step that makes it so. */
export interface Edge {
  readonly from: readonly string[];
  readonly to: string;
  readonly step: PassStep | BlockStep;
}

/** From which fields to which steps carry derivatives, in running order. */
export function edgesIn(steps: readonly Step[]): Edge[] {
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

/** @param of which ports each port that the kernel gives values to follows from, by name. */
export function edgesOf(step: PassStep, of = dependencies): Edge[] {
  const { form } = step.kernel;
  const { from, to } = portsOf(step);
  return [...of(form)].flatMap(([target, sources]) => {
    const made = to.get(target);
    return made ? [{ from: [...sources].flatMap((source) => from.get(source) ?? []), to: made, step }] : [];
  });
}

/** The keys of the fields that a pass reads and makes, by the names of its kernel's ports. */
export function portsOf({ kernel: { form }, rename, reads, writes }: PassStep): {
  readonly from: ReadonlyMap<string, string>;
  readonly to: ReadonlyMap<string, string>;
} {
  const key = keyOf(form, rename);
  const [from, to] = [new Map<string, string>(), new Map<string, string>()];
  for (const port of form.ports) {
    const isRead = port.access === 'read';
    const version = (isRead ? reads : writes).get(key(port));
    if (version) (isRead ? from : to).set(port.name, version.field.key);
  }
  return { from, to };
}

/**
 * Whatever a block makes may depend on whatever its derivative goes to: what `vjp` adds to, and `jvp` reads; on whatever it
 * finds where it has no derivative at all.
 */
function edgesThrough(step: BlockStep): Edge[] {
  const { reads, writes, vjp, jvp } = step;
  const given = new Set([
    ...allPasses(vjp).flatMap((pass) => [...(pass.derivatives?.gives.keys() ?? [])]),
    ...allPasses(jvp).flatMap((pass) => [...(pass.derivatives?.reads.keys() ?? [])]),
  ]);
  const floats = (versions: BlockStep['reads']): string[] =>
    [...versions.values()].filter(({ field }) => field.scalar === 'f32').map(({ field }) => field.key);
  const from = floats(reads).filter((key) => vjp.length + jvp.length === 0 || given.has(key));
  return floats(writes).map((to) => ({ from, to, step }));
}

/** All fields that follow from some, and these. Edges in running order are gone through about once a loop of fields. */
export function after(start: Iterable<string>, edges: readonly Edge[]): Set<string> {
  const reached = new Set(start);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const { from, to } of edges) if (!reached.has(to) && from.some((key) => reached.has(key))) reached.add(to);
  }
  return reached;
}

/** All fields that some follow from, and these. */
export function before(end: Iterable<string>, edges: readonly Edge[]): Set<string> {
  const reached = new Set(end);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (let k = edges.length - 1; k >= 0; k--)
      if (reached.has(edges[k].to)) for (const key of edges[k].from) reached.add(key);
  }
  return reached;
}
