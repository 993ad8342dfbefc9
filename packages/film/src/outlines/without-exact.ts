import type { DerivedSpec, GivenSpec, NamedValues, Problem, TieSpec } from '@gradsim/optim';

/** Parameters, given quantities, and what is computed from them, of a problem. */
type WithGiven = Pick<Problem, 'parameters' | 'given' | 'ties' | 'derived'>;

/**
 * Given quantities, ties and derived quantities of a problem without exact ones, those with a tolerance of 0: they are
 * removed from the given quantities, ties and derived quantities use their values, and ties that depend on exact quantities alone are removed, since the
 * model already has the results.
 */
export function withoutExact({
  parameters = [],
  given = [],
  ties = [],
  derived,
}: WithGiven): Omit<WithGiven, 'parameters'> {
  const isExact = ({ tolerance }: GivenSpec): boolean => tolerance === 0;
  const exact = new Map(given.filter(isExact).map(({ name, value }) => [name, value]));
  if (exact.size === 0) return { given, ties, derived };
  const withThem = (values: NamedValues, asked = (_name: string): void => {}): NamedValues =>
    new Proxy(values, {
      get: (all, name: string) => {
        asked(name);
        return exact.get(name) ?? all[name];
      },
    });
  const initial: NamedValues = Object.fromEntries([
    ...parameters.map((parameter) => [parameter.name, parameter.initial]),
    ...given.map(({ name, value }) => [name, value]),
  ]);
  const isFree = ({ compute }: TieSpec): boolean => {
    let asksForOthers = false;
    compute(
      withThem(initial, (name) => {
        asksForOthers ||= !exact.has(name);
      }),
    );
    return asksForOthers;
  };
  return {
    given: given.filter((spec) => !isExact(spec)),
    ties: ties.filter(isFree).map((tie) => ({ ...tie, compute: (values) => tie.compute(withThem(values)) })),
    derived:
      derived &&
      Object.fromEntries(
        Object.entries(derived).map(([name, spec]): [string, DerivedSpec] => [
          name,
          { ...spec, compute: (values) => spec.compute(withThem(values)) },
        ]),
      ),
  };
}
