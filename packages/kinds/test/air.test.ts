// Balls that the air brakes, drawn.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  FIELD_OF_VIEW,
  filmed,
  found,
  HEIGHT,
  pathInAir,
  RADIUS,
  RATE,
  RESTITUTION,
  SPEED,
} from './support/drawn-ball.ts';

const SECONDS = 1.3;
const times = Array.from({ length: Math.ceil(SECONDS * RATE) + 1 }, (_, k) => k / RATE);
const pathWith = (drag: number) => pathInAir(drag, { height: HEIGHT, velocity: [SPEED, 0] }, SECONDS);

const MEASURED = {
  radius: `${RADIUS}`,
  fieldOfView: `${FIELD_OF_VIEW}`,
  chroma: 'centre',
  lengthTolerance: '0',
  angleTolerance: '0',
};
/** Mass of the ball whose drag is 0.1 1/m by its size, kg. */
const WEIGHED = (1.2 * 0.47 * Math.PI * RADIUS ** 2) / (2 * 0.1);

const wrong = (
  { estimate, standardError }: { estimate: number; standardError: number | null },
  truth: number,
): number => Math.abs(estimate - truth) / standardError!;

it('restitution and drag of a ball are found in air that takes 0.1 of its squared speed', async () => {
  const { parameters, verdict } = await found(await filmed(times, pathWith(0.1)), MEASURED);
  const { restitution, drag } = parameters;
  console.info(
    `restitution ${restitution.estimate} +- ${restitution.standardError}, drag ${drag.estimate} +- ${drag.standardError}`,
  );
  expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
  expect(wrong(restitution, RESTITUTION)).toBeLessThan(3);
  expect(wrong(drag, 0.1)).toBeLessThan(3);
  expect(restitution.standardError).toBeLessThan(0.02);
  expect(drag.standardError).toBeLessThan(0.04);
});

it('without air restitution is found, drag stays at or above 0, and its standard error is that of its prior at most', async () => {
  const { parameters, verdict } = await found(await filmed(times, pathWith(0)), MEASURED);
  const { restitution, drag } = parameters;
  expect(verdict.trusted).toBe(true);
  expect(wrong(restitution, RESTITUTION)).toBeLessThan(3);
  expect(drag.estimate).toBeGreaterThan(0);
  expect(drag.estimate).toBeLessThan(0.02);
  expect(drag.determinedBy).toBe('priors');
});

it('the mass of a ball makes its restitution more certain', async () => {
  const film = await filmed(times, pathWith(0.1));
  const [light, weighed] = [await found(film, MEASURED), await found(film, { ...MEASURED, mass: `${WEIGHED}` })];
  const error = ({ parameters }: typeof light): number => parameters.restitution.standardError!;
  expect(error(weighed)).toBeLessThan(error(light));
  expect(wrong(weighed.parameters.restitution, RESTITUTION)).toBeLessThan(3);
});

const CASE = fileURLToPath(new URL('../../../../shared/cases/films/foam-ball-with-drag.mp4', import.meta.url));
const isThere = existsSync(CASE);
if (!isThere) console.warn('SKIPPED, NOT TESTED: the foam ball of shared cases, which are not beside the repository.');
it.skipIf(!isThere)('a foam ball keeps 0.75 of its speed, and the Earth has its gravity', async () => {
  const { parameters, verdict } = await found(CASE, { radius: '0.06', chroma: 'centre' });
  expect(verdict.trusted).toBe(true);
  expect(wrong(parameters.restitution, 0.75)).toBeLessThan(1.5);
  expect(wrong(parameters.gravity, 9.81)).toBeLessThan(1.5);
  expect(wrong(parameters.drag, 0.25)).toBeLessThan(1.5);
});
