import type { Edge } from './active-fields.ts';
import { closure, edgesIn } from './active-fields.ts';
import type { PassStep, Steps } from './step.ts';

/**
 * Refuses floats that phase search makes of what a gradient depends on, and that passes read where derivatives go: what a
 * search makes is a constant for derivatives, so the gradient would lack what goes through it. `detach`, in the kernel
 * that makes it or in the one that reads it, says that this is meant.
 *
 * @throws with both kernels and the field.
 */
export function refuseSearchedFloats(
  steps: Steps,
  { wrt, outputs }: { readonly wrt: readonly string[]; readonly outputs: readonly string[] },
): void {
  const search = edgesIn(steps.search);
  if (search.length === 0) return;
  const run = [...edgesIn(steps.physics), ...edgesIn(steps.frame)];
  const after = (start: Iterable<string>, edges: readonly Edge[]): Set<string> =>
    closure(start, (reached) => edges.filter((e) => reached.has(e.from)).map((e) => e.to));
  const useful = closure(outputs, (reached) => run.filter((e) => reached.has(e.to)).map((e) => e.from));
  const dependent = after(after(wrt, edgesIn(steps.setup)), run);
  const searched = after(dependent, search);
  const read = run.find(({ from, to }) => searched.has(from) && !dependent.has(from) && useful.has(to));
  if (!read) return;
  const made = search.find(({ from, to }) => to === read.from && searched.has(from))!;
  throw new Error(
    `${nameOf(made)} makes ${read.from} of ${made.from}, and ${nameOf(read)} reads it where derivatives go. ` +
      `What phase search makes is a constant for derivatives, so the gradient with respect to ${wrt.join(', ')} would lack what goes through ${read.from}. ` +
      'Make it in phase control or force instead; if it is meant to be a constant, write `detach(...)` around it in one of the two kernels.',
  );
}

/** Names the pass of an edge; blocks have a name of their own. */
const nameOf = ({ step }: Edge): string =>
  step.kind === 'block' ? step.name : `Kernel ${step.kernel.name} (phase ${(step as PassStep).phase})`;
