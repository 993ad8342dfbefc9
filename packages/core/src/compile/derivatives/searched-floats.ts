import { GradsimError } from '@gradsim/base';
import type { PassStep, Steps } from '../steps/step.ts';
import type { Edge } from './active-fields.ts';
import { edgesIn, fieldsReachableFrom, fieldsReaching } from './active-fields.ts';

/**
 * Refuses floats that phase search computes from fields on which a gradient depends, if passes on a derivative path
 * read them. Derivatives treat results of a search as constants, so the gradient would lack their contribution.
 * `detach`, in the kernel that writes the float or in the one that reads it, declares that this is intended.
 *
 * @throws naming both kernels and the field.
 */
export function refuseSearchedFloats(
  steps: Steps,
  { parameters, outputs }: { readonly parameters: readonly string[]; readonly outputs: readonly string[] },
): void {
  const search = edgesIn(steps.search);
  if (search.length === 0) return;
  const run = [...edgesIn(steps.physics), ...edgesIn(steps.frame)];
  const useful = fieldsReaching(outputs, run);
  const dependent = fieldsReachableFrom(fieldsReachableFrom(parameters, edgesIn(steps.setup)), run);
  const searched = fieldsReachableFrom(dependent, search);
  const isLost = (key: string): boolean => searched.has(key) && !dependent.has(key);
  const read = run.find(({ from, to }) => useful.has(to) && from.some(isLost));
  if (!read) return;
  const lost = read.from.find(isLost)!;
  const made = search.find(({ from, to }) => to === lost && from.some((key) => searched.has(key)))!;
  const source = made.from.find((key) => searched.has(key))!;
  throw new GradsimError(
    'core/found-by-search',
    `${nameOf(made)} makes ${lost} of ${source}, and ${nameOf(read)} reads it where derivatives go. What phase search makes is a constant for derivatives, so the gradient with respect to ${parameters.join(', ')} would lack what goes through ${lost}.`,
    {
      hint: 'Make it in phase control or force instead; if it is meant to be a constant, write `detach(...)` around it in one of the two kernels.',
    },
  );
}

/** Returns the name of the pass or block that causes an edge. */
const nameOf = ({ step }: Edge): string =>
  step.kind === 'block' ? step.name : `Kernel ${step.kernel.name} (phase ${(step as PassStep).phase})`;
