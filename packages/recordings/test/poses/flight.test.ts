import { cpuDevice } from '@gradsim/core';
import { estimate, rotationBetween } from '@gradsim/optim';
import { observedPoses, readPoses, startOfFreeFlight, startUnknowns, timelineOf } from '@gradsim/recordings/poses';
import { describe, expect, it, test } from 'vitest';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import { brick, INERTIA, MATERIAL, noisy, SEED, SIZE, START, tossed } from './brick.ts';

console.info(`flights: seed ${SEED}`);

describe('the start of a free flight', () => {
  // Semi-implicit Euler turns a body that tumbles with an error of first order in its substep, 0.25 ms.
  it('has position, orientation, velocity and spin of the simulated body; the flight ends near the first contact', async () => {
    const poses = await tossed(60);
    const flight = startOfFreeFlight(poses, { inertia: INERTIA });
    START.velocity.forEach((v, k) => expect(flight.velocity[k]).toBeCloseTo(v, 2));
    START.position.forEach((x, k) => expect(flight.position[k]).toBeCloseTo(x, 3));
    START.angularVelocity.forEach((w, k) => expect(flight.angularVelocity[k]).toBeCloseTo(w, 1));
    expect(Math.hypot(...rotationBetween(START.orientation, flight.orientation))).toBeLessThan(0.01);
    // By hand: the lowest corner is on the ground when the centre is half a diagonal or less above it.
    const lowest = poses.poses.findIndex((pose) => pose!.position[1] < Math.hypot(...SIZE) / 2);
    expect(flight.contact).toBeGreaterThanOrEqual(lowest);
    expect(flight.contact).toBeLessThan(lowest + 12);
  });

  it('has a velocity within three of its standard deviations in over 90% of components, over 40 draws of noise', async () => {
    let [within, all] = [0, 0];
    const recording = await tossed(30);
    for (let draw = 0; draw < 40; draw++) {
      const flight = startOfFreeFlight(noisy(recording, 0.0005), { inertia: INERTIA });
      START.velocity.forEach((v, k) => {
        within += Number(Math.abs(flight.velocity[k] - v) < 3 * flight.deviations.velocity);
        all++;
      });
    }
    expect(within / all).toBeGreaterThan(0.9);
  });

  it('uses the given frames, and refuses fewer than four poses, or a position of NaN', async () => {
    const poses = await tossed(20);
    expect(startOfFreeFlight(poses, { first: 3, end: 12 })).toMatchObject({ frame: 3, contact: 12 });
    expect(() => startOfFreeFlight(poses, { end: 3 })).toThrowCode({ code: 'poses/too-few-poses', values: [4, 3] });
    const gone = {
      ...poses,
      poses: poses.poses.map((pose, f) => (f === 1 ? { ...pose!, position: [0, Number.NaN, 0] } : pose)),
    };
    expect(() => startOfFreeFlight(gone)).toThrowCode({ code: 'poses/pose-not-finite', values: [1, '0, NaN, 0'] });
  });
});

test('material is estimated from rows at uneven times', async () => {
  // Some 100 rows a second, at times that vary by 3 ms either way, of a simulation of 4000 frames a second.
  const fine = await tossed(2800, START, 4000);
  const random = randomNumbers(SEED);
  const rows = Array.from({ length: 68 }, (_, k) => 20 + 40 * k + Math.round(24 * (random() - 0.5)));
  const measured = noisy({ ...fine, poses: rows.map((f) => fine.poses[f]) }, 0.0001).poses;
  const lines = rows.map((f, k) => {
    const { position, orientation } = measured[k]!;
    const size = Math.hypot(...orientation);
    return [(f / 4000).toFixed(5), ...position, ...orientation.map((c) => c / size)].join(',');
  });
  const [poses] = readPoses(['time,x,y,z,qx,qy,qz,qw', ...lines].join('\n'));
  expect(poses.readingNotes).toContain('uneven times, kept');
  const flight = startOfFreeFlight(poses, { inertia: INERTIA });
  const start = startUnknowns(flight);
  const unknown = (name: 'mu' | 'restitution', initial: number) => ({
    name,
    field: `bodies.${name}`,
    transform: 'log' as const,
    initial,
  });
  const { parameters, residual } = await estimate(
    {
      model: brick({ ...START, ...start.state } as typeof START, { ...MATERIAL, mu: 0.4, restitution: 0.55 }),
      ...timelineOf(poses),
      substeps: 40,
      parameters: [...start.parameters, unknown('mu', 0.4), unknown('restitution', 0.55)],
      arrays: start.arrays,
      observations: observedPoses(poses),
      options: { search: { method: 'levenberg-marquardt', horizons: 'growing' } },
    },
    { device: cpuDevice({ threads: 1 }) },
  );
  expect(residual).toBeLessThan(2.5);
  for (const name of ['mu', 'restitution'] as const)
    expect(Math.abs(parameters[name].estimate / MATERIAL[name] - 1), name).toBeLessThan(0.05);
});

test('start and material are estimated from poses, some of them missing, by growing horizons', async () => {
  const recording = noisy(await tossed(70), 0.0002);
  const poses = recording.poses.map((pose, f) => (f % 9 === 4 ? null : pose));
  const flight = startOfFreeFlight({ ...recording, poses }, { inertia: INERTIA });
  const start = startUnknowns(flight);
  const unknown = (name: keyof typeof MATERIAL, initial: number, range: [number, number]) => ({
    name,
    field: `bodies.${name}`,
    transform: 'log' as const,
    initial,
    range,
  });
  const { parameters, verdict, residual, history } = await estimate(
    {
      model: brick({ ...START, ...start.state } as typeof START, {
        mu: 0.5,
        restitution: 0.6,
        duration: 0.03,
      }),
      frames: 70,
      frameRate: 100,
      substeps: 40,
      parameters: [
        ...start.parameters,
        unknown('mu', 0.5, [0.05, 1]),
        unknown('restitution', 0.6, [0.05, 0.95]),
        unknown('duration', 0.03, [0.01, 0.06]),
      ],
      arrays: start.arrays,
      observations: observedPoses({ ...recording, poses }, { position: 0.0002, orientation: 0.0004 }),
      options: { search: { method: 'levenberg-marquardt', horizons: 'growing' } },
    },
    { device: cpuDevice({ threads: 1 }) },
  );
  expect(residual).toBeLessThan(1.5);
  for (const name of ['mu', 'restitution', 'duration'] as const) {
    const { estimate: found, standardError } = parameters[name];
    expect(Math.abs(found - MATERIAL[name]), name).toBeLessThan(4 * standardError! + 0.02 * MATERIAL[name]);
  }
  // Of the lengths that the program chose: short steps at the contacts, and long ones where it flies or lies.
  const horizons = [...new Set(history.map(({ horizon }) => horizon))];
  expect(horizons.at(-1)).toBe(1);
  const steps = horizons.slice(1).map((share, k) => share - horizons[k]);
  expect(steps.every((step) => step > 0)).toBe(true);
  expect(Math.max(...steps)).toBeGreaterThan(3 * Math.min(...steps));
  expect(verdict.findings.filter(({ isCritical }) => isCritical)).toEqual([]);
});
