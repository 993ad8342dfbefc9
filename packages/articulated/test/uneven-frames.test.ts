// A pendulum at frames with times of their own: substeps of other durations change nothing but the size of the error, which
// is of second order without damping, for velocities in the middle of substeps.

import { articulated, Link } from '@gradsim/articulated';
import type { FrameClock } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device, timeOfFrame } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { Gravity } from '@gradsim/particles';
import { expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('pendulum at uneven frames');
const random = randomNumbers(SEED);
const [G, L, ANGLE] = [9.81, 0.6, 1.2];
const frameTimes = [0];
while (frameTimes.length < 30) frameTimes.push(frameTimes.at(-1)! + (0.3 + random()) / 25);

function pendulum({ dt = 0, damping = 0, implicitJoints = false }) {
  const scene = createScene([articulated({ implicitJoints })]);
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  scene.add(Link, {
    joint: 'revolute',
    axis: [0, 0, 1],
    mass: 0.3,
    centre: [0, -L, 0],
    coordinate: ANGLE,
    // In the middle of a substep that would end at 0 s.
    rate: ((G / L) * Math.sin(ANGLE) * dt) / 2,
    damping,
  });
  return buildModel(scene);
}

it('keeps its order', async () => {
  const end = async (clock: FrameClock & { frames?: number }, substeps: number): Promise<number> => {
    const model = pendulum({ dt: timeOfFrame(clock, 1) / substeps });
    const simulation = await createSimulation(model, { device: f64Device(), substeps, ...clock });
    simulation.forward();
    const [angle] = await simulation.read('links.coordinate');
    simulation.dispose();
    return angle;
  };
  const law = await end({ frames: 2, frameRate: 1 / frameTimes.at(-1)! }, 2 ** 16);
  const [coarse, fine] = [(await end({ frameTimes }, 8)) - law, (await end({ frameTimes }, 32)) - law];
  expect(Math.abs(coarse)).toBeLessThan(3e-3);
  expect(Math.abs(fine)).toBeLessThan(Math.max(Math.abs(coarse) / 8, 2e-5));
});

it.each([false, true])('has gradients that agree with differences; implicit joints: %s', async (implicitJoints) => {
  await checkGradients(pendulum({ damping: 0.02, implicitJoints }), {
    seed: SEED,
    frames: frameTimes.length,
    frameTimes,
    substeps: 8,
    parameters: ['links.coordinate', 'links.rate', 'links.damping'],
    outputs: ['links.coordinate', 'links.rate'],
  });
});
