import { GradsimError } from '@gradsim/core';
/** The values of a problem's parameters, by name. */
export type NamedValues = Readonly<Record<string, number>>;

/** A quantity computed from parameters, reported with its standard error. */
export interface DerivedSpec {
  /** Function of the parameters' values: `({ ke, mass }) => Math.sqrt(ke / mass)`. */
  readonly of: (values: NamedValues) => number;
  readonly unit?: string;
  /** The true value where it is known, only for reports. */
  readonly truth?: number;
}

/**
 * Values that report which of them are read, and throw for an unknown name.
 * @param name of the reader in messages.
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
