// Films of a coffee filter, an ellipse that is drawn by the closed form of its fall.

import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { filter } from '../src/index.ts';
import { evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('filters'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [G, PIXELS, RADIUS, FLAT] = [9.81, 150, 12, 0.4];
const SPEED = between(0.8, 1.6);
const SWAY = between(0, 0.03);

/** Film of a fall by a way, m, down from the upper edge, with a mark of a metre beside it. */
async function film(seconds: number, fallen: (t: number) => number) {
  const at = (t: number): readonly [number, number] => [
    SIZE.width / 2 + PIXELS * SWAY * Math.sin(5 * t),
    16 + PIXELS * fallen(t),
  ];
  const video = await filmed(evenTimes(seconds), { radius: RADIUS, flat: FLAT, at });
  return {
    video,
    set: {
      ends: `250,60,250,${60 + PIXELS}`,
      span: '1',
      fieldOfView: '40',
      chroma: 'centre',
      lengthTolerance: '0.002',
    },
  };
}

/** From rest: v^2 / g ln cosh(g t / v), of terminal speed v. */
const fromRest = (t: number): number => (SPEED ** 2 / G) * Math.log(Math.cosh((G * t) / SPEED));

const cases: readonly (readonly [string, (t: number) => number])[] = [
  ['from rest', fromRest],
  ['that was let go before the film begins', (t) => fromRest(t + 0.1) - fromRest(0.1)],
];
it.each(cases)('the terminal speed of a fall %s is found', async (_, fallen) => {
  const { video, set } = await film(1.3 / SPEED, fallen);
  const { parameters, derived, verdict } = await found(filter, video, set);
  const { estimate, standardError } = parameters['terminal speed'];
  console.info(JSON.stringify({ truth: SPEED, found: parameters['terminal speed'], speed: parameters.speed }));
  expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
  expect(Math.abs(estimate - SPEED)).toBeLessThan(4 * standardError!);
  expect(standardError! / SPEED).toBeLessThan(0.03);
  expect(Math.abs(derived!.drag.estimate - G / SPEED ** 2)).toBeLessThan(4 * derived!.drag.standardError!);
});

it('of something heavy that falls no terminal speed is claimed', async () => {
  const { video, set } = await film(0.5, (t) => (G * t * t) / 2);
  const { parameters } = await found(filter, video, set);
  const [low, high] = parameters['terminal speed'].interval!;
  console.info(JSON.stringify(parameters['terminal speed']));
  // The film tells that it is faster than some 7 m/s, and the prior that it is hardly faster than 33.
  expect(high).toBeGreaterThan(50);
  expect(high / low).toBeGreaterThan(5);
});
