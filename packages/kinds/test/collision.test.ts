// Films of two things that collide, discs that are drawn by the closed form of their motion.

import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

import { afterTouch, impulseOf, type PlaneVector } from '../src/collision/impulse.ts';
import { Collider, collision as touching, touchTime } from '../src/collision/motion.ts';
import { collision } from '../src/index.ts';
import { type Disc, emptyScene, evenTimes, filmed, found, SIZE } from './support/films.ts';

const random = randomNumbers(seedOfRun('collisions'));
const between = (low: number, high: number): number => low + (high - low) * random();
const flat = (): PlaneVector => [between(-1, 1), between(-1, 1)];

describe('a touch', () => {
  it('conserves momentum, and gives the restitution and the ratio of masses back that it was made with', () => {
    for (let k = 0; k < 100; k++) {
      const angle = between(0, 2 * Math.PI);
      const normal: PlaneVector = [Math.cos(angle), Math.sin(angle)];
      const touch = { restitution: between(0, 1), ratio: Math.exp(between(-2, 2)), friction: between(-0.3, 0.3) };
      const [first, second] = [flat(), flat()];
      const after = afterTouch({ first, second, normal, ...touch });
      for (const c of [0, 1] as const)
        expect(after[0][c] + touch.ratio * after[1][c]).toBeCloseTo(first[c] + touch.ratio * second[c], 12);
      const back = impulseOf([first, after[0]], [second, after[1]], normal);
      for (const name of ['restitution', 'ratio', 'friction'] as const) expect(back[name]).toBeCloseTo(touch[name], 6);
    }
  });

  it('along a line has the textbook velocities after', () => {
    const line = { first: [3, 0], second: [-1, 0], normal: [1, 0], friction: 0 } as const;
    // v1 = (m1 u1 + m2 u2 - e m2 (u1 - u2)) / (m1 + m2), and likewise v2, with m1 = 2, m2 = 6.
    const [[v1], [v2]] = afterTouch({ ...line, restitution: 0.5, ratio: 3 });
    expect([v1, v2]).toEqual([-1.5, 0.5]);
    const [[a], [b]] = afterTouch({ ...line, restitution: 1, ratio: 1 });
    expect([a, b]).toEqual([-1, 3]);
  });
});

describe('the motion of two that touch', () => {
  const scene = createScene([touching()]);
  const [u, v, a, T] = [0.8, 0.2, 0.5, 0.43];
  scene.add(Collider, { place: [0.1, 0, 0], before: [u, 0, 0], after: [v, 0, 0], braking: a });
  scene.add(Collider, { place: [0.2, 0, 0], before: [0, 0, 0], after: [0.6, 0.3, 0], braking: 0.1 });
  const run = { frames: 12, frameRate: 10, substeps: 1 };

  it('is straight and braked on either side of the touch, rests before it, and ends where a thing stops', async () => {
    const simulation = await createSimulation(buildModel(scene), {
      ...run,
      device: cpuDevice(),
      parameters: [touchTime],
      record: [Collider.position],
    });
    simulation.set(touchTime, [T]);
    simulation.forward();
    const places = await simulation.readFrames(Collider.position);
    simulation.dispose();
    const way = (speed: number, t: number): number => speed * t - (a * t * Math.abs(t)) / 2;
    for (let frame = 0; frame < run.frames; frame++) {
      const t = frame / 10 - T;
      // Friction fades below 5 mm/s.
      expect(places[6 * frame]).toBeCloseTo(0.1 + (t < 0 ? u * t - (a * t * t) / 2 : way(v, Math.min(t, v / a))), 4);
      if (t < 0) expect(places[6 * frame + 3]).toBeCloseTo(0.2, 7);
    }
  });

  it('has the derivatives that differences show, by the moment of the touch as well', async () => {
    const moved = createScene([touching()]);
    moved.add(Collider, { place: [0.1, 0, 0], before: [u, 0.1, 0], after: [v, 0, 0], braking: a });
    await checkPlugin(moved, {
      ...run,
      parameters: [touchTime, Collider.place, Collider.before, Collider.after, Collider.braking],
      outputs: [Collider.position],
      values: { [touchTime.key]: [T] },
    });
  });
});

/** Displacement, m, of what has a velocity at time 0 and is braked. */
function way(velocity: number, braking: number, t: number): number {
  const stop = t > 0 ? Math.min(t, Math.abs(velocity) / braking) : t;
  return velocity * stop - (Math.sign(velocity) * braking * stop * stop) / 2;
}

