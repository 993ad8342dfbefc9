import type { Simulation } from '@gradsim/core';
import type { NamedValues } from '../problem/named.ts';
import type { ArraySpec, ParameterSpec } from '../problem/parameter.ts';
import type { Problem } from '../problem/problem.ts';
import type { TieSpec } from '../problem/tie.ts';
import type { Unknowns } from '../unknowns/unknowns.ts';

/** Point at which unknowns are fixed. */
interface FixedAt {
  readonly unknowns: Unknowns;
  /** Coordinates of all unknowns. */
  readonly x: Float64Array;
  readonly simulation: Simulation;
  /** True if the other unknowns are searched from their initial values; else from this point. */
  readonly isAnew: boolean;
}

/** Standard deviation of what is held, in natural steps. */
const HELD_DEVIATION = 1e-3;

/** Copy of a problem with some of its unknowns fixed at their values, in fields, ties and derived values. */
export function withFixed(
  started: Problem,
  shared: readonly string[],
  { unknowns, x, simulation, isAnew }: FixedAt,
): Problem {
  const { parameters = [], arrays = [], given = [], ties = [], derived, options, values = {} } = started;
  const own = unknowns.values(x);
  const named = Object.fromEntries(
    shared.map((name) => [name, own[unknowns.blocks.find((block) => block.name === name)!.first]]),
  );
  if (parameters.length + arrays.length === shared.length) {
    // Without unknowns of its own it is estimated where they are held.
    const [slopes, scales] = [unknowns.derivatives(x), unknowns.scales()];
    const held = parameters.map((spec): ParameterSpec => {
      const k = unknowns.blocks.find(({ name }) => name === spec.name)!.first;
      const prior = { mean: own[k], standardDeviation: Math.abs(HELD_DEVIATION * slopes[k] * scales[k]) };
      return { ...spec, start: own[k], prior };
    });
    return { ...started, parameters: held };
  }
  const givens = Object.fromEntries(given.map((spec) => [spec.name, spec.value]));
  const all = { ...unknowns.numbers(own), ...givens };
  const usesOnly = (tie: TieSpec, names: NamedValues): boolean =>
    unknownsOfSpecs(tie, all).every((name) => Object.hasOwn(names, name));
  // A tie that uses nothing but what is shared is fixed with it; of given quantities too, the model must hold its values.
  const isFixed = (tie: TieSpec): boolean => usesOnly(tie, named);
  const fields = [
    ...unknowns.blocks.filter(({ name }) => shared.includes(name)).flatMap(({ field }) => field ?? []),
    ...ties.filter((tie) => usesOnly(tie, { ...givens, ...named })).map(({ field }) => started.model.field(field).key),
  ];
  const atGiven = x.slice();
  for (const { isGiven, first, initial, coordinate } of unknowns.blocks)
    if (isGiven) atGiven[first] = coordinate.toCoordinate(initial[0]);
  const known = fields.map((key) => [key, unknowns.fieldValues(key, atGiven, simulation)]);
  const startOf = <T extends ParameterSpec | ArraySpec>(spec: T): T => {
    if (isAnew) return { ...spec, start: spec.initial };
    const { first, count, isArray } = unknowns.blocks.find(({ name }) => name === spec.name)!;
    return { ...spec, start: isArray ? own.slice(first, first + count) : own[first] };
  };
  return {
    ...started,
    parameters: parameters.filter(({ name }) => !shared.includes(name)).map(startOf),
    arrays: arrays.filter(({ name }) => !shared.includes(name)).map(startOf),
    values: { ...values, ...Object.fromEntries(known) },
    ties: ties
      .filter((tie) => !isFixed(tie))
      .map((tie) => ({ ...tie, compute: (v: NamedValues) => tie.compute(withNamed(v, named)) })),
    ...(derived && {
      derived: Object.fromEntries(
        Object.entries(derived).map(([name, spec]) => [
          name,
          { ...spec, compute: (v: NamedValues) => spec.compute(withNamed(v, named)) },
        ]),
      ),
    }),
    options: isAnew
      ? options
      : { ...options, search: { ...options?.search, horizons: [1], scan: 0, hops: 0, starts: 1 } },
  };
}

/** Names of the values that a tie asks for. */
function unknownsOfSpecs(tie: TieSpec, values: NamedValues): string[] {
  const asked = new Set<string>();
  tie.compute(
    new Proxy(values, {
      get: (own, name) => {
        asked.add(name as string);
        return own[name as string];
      },
    }),
  );
  return [...asked];
}

/** Values by name, with further ones: `values` may refuse names that it does not have, and note those that are asked for. */
const withNamed = (values: NamedValues, more: NamedValues): NamedValues =>
  new Proxy(values, { get: (own, name) => (Object.hasOwn(more, name) ? more : own)[name as string] });
