import type { ParameterSpec } from './parameter.ts';

/** Values of some unknowns of a table, by name. */
type ByName<Name extends string> = Readonly<Partial<Record<Name, number>>>;

/**
 * Makes single unknowns from a table, in its order.
 *
 * ```ts
 * const UNKNOWNS = {
 *   mass: { field: Body.mass, transform: 'log', initial: 6, range: [0.3, 30] },
 *   mu: { field: contactOf(Body).mu, transform: 'log', initial: 0.8, range: [0.1, 1.2] },
 * } as const;
 * const [mass, mu] = parametersOf(UNKNOWNS, { truth: { mass: 2.4, mu: 0.45 } });
 * ```
 * @param known true values for reports, and values at which the search starts instead of `initial`; of any unknowns.
 */
export function parametersOf<Name extends string>(
  table: Readonly<Record<Name, Omit<ParameterSpec, 'name'>>>,
  { truth, start }: { readonly truth?: ByName<Name>; readonly start?: ByName<Name> } = {},
): ParameterSpec[] {
  return (Object.keys(table) as Name[]).map((name) => ({
    name,
    ...table[name],
    ...(truth?.[name] === undefined ? {} : { truth: truth[name] }),
    ...(start?.[name] === undefined ? {} : { start: start[name] }),
  }));
}
