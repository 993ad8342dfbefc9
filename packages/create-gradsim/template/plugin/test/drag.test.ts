import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { Drag, dampingOfDrag, drag, dragForce } from '../src/index.ts';

const [MASS, DRAG, SPEED] = [0.2, 0.3, 2];

/** A scene of one particle that flies along x with drag. */
function flight(gravity: number): Scene {
  const scene = createScene([particles(), drag()]);
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  const particle = scene.add(Particle, { position: [0, 0, 0], velocity: [SPEED, 0, 0], mass: MASS });
  scene.attach(particle, Drag, { drag: DRAG });
  return scene;
}

/** State of the particle after a number of seconds. */
async function fly(seconds: number, gravity: number, substeps: number) {
  const simulation = await createSimulation(buildModel(flight(gravity)), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  simulation.forward();
  return { v: await simulation.read(Particle.velocity), least: await simulation.stableStep() };
}

describe('drag', () => {
  it('multiplies the speed of a particle of mass m, without gravity, by 1 - c dt / m in each substep dt', async () => {
    // Semi-implicit Euler takes forces at the old velocity, so this is exact.
    const [seconds, substeps] = [0.5, 40];
    const { v } = await fly(seconds, 0, substeps);
    expect(v[0]).toBeCloseTo(SPEED * (1 - (DRAG * seconds) / substeps / MASS) ** substeps, 12);
  });

  it('slows a particle to v exp(-c t / m) in the time t, with an error proportional to the substep', async () => {
    const exact = SPEED * Math.exp((-DRAG * 0.5) / MASS);
    const [coarse, fine] = [(await fly(0.5, 0, 200)).v[0] - exact, (await fly(0.5, 0, 400)).v[0] - exact];
    expect(Math.abs(fine)).toBeLessThan(1e-3);
    expect(coarse / fine).toBeCloseTo(2, 1);
  });

  it('lets a falling particle approach the speed m g / c', async () => {
    const { v } = await fly(20, 9.81, 4000);
    expect(v[1]).toBeCloseTo((-MASS * 9.81) / DRAG, 9);
  });

  it('reports 2 m / c as the largest stable substep', async () => {
    const { least } = await fly(0.5, 0, 200);
    expect(least.dt).toBeCloseTo((2 * MASS) / DRAG, 12);
  });
});

describe('derivatives', () => {
  it('of both kernels agree with finite differences, on every available device', async () => {
    for (const one of [dragForce, dampingOfDrag]) await checkKernel(one);
  });

  it('of a run by a backward pass agree with tangents and finite differences', async () => {
    await checkGradients(buildModel(flight(9.81)), {
      frames: 4,
      frameRate: 30,
      substeps: 8,
      parameters: [Drag.drag, Particle.mass, Particle.velocity],
      outputs: [Particle.position, Particle.velocity],
    });
  });
});
