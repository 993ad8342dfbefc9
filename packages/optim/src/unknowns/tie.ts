import type { Model } from '@gradsim/core';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import { flawOf } from '@gradsim/core/internal';
import type { NamedValues } from '../problem/named.ts';
import { reportingReads } from '../problem/named.ts';
import type { Timeline } from '../problem/run.ts';
import type { TieSpec } from '../problem/tie.ts';
import type { Block } from './block.ts';
import { chosenIndices, elementsOf, placesOf } from './places.ts';
import { RunFailure } from './run-failure.ts';

/** A tie resolved against a model: the places that it sets, its values and their derivatives. */
export interface Tie {
  /** Name of the tie in messages. */
  readonly name: string;
  readonly field: string;
  /**
   * Indices in the field's values, flat [moment][element][component]; the tie's value `owners[p]` is written to index
   * `places[p]`.
   */
  readonly places: Uint32Array;
  readonly owners: Uint32Array;
  /** Returns the tie's values at a point, given by its coordinates. */
  readonly values: (x: ArrayLike<number>) => Float64Array;
  /** Returns the derivatives of the values with respect to coordinate k; null if they do not depend on it. */
  readonly slopes: (x: ArrayLike<number>, k: number) => Float64Array | null;
}

/**
 * Step of central differences in natural steps; in double precision derivatives are then accurate to about ten digits.
 */
const DIFFERENCE_STEP = 6e-6;

/**
 * Resolves a tie against a model.
 * @param held values of given quantities that are kept fixed, by name.
 * @throws for a field, element, component or parameter that does not exist, or if the function returns invalid values.
 */
export function tieOf(
  model: Model,
  spec: TieSpec,
  blocks: readonly Block[],
  timeline: Timeline,
  held: NamedValues,
): Tie & { readonly uses: ReadonlySet<string> } {
  const field = model.field(spec.field);
  const what = `The tie of ${field.key}`;
  refuseUnknownOptions<TieSpec>(what, spec, { field: true, elements: true, components: true, compute: true });
  if (typeof spec.compute !== 'function')
    throw new GradsimError(
      'optim/no-function',
      `${what} has no function \`compute\` that gives its value from those of parameters.`,
    );
  const all = [...Array(field.components).keys()];
  const components = chosenIndices(what, field.key, 'components', spec.components ?? all, field.components);
  const elements = elementsOf(model, field, what, spec.elements);
  const { places, owners } = placesOf(what, model, field, timeline, elements, components, {});
  const count = elements.length * components.length;
  const numbers = blocks.filter(({ isArray }) => !isArray);
  const uses = new Set<string>();

  // One object for all calls: a search asks for the values of a tie some hundred times a step.
  const named: Record<string, number> = { ...held, ...Object.fromEntries(numbers.map(({ name }) => [name, 0])) };
  const asked = reportingReads(named, what, (name) => uses.add(name));
  const valuesOf = (given: (block: Block) => number): Float64Array => {
    for (const block of numbers) named[block.name] = given(block);
    const made = spec.compute(asked);
    if (typeof made === 'number') return new Float64Array(count).fill(made);
    if (made?.length !== count)
      throw new GradsimError('optim/wrong-size', `${what} gives ${made?.length ?? String(made)} values.`, {
        hint: `Give one, or ${count}, of ${elements.length} elements x ${components.length} components.`,
      });
    return Float64Array.from(made);
  };
  const at = (x: ArrayLike<number>, { first, coordinate }: Block): number => coordinate.toValue(x[first]);

  const initial = valuesOf(({ start }) => start[0]);
  const own = 'scalar' in field ? field : undefined;
  for (const value of initial) {
    const must = flawOf(value, own ?? { scalar: 'f32' });
    if (must)
      throw new GradsimError(
        'optim/value-out-of-range',
        `${what} gives ${value} where the search starts; ${field.key} must ${must}.`,
        { field: field.key },
      );
  }
  if (uses.size === 0)
    throw new GradsimError(
      'optim/idle-tie',
      `${what} asks for no parameter: what it gives is no unknown, but a value of the model.`,
    );
  return {
    name: `the tie of ${field.key}`,
    field: field.key,
    places,
    owners,
    uses,
    // Values that it refuses during a search mark a point that went too far.
    values: (x) => RunFailure.whileSetting(() => valuesOf((block) => at(x, block))),
    slopes: (x, k) => {
      const moved = numbers.find(({ first }) => first === k);
      if (!moved || !uses.has(moved.name)) return null;
      const { coordinate, scale } = moved;
      const side = (sign: number): number => coordinate.toValue(x[k] + sign * DIFFERENCE_STEP * scale);
      const [above, below] = [side(1), side(-1)];
      // At an end of its range it moves to one side only, and one that has run off to where it is 0 does not move at all.
      const slope = above === below ? 0 : coordinate.derivative(x[k]) / (above - below);
      const movedTo = (value: number): Float64Array =>
        RunFailure.whileSetting(() => valuesOf((block) => (block === moved ? value : at(x, block))));
      const low = movedTo(below);
      return movedTo(above).map((value, p) => (value - low[p]) * slope);
    },
  };
}
