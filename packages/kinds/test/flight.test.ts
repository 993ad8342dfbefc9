// Balls that are thrown, drawn: with drag, without, and on until they land.
import type { Estimate } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { flight, type Kind } from '../src/index.ts';
import { FIELD_OF_VIEW, filmed, found, G, pathInAir, RADIUS, RATE } from './support/drawn-ball.ts';

const MEASURED = {
  radius: `${RADIUS}`,
  fieldOfView: `${FIELD_OF_VIEW}`,
  chroma: 'centre',
  lengthTolerance: '0',
  angleTolerance: '0',
};

/** What is found of a ball that is thrown upwards, 0.2 m above the floor, filmed for some seconds. */
async function thrown(drag: number, seconds: number): Promise<Estimate> {
  const times = Array.from({ length: Math.ceil(seconds * RATE) + 1 }, (_, k) => k / RATE);
  const path = pathInAir(drag, { height: 0.2, velocity: [1.1, 3.2] }, seconds);
  return found(await filmed(times, path), MEASURED, flight as unknown as Kind);
}

const wrong = ({ parameters }: Estimate, name: string, truth: number): number =>
  Math.abs(parameters[name].estimate - truth) / parameters[name].standardError!;

it('gravity and drag of a throw in air are found, and the terminal speed sqrt(g / c) is told', async () => {
  const result = await thrown(0.3, 0.6);
  const { gravity, drag } = result.parameters;
  console.info(
    `gravity ${gravity.estimate} +- ${gravity.standardError}, drag ${drag.estimate} +- ${drag.standardError}`,
  );
  expect(result.verdict.trusted).toBe(true);
  expect(wrong(result, 'gravity', G)).toBeLessThan(3);
  expect(wrong(result, 'drag', 0.3)).toBeLessThan(3);
  expect(drag.standardError).toBeLessThan(0.1);
});

it('of a film that goes on after the ball lands, the flight alone is compared', async () => {
  const result = await thrown(0, 1.1);
  console.info(`gravity ${result.parameters.gravity.estimate} +- ${result.parameters.gravity.standardError}`);
  expect(result.verdict.trusted).toBe(true);
  expect(wrong(result, 'gravity', G)).toBeLessThan(3);
  expect(result.parameters.gravity.standardError).toBeLessThan(0.3);
});
