import { GradsimError } from '@gradsim/core';
/** Values of a problem's parameters, by name. */
export type NamedValues = Readonly<Record<string, number>>;

/** A quantity computed from parameters, such as a ratio, that is reported with its standard error. */
export interface DerivedSpec {
  /** Function of the parameters' values: `({ ke, mass }) => Math.sqrt(ke / mass)`. */
  readonly compute: (values: NamedValues) => number;
  readonly unit?: string;
  /** True value if known, only for reports. */
  readonly truth?: number;
}

/**
 * Wraps values so that reading one calls `onRead` with its name, and reading an unknown name throws.
 * @param reader who reads them, for messages.
 */
export function reportingReads(values: NamedValues, reader: string, onRead: (name: string) => void): NamedValues {
  return new Proxy(values, {
    get: (all, name) => {
      if (typeof name !== 'string') return undefined;
      if (!Object.hasOwn(all, name)) {
        const names = Object.keys(all).join(', ') || 'none';
        throw new GradsimError(
          'optim/unknown-parameter',
          `${reader} asks for the parameter "${name}"; there are: ${names}.`,
        );
      }
      onRead(name);
      return all[name];
    },
  });
}