const PIXELS = 150;
const [SECONDS, MOMENT] = [1.4, between(0.62, 0.78)];
const BRAKING = [between(0.02, 0.08), between(0.02, 0.08)] as const;
const SIDE = random() < 0.5 ? 1 : -1;
const MARKS = { ends: '85,200,235,200', span: '1', fieldOfView: '40', chroma: 'centre', lengthTolerance: '0.002' };

/** A touch on a line: velocities before, restitution, and the mass of the second over that of the first. */
type Line = readonly [first: number, second: number, restitution: number, ratio: number];

/** Film of a touch on a line, of discs on the same ground, with their shadows on request. */
function onLine(
  [first, second, restitution, ratio]: Line,
  others: readonly Disc[] = [],
  { shadow, color }: Pick<Disc, 'shadow' | 'color'> = {},
): Promise<Uint8Array> {
  const touch = { first: [first, 0], second: [second, 0], normal: [1, 0], restitution, ratio, friction: 0 } as const;
  const after = afterTouch(touch);
  const radii = [8, 8 * Math.min(Math.max(ratio ** (1 / 3), 0.7), 1.4)];
  const across = radii[0] + radii[1];
  // Balls of different sizes on one ground touch above it.
  const apart = Math.sqrt(across ** 2 - (radii[0] - radii[1]) ** 2) / 2;
  const discs = ([first, second] as const).map((before, k): Disc => {
    // Those that stick together are braked alike.
    const braking = BRAKING[restitution === 0 ? 0 : k];
    return {
      radius: radii[k],
      ...(color && { color }),
      at: (t) => {
        const s = way(t < MOMENT ? before : after[k][0], braking, t - MOMENT);
        return [SIZE.width / 2 + SIDE * ((k === 0 ? -apart : apart) + PIXELS * s), 130 - radii[k]];
      },
    };
  });
  const shadows = discs.map(({ radius, at }): Disc => ({ radius, flat: 0.5, at: (t) => [at(t)[0], 160], shadow }));
  return filmed(evenTimes(SECONDS), ...discs, ...others, ...(shadow === undefined ? [] : shadows));
}

const critical = (findings: readonly { readonly isCritical: boolean }[]) => findings.filter((own) => own.isCritical);

