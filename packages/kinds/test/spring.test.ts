// Films of a ball on a spring, drawn by the closed form of a damped oscillation.

import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { once } from '../../../scripts/vitest/once.ts';
import { spring } from '../src/index.ts';
import { evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('springs'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [RADIUS, AWAY, FIELD_OF_VIEW] = [0.04, 1.4, 40];
const PIXELS = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360) / AWAY;
const MASS = between(0.1, 0.3);
const SPRING_MASS = 0.2 * MASS;
const DAMPING = between(0.1, 0.15);
const FREQUENCY = between(6, 11);
const STIFFNESS = FREQUENCY ** 2 * (MASS + SPRING_MASS / 3);
// A ball that covers a place for half of the time hides its background there: it swings wider than that up to the end.
const [AMPLITUDE, PHASE] = [between(2.3, 2.8) * RADIUS, between(-3, 3)];

/** y'' = -w^2 y - 2 c y' is solved by exp(-c t) cos(sqrt(w^2 - c^2) t + p); it sways to the side meanwhile. */
const at = (t: number): readonly [number, number] => [
  SIZE.width / 2 + PIXELS * 0.01 * Math.sin(4 * t),
  SIZE.height / 2 -
    PIXELS * AMPLITUDE * Math.exp(-DAMPING * t) * Math.cos(Math.sqrt(FREQUENCY ** 2 - DAMPING ** 2) * t + PHASE),
];
const film = once(() => filmed(evenTimes(2.5), { radius: RADIUS * PIXELS, at }));
const known = { radius: `${RADIUS}`, fieldOfView: `${FIELD_OF_VIEW}`, chroma: 'centre' };

describe('from a film of a ball on a spring', () => {
  const cases = [
    ['stiffness', STIFFNESS, { mass: `${MASS}`, springMass: `${SPRING_MASS}` }],
    ['mass', MASS, { stiffness: `${STIFFNESS}`, springMass: `${SPRING_MASS}` }],
    ['stiffness', STIFFNESS, { mass: `${MASS}`, springMass: `${SPRING_MASS}`, massTolerance: '0' }],
    ['stiffness over mass', FREQUENCY ** 2, {}],
  ] as const;
  it.each(cases)('%s, damping and period are found, what was measured being %$', async (name, truth, set) => {
    const { parameters, derived, verdict } = await found(spring, await film(), { ...known, ...set });
    const period = derived!.period;
    console.info(JSON.stringify({ name, truth, found: parameters[name], damping: parameters.damping, period }));
    expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
    for (const [{ estimate, standardError }, right, most] of [
      [parameters[name], truth, 0.002],
      [parameters.damping, DAMPING, 0.05],
      [period, (2 * Math.PI) / Math.sqrt(FREQUENCY ** 2 - DAMPING ** 2), 0.001],
    ] as const) {
      expect(Math.abs(estimate - right)).toBeLessThan(4 * standardError!);
      expect(Math.abs(estimate / right - 1)).toBeLessThan(most);
    }
  });
});

it('a mass and a stiffness that do not fit the film are not trusted', async () => {
  const set = { mass: `${1.2 * MASS}`, stiffness: `${STIFFNESS}`, springMass: `${SPRING_MASS}` };
  const { verdict } = await found(spring, await film(), { ...known, ...set });
  expect(verdict.trusted).toBe(false);
});
