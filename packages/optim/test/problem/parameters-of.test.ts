import { parametersOf } from '@gradsim/optim';
import { expect, it } from 'vitest';

const UNKNOWNS = {
  mass: { field: 'bodies.mass', transform: 'log', initial: 6, range: [0.3, 30] },
  mu: { field: 'bodies.mu', initial: 0.8 },
} as const;

it('parametersOf makes unknowns from a table, with true and start values if given', () => {
  expect(parametersOf(UNKNOWNS)).toEqual([
    { name: 'mass', ...UNKNOWNS.mass },
    { name: 'mu', ...UNKNOWNS.mu },
  ]);
  const [mass, mu] = parametersOf(UNKNOWNS, { truth: { mass: 2.4, mu: 0.45 }, start: { mu: 0.5 } });
  expect(mass).toEqual({ name: 'mass', ...UNKNOWNS.mass, truth: 2.4 });
  expect(mu).toEqual({ name: 'mu', ...UNKNOWNS.mu, truth: 0.45, start: 0.5 });
});