describe('from a film of a collision', () => {
  const cases: readonly (readonly [name: string, line: Line])[] = [
    ['equal masses swap their speeds', [between(0.4, 0.55), 0, 1, 1]],
    ['a heavy one hits a light one', [between(0.35, 0.45), 0, between(0.5, 0.9), between(0.3, 0.5)]],
    ['a light one bounces off a heavy one', [between(0.45, 0.6), 0, between(0.5, 0.9), between(2, 3)]],
    ['both stick together', [between(0.5, 0.7), 0, 0, between(0.7, 1.5)]],
    ['both come together', [between(0.4, 0.5), -between(0.2, 0.3), between(0.3, 0.9), between(0.6, 1.6)]],
  ];
  it.each(cases)('restitution and masses are found where %s', async (name, line) => {
    const [first, second, restitution, ratio] = line;
    // Elsewhere one waits or stops, and the background is found nevertheless.
    const set = name.startsWith('a heavy') ? { ...MARKS, background: await emptyScene() } : MARKS;
    const { parameters, derived, verdict } = await found(collision, await onLine(line), set);
    const truth = { restitution, 'mass ratio': ratio, 'first before': first, 'second before': second };
    expect(critical(verdict.findings)).toEqual([]);
    for (const [unknown, value] of Object.entries(truth)) {
      const { estimate, standardError } = parameters[unknown];
      console.info(JSON.stringify({ unknown, truth: value, estimate, standardError }));
      expect(Math.abs(estimate - value)).toBeLessThan(4 * standardError! + 1e-3);
    }
    // Of one that stops, speed and friction are hard to tell apart.
    expect(parameters.restitution.standardError).toBeLessThan(0.15);
    expect(derived!['energy kept'].estimate).toBeGreaterThan(0);
  });

  it('masses that were weighed give momentum and energy, though shadows go with both', async () => {
    const line = [0.5, -0.25, 0.6, 0.8] as const;
    const set = { ...MARKS, background: await emptyScene(), mass: '0.2', secondMass: '0.16' };
    const { derived, parameters, verdict } = await found(collision, await onLine(line, [], { shadow: 0.5 }), set);
    expect(critical(verdict.findings)).toEqual([]);
    expect(parameters['mass ratio']).toBeUndefined();
    const { momentum, energy } = derived!;
    expect(Math.abs(momentum.estimate - (0.2 * 0.5 - 0.16 * 0.25))).toBeLessThan(4 * momentum.standardError!);
    expect(Math.abs(energy.estimate - (0.2 * 0.25 + 0.16 * 0.0625) / 2)).toBeLessThan(4 * energy.standardError!);
  });

  it('pale ones are found, whose shadows are far darker', async () => {
    const [restitution, ratio] = [0.6, 1.4];
    const film = await onLine([0.5, 0, restitution, ratio], [], { shadow: 0.1, color: [0.6, 0.48, 0.44] });
    const { parameters, verdict } = await found(collision, film, { ...MARKS, background: await emptyScene() });
    expect(critical(verdict.findings)).toEqual([]);
    for (const [unknown, value] of Object.entries({ restitution, 'mass ratio': ratio })) {
      const { estimate, standardError } = parameters[unknown];
      expect(Math.abs(estimate - value)).toBeLessThan(4 * standardError! + 1e-3);
    }
  });

  it('two discs that meet off centre, seen from above, tell restitution, masses and friction', async () => {
    const angle = between(0, 2 * Math.PI);
    const [normal, tangent]: PlaneVector[] = [
      [Math.cos(angle), Math.sin(angle)],
      [-Math.sin(angle), Math.cos(angle)],
    ];
    const [restitution, ratio, friction] = [between(0.4, 0.9), between(0.6, 1.5), 0.1];
    const [a, b] = [between(0.2, 0.3), between(-0.12, 0.12)];
    const first: PlaneVector = [a * normal[0] + b * tangent[0], a * normal[1] + b * tangent[1]];
    const second: PlaneVector = [-0.15 * normal[0], -0.15 * normal[1]];
    const after = afterTouch({ first, second, normal, restitution, ratio, friction });
    const radii = [8, 8 * Math.sqrt(ratio)];
    const discs = [first, second].map((before, k): Disc => {
      const speeds = [before, after[k]].map((velocity) => Math.hypot(...velocity));
      const from = ((k === 0 ? -1 : 1) * (radii[0] + radii[1])) / 2;
      return {
        radius: radii[k],
        at: (t) => {
          const [velocity, speed] = t < MOMENT ? [before, speeds[0]] : [after[k], speeds[1]];
          const s = (PIXELS * way(speed, 0.05, t - MOMENT)) / speed;
          return [160 + from * normal[0] + s * velocity[0], 120 - from * normal[1] - s * velocity[1]];
        },
      };
    });
    const video = await filmed(evenTimes(SECONDS), ...discs);
    const set = { ...MARKS, seen: 'above', background: await emptyScene() };
    const { parameters, verdict } = await found(collision, video, set);
    expect(critical(verdict.findings)).toEqual([]);
    // The faster one is the first.
    expect(a).toBeGreaterThan(0.15);
    for (const [name, value] of Object.entries({
      restitution,
      'mass ratio': ratio,
      'friction of the touch': friction,
    })) {
      const { estimate, standardError } = parameters[name];
      console.info(JSON.stringify({ name, truth: value, estimate, standardError }));
      expect(Math.abs(estimate - value)).toBeLessThan(4 * standardError!);
    }
  });

  it('what is no collision of two is refused', async () => {
    const background = await emptyScene();
    const set = { ...MARKS, background };
    const third = { radius: 9, at: (t: number) => [60 + 120 * t, 60] as const };
    await expect(found(collision, await onLine([0.5, 0, 0.8, 1], [third]), set)).rejects.toThrowCode('film/not-two');
    // One passes behind the other.
    const passing = [0.4, -0.3].map((speed, k) => ({
      radius: 8,
      at: (t: number) => [160 + PIXELS * speed * (t - MOMENT), 100 + 30 * k] as const,
    }));
    await expect(found(collision, await filmed(evenTimes(SECONDS), ...passing), set)).rejects.toThrowCode(
      'film/no-collision',
    );
    const alone = { radius: 8, at: (t: number) => [60 + 120 * t, 100] as const };
    await expect(found(collision, await filmed(evenTimes(SECONDS), alone), set)).rejects.toThrowCode('film/not-two');
  });
});
