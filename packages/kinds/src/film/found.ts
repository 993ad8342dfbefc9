import type { Estimate, NamedValues } from '@gradsim/optim';

/** Values of the unknowns and of the given quantities at an estimate, by name, as ties take them. */
export const valuesOf = ({ parameters, given }: Estimate): NamedValues =>
  Object.fromEntries(Object.entries({ ...parameters, ...given }).map(([name, { estimate }]) => [name, estimate]));
