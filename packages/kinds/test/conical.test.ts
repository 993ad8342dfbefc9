// Films of a ball on a string that goes round, drawn by its equation of motion in small steps and a pinhole of their own.

import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { once } from '../../../scripts/vitest/once.ts';
import { conical } from '../src/index.ts';
import { evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('conical pendulums'));
const between = (low: number, high: number): number => low + (high - low) * random();

const [G, SECONDS, STEP, FIELD_OF_VIEW] = [9.81, 3, 1e-4, 40];
const FOCAL = SIZE.height / 2 / Math.tan((FIELD_OF_VIEW * Math.PI) / 360);
const [RADIUS, LENGTH, DAMPING] = [0.045, between(0.5, 0.8), between(0.03, 0.08)];
const CONE = between(0.35, 0.6);
const AROUND = LENGTH * Math.sin(CONE);
/** Distance of the camera from the middle of the circle, m, and the angle by which it looks down, rad. */
const [AWAY, DOWN] = [between(1.5, 1.7), between(0, 0.5) * (random() < 0.5 ? -1 : 1)];
const [PHASE, WAY] = [between(-3, 3), random() < 0.5 ? 1 : -1];

/** Places from the hook, m, y up and z to the camera: v' = -g - 2 c v + s x, where s keeps the string's length, by the midpoint rule. */
function pathOf(place: readonly number[], velocity: readonly number[]): (t: number) => readonly number[] {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, c, k) => sum + c * b[k], 0);
  const rate = ([x, v]: readonly (readonly number[])[]): number[][] => {
    const free = [0, -G, 0].map((g, k) => g - 2 * DAMPING * v[k]);
    const pull = -(dot(v, v) + dot(x, free)) / dot(x, x);
    return [[...v], free.map((f, k) => f + pull * x[k])];
  };
  const add = (state: readonly (readonly number[])[], change: readonly (readonly number[])[], h: number): number[][] =>
    state.map((part, i) => part.map((c, k) => c + h * change[i][k]));
  const places: number[][] = [];
  for (let state = [[...place], [...velocity]]; places.length * STEP < SECONDS + 0.1; ) {
    places.push(state[0]);
    state = add(state, rate(add(state, rate(state), STEP / 2)), STEP);
  }
  return (t) => places[Math.round(t / STEP)];
}

const RATE = WAY * Math.sqrt(G / LENGTH / Math.cos(CONE));
const round = pathOf(
  [AROUND * Math.sin(PHASE), -LENGTH * Math.cos(CONE), AROUND * Math.cos(PHASE)],
  [RATE * AROUND * Math.cos(PHASE), 0, -RATE * AROUND * Math.sin(PHASE)],
);
const inPlane = pathOf([AROUND, -LENGTH * Math.cos(CONE), 0], [0, 0, 0]);

/** Film by a camera that looks at the middle of the circle. */
function filmOf(path: (t: number) => readonly number[], down: number): Promise<Uint8Array> {
  const seenAt = (t: number) => {
    const [x, y, z] = path(t);
    const high = y + LENGTH * Math.cos(CONE);
    const depth = AWAY - z * Math.cos(down) - high * Math.sin(down);
    return { x: x / depth, up: (high * Math.cos(down) - z * Math.sin(down)) / depth, depth };
  };
  return filmed(evenTimes(SECONDS), {
    radius: (t) => (FOCAL * RADIUS) / seenAt(t).depth,
    at: (t) => [SIZE.width / 2 + FOCAL * seenAt(t).x, SIZE.height / 2 - FOCAL * seenAt(t).up],
  });
}
const film = once(() => filmOf(round, DOWN));
const known = { radius: `${RADIUS}`, fieldOfView: `${FIELD_OF_VIEW}`, chroma: 'centre', lengthTolerance: '0.002' };

describe('from a film of a ball on a string that goes round', () => {
  const span = { ends: `20,${SIZE.height / 2},${20 + (0.6 * FOCAL) / AWAY},${SIZE.height / 2}`, span: '0.6' };
  const cases = [
    ['gravity', G, { length: `${LENGTH}` }],
    ['length', LENGTH, { gravity: `${G}` }],
    ['gravity', G, { length: `${LENGTH}`, radius: 'null', ...span }],
  ] as const;
  it.each(cases)(
    '%s, truly %d, cone, angular velocity and damping are found, what was measured being %$',
    async (name, truth, set) => {
      const { parameters, verdict } = await found(conical, await film(), { ...known, ...set });
      expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
      for (const [own, right, most] of [
        [name, truth, 0.03],
        ['angle of the cone', (CONE * 180) / Math.PI, 0.05],
        ['angular velocity', RATE, 0.01],
        ['damping', DAMPING, 0.2],
      ] as const) {
        const { estimate, standardError } = parameters[own];
        console.info(JSON.stringify({ name: own, truth: right, found: estimate, standardError, down: DOWN }));
        expect(Math.abs(estimate - right), own).toBeLessThan(4 * standardError!);
        expect(standardError! / Math.abs(right), own).toBeLessThan(most);
      }
    },
  );
});

it('gravity by a string told a quarter longer is questioned', async () => {
  const { verdict } = await found(conical, await film(), { ...known, length: `${1.25 * LENGTH}` });
  expect(verdict.trusted).toBe(false);
  expect(verdict.findings.map(({ kind }) => kind)).toContain('unusual');
});

it('a pendulum that swings in a plane is refused or not trusted, and its kind is named', async () => {
  const told = await found(conical, await filmOf(inPlane, 0.1), { ...known, length: `${LENGTH}` }).then(
    ({ verdict }) => (verdict.trusted ? 'trusted' : verdict.findings.map(({ note }) => note).join(' ')),
    (error: Error & { hint?: string }) => `${error.message} ${error.hint ?? ''}`,
  );
  expect(told).toContain('gradsim new pendulum');
});
