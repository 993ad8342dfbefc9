import { GradsimError } from '@gradsim/core';
/** Values of a problem's parameters, by name. */
export type NamedValues = Readonly<Record<string, number>>;

/** A quantity computed from parameters, such as a ratio, that is reported with its standard error. */
export interface DerivedSpec {
  /** Function of the parameters' values: `({ ke, mass }) => Math.sqrt(ke / mass)`. */
  readonly of: (values: NamedValues) => number;
  readonly unit?: string;
  /** True value if known, only for reports. */
  readonly truth?: number;
}

/**
 * Wraps values so that reading one calls `asked` with its name, and reading an unknown name throws.
 * @param what who reads them, for messages.
 */
export function watched(values: NamedValues, what: string, asked: (name: string) => void): NamedValues {
  return new Proxy(values, {
    get: (all, name) => {
      if (typeof name !== 'string') return undefined;
      if (!Object.hasOwn(all, name)) {
        const names = Object.keys(all).join(', ') || 'none';
        throw new GradsimError(
          'optim/unknown-parameter',
          `${what} asks for the parameter "${name}"; there are: ${names}.`,
        );
      }
      asked(name);
      return all[name];
    },
  });
}
