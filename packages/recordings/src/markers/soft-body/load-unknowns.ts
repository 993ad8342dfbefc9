import { add, norm, subtract, type Vector, vectorOf } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { ParameterSpec, TieSpec } from '@gradsim/optim';
import { givenUnknown } from '../registration/body-registration.ts';
import { type LoadTie, tieLengths } from './load.ts';

/** A load that stands off the surface: its tie, told offset, m, and the numbers of its particle and of its first spring. */
export interface TiedLoad {
  readonly tie: LoadTie;
  readonly offset: Vector;
  readonly particle: number;
  readonly spring: number;
}

/** Least distance of told offsets from each other that counts as different, m. */
const MIN_OFFSET_DIFFERENCE = 1e-9;
const nameOf = (axis: number): string => `offset of the load ${'xyz'[axis]}`;

/** Offset of loads by the values of an estimate, m; those that are not unknown are as told. */
export const estimatedOffset = (values: Readonly<Record<string, number>>, givenOffset: Vector): Vector =>
  vectorOf((c) => values[nameOf(c)] ?? givenOffset[c]);

/**
 * Unknowns of the offset that all loads share, and the ties of their particles and springs to it.
 * @param deviation standard deviation of what is told, m; with 0 there are no unknowns.
 * @throws GradsimError where loads are told to stand off differently.
 */
export function loadUnknowns(
  loads: readonly TiedLoad[],
  deviation: number,
): { readonly parameters: readonly ParameterSpec[]; readonly ties: readonly TieSpec[] } {
  if (deviation === 0 || loads.length === 0) return { parameters: [], ties: [] };
  const [{ offset: told }] = loads;
  if (loads.some(({ offset }) => norm(subtract(offset, told)) > MIN_OFFSET_DIFFERENCE))
    throw new GradsimError('markers/load-offsets-differ', 'Loads are told to stand off the body differently.', {
      field: 'load',
      hint: 'An unknown offset is shared by all of them: tell the same, or set its tolerance to 0.',
    });
  return {
    parameters: [0, 1, 2].map((c) => ({ name: nameOf(c), unit: 'm', ...givenUnknown(told[c], deviation) })),
    ties: [
      {
        field: 'particles.position',
        elements: loads.map(({ particle }) => particle),
        compute: (values) => loads.flatMap(({ tie }) => add(tie.position, estimatedOffset(values, told))),
      },
      {
        field: 'springs.restLength',
        elements: loads.flatMap(({ tie, spring }) => tie.nodes.map((_, k) => spring + k)),
        compute: (values) => loads.flatMap(({ tie }) => tieLengths(tie, estimatedOffset(values, told))),
      },
    ],
  };
}
