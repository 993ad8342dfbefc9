import { Tet } from '@gradsim/fem';
import type { ParameterSpec } from '@gradsim/optim';
import type { Random } from '../scenes/draws.ts';
import { startFarFrom } from '../scenes/draws.ts';

/** Range of starting values of mu and lambda, Pa: a factor of 40. */
const RANGE = [250, 10000] as const;

/**
 * Two unknowns, mu and lambda, Pa, each shared by all elements, with random starts that differ from the truth by at
 * least a factor of 2.
 */
export const elasticity = (random: Random, truth: Readonly<Record<'mu' | 'lambda', number>>): ParameterSpec[] =>
  (['mu', 'lambda'] as const).map((name) => ({
    name,
    field: Tet[name],
    transform: 'log',
    range: RANGE,
    initial: startFarFrom(random, truth[name], RANGE),
    unit: 'Pa',
    truth: truth[name],
  }));
