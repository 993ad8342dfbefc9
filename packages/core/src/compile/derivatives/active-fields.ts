import { dependencies } from '@gradsim/kernel/internal/derivatives';
import { keyOf } from '../../model/uses.ts';
import type { BlockStep, PassStep, Step, Steps } from '../steps/step.ts';
import { allPasses } from '../steps/step.ts';

/**
 * Returns the fields that matter to a gradient: those that depend on a field of `parameters` and that a field of
 * `outputs` depends on. Adjoints and tangents of all other fields are never computed. Setup runs before everything
 * else: the value that a state gets later does not affect what setup derives from its initial value.
 */
export function activeFields(steps: Steps, parameters: Iterable<string>, outputs: Iterable<string>): Set<string> {
  // No derivative passes through phase search: its results count as constants.
  const setup = edgesIn(steps.setup);
  const run = [...edgesIn(steps.physics), ...edgesIn(steps.frame)];
  const dependent = fieldsReachableFrom(fieldsReachableFrom(parameters, setup), run);
  const useful = fieldsReaching(fieldsReaching(outputs, run), setup);
  return new Set([...dependent].filter((key) => useful.has(key)));
}

/** Dependence of a field on other fields, with the step that causes it. */
export interface Edge {
  readonly from: readonly string[];
  readonly to: string;
  readonly step: PassStep | BlockStep;
}

/** Returns derivative dependencies between fields, one edge for each field that a step writes, in running order. */
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

/**
 * Returns the derivative dependencies of a pass, as keys of fields.
 * @param dependenciesOf returns, for each port that the kernel writes, the ports that it depends on.
 */
export function edgesOf(step: PassStep, dependenciesOf = dependencies): Edge[] {
  const { form } = step.kernel;
  const { from, to } = portsOf(step);
  return [...dependenciesOf(form)].flatMap(([target, sources]) => {
    const made = to.get(target);
    return made ? [{ from: [...sources].flatMap((source) => from.get(source) ?? []), to: made, step }] : [];
  });
}

/** Returns the keys of the fields that a pass reads and writes, by the names of its kernel's ports. */
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
 * Returns the dependencies of a block: its results may depend on every field whose derivative it handles, those that
 * `vjp` adds to and that `jvp` reads; without a derivative, on every field that it reads.
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

/**
 * Returns the fields of `start` and all that depend on any of them. Edges in running order need about one sweep for
 * each cycle of fields.
 */
export function fieldsReachableFrom(start: Iterable<string>, edges: readonly Edge[]): Set<string> {
  const reached = new Set(start);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const { from, to } of edges) if (!reached.has(to) && from.some((key) => reached.has(key))) reached.add(to);
  }
  return reached;
}

/** Returns the fields of `end` and all that any of them depends on. */
export function fieldsReaching(end: Iterable<string>, edges: readonly Edge[]): Set<string> {
  const reached = new Set(end);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (let k = edges.length - 1; k >= 0; k--)
      if (reached.has(edges[k].to)) for (const key of edges[k].from) reached.add(key);
  }
  return reached;
}
