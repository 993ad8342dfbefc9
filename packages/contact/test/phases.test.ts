import { ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { bounce } from '../../../lab/bench/src/contact-convergence/bounce.ts';

const G = 9.81;

/** Two balls of 1 kg, the first at rest 0.52 m from the second one, which it meets at 1 m/s. */
function twoBalls(ke: number): Scene {
  const scene = createScene([rigid(), contact({ bodies: { maxSpeed: 2 } })]);
  for (const [x, v] of [
    [0, 1],
    [0.52, 0],
  ]) {
    const ball = scene.add(Body, {
      mesh: icosphere({ radius: 0.1 }),
      mass: 1,
      position: [x, 0, 0],
      velocity: [v, 0, 0],
    });
    scene.add(ContactSphere, { body: ball, radius: 0.1, ke });
  }
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return scene;
}

/** Derivatives of the second ball's last place by the first one's, by the adjoint, for first places of its own each. */
async function slopesOf(scene: Scene, substeps: number, starts: readonly number[] = [0]): Promise<number[]> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device({ threads: 1 }),
    frames: 2,
    frameRate: 1,
    substeps,
    worlds: starts.length,
    parameters: ['bodies.position'],
    outputs: ['bodies.position'],
  });
  simulation.set(
    'bodies.position',
    starts.flatMap((x) => [x, 0, 0, 0.52, 0, 0]),
  );
  simulation.forward();
  simulation.backward({ 'bodies.position': starts.flatMap(() => [0, 0, 0, 1, 0, 0]) });
  const gradient = await simulation.gradient('bodies.position');
  simulation.dispose();
  return starts.map((_, k) => gradient[6 * k]);
}

describe('derivatives through a touch are those of the motion', () => {
  // Equal balls exchange their velocities: the second ends 1 m further for each metre that the first begins further.
  it('of two balls, 1, at all phases within a substep, to 3 % with 44 substeps a touch', async () => {
    const [substeps, phases] = [2000, 40];
    const starts = Array.from({ length: phases }, (_, k) => k / phases / substeps);
    for (const slope of await slopesOf(twoBalls(1e4), substeps, starts)) expect(Math.abs(slope - 1)).toBeLessThan(0.03);
  });

  // 0.32 m at 1 m/s are a whole number of substeps: rounding decides whether the touch has begun.
  it('of two balls that begin to touch exactly at a state', async () => {
    for (const [ke, substeps] of [
      [1e3, 500],
      [1e3, 1000],
      [1e4, 16_000],
    ])
      expect(Math.abs((await slopesOf(twoBalls(ke), substeps))[0] - 1)).toBeLessThan(0.01);
  });

  it('of a point thrown at the ground, its height to 3 % and its place to 12 % of the larger of it and 1', async () => {
    const [seconds, thickness, material] = [0.7, 0.01, { ke: 2e4, kd: 20, kf: 15, mu: 0.8 }];
    const velocity: [number, number] = [0.5, -2];
    const scene = createScene([particles(), contact()]);
    const particle = scene.add(Particle, { position: [0, 1, 0], velocity: [...velocity, 0], mass: 1 });
    scene.attach(particle, contactOf(Particle), { ...material, thickness });
    scene.add(HalfSpace, {});
    scene.add(Gravity, { acceleration: [0, -G, 0] });
    const worlds = 20;
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device({ threads: 1 }),
      frames: 2,
      frameRate: 1 / seconds,
      substeps: Math.round((43 * seconds * Math.sqrt(material.ke)) / Math.PI),
      worlds,
      parameters: ['particles.position'],
      outputs: ['particles.position'],
    });
    const heights = Array.from({ length: worlds }, (_, k) => 1 + (0.0026 * k) / worlds);
    simulation.set(
      'particles.position',
      heights.flatMap((height) => [0, height + thickness, 0]),
    );
    for (const [axis, bound] of [
      [0, 0.12],
      [1, 0.03],
    ]) {
      simulation.forward();
      simulation.backward({
        'particles.position': heights.flatMap(() => [0, 1].map((k) => Number(k === axis)).concat(0)),
      });
      const slopes = await simulation.gradient('particles.position');
      heights.forEach((height, k) => {
        const [more, less] = [1e-5, -1e-5].map((by) => bounce({ ...material, velocity, height: height + by }, seconds));
        const exact = (more[axis] - less[axis]) / 2e-5;
        expect(Math.abs(slopes[3 * k + 1] - exact)).toBeLessThan(bound * Math.max(Math.abs(exact), 1));
      });
    }
    simulation.dispose();
  });
});

// With mu = 0 nothing holds a point that comes straight down, nor one that would slip if its velocity were another.
it.each(['particle', 'box'])('a %s that falls straight down without friction: d x / d vx is the time', async (what) => {
  const scene = createScene([particles(), rigid(), contact()]);
  const material = { ke: 1e3, kd: 2, kf: 5 };
  if (what === 'box') {
    const body = scene.add(Body, { mesh: box({ size: [0.2, 0.2, 0.2] }), mass: 1, position: [0, 0.3, 0] });
    scene.attach(body, contactOf(Body), material);
  } else {
    const particle = scene.add(Particle, { position: [0, 0.2, 0], mass: 1 });
    scene.attach(particle, contactOf(Particle), { ...material, thickness: 0.01 });
  }
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  const [position, velocity] = what === 'box' ? [Body.position, Body.velocity] : [Particle.position, Particle.velocity];
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device({ threads: 1 }),
    frames: 2,
    frameRate: 1,
    substeps: 1000,
    parameters: [velocity],
    outputs: [position],
  });
  simulation.forward();
  simulation.backward({ [position.key]: [1, 0, 0] });
  expect((await simulation.gradient(velocity))[0]).toBeCloseTo(1, 9);
  simulation.dispose();
});
