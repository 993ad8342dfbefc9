import { ContactBox, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Entity, Model, Scene, Simulation } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { box, placeMesh, plane, tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
// By path: those packages' own tests depend on this one.
import { addCloth, cloth } from '../../cloth/src/index.ts';
import { addSoftBody, fem } from '../../fem/src/index.ts';
import { turn } from './shapes/probe.ts';

const G = 9.81;

async function run(model: Model, seconds: number, substeps: number): Promise<Simulation> {
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  simulation.forward();
  return simulation;
}

const touching = (scene: Scene, points: readonly Entity[], material: object): void => {
  for (const point of points) scene.attach(point, contactOf(Particle), material as { ke: number });
};

describe('a box on a sheet of cloth that is pinned all round', () => {
  const [mass, side, cells] = [0.05, 0.1, 12];
  const onBorder = (k: number): boolean => {
    const [column, row] = [k % (cells + 1), Math.floor(k / (cells + 1))];
    return column % cells === 0 || row % cells === 0;
  };
  const all = Array.from({ length: (cells + 1) ** 2 }, (_, k) => k);
  const pinned = all.filter(onBorder);
  const sheet = plane({ size: [0.4, 0.4], segments: [cells, cells] });
  function scene(damping: number, kd: number): Model {
    const s = createScene([rigid(), particles(), cloth(), contact()]);
    const body = s.add(Body, {
      mesh: box({ size: [side, side, side] }),
      mass,
      position: [0.01, 0.12, -0.005],
      orientation: [0.05, 0.02, 0.03, 1],
      velocity: [0.1, 0, 0],
    });
    s.add(ContactBox, { body, size: [side, side, side], ke: 400, kd, kf: 0.5, mu: 0.5 });
    const points = addCloth(s, sheet, {
      mu: 100,
      lambda: 100,
      damping,
      density: 0.5,
      fixed: pinned,
    }).particles;
    touching(s, points, { ke: 400, kd, kf: 0.5, mu: 0.5, thickness: 0.01 });
    return buildModel(s);
  }

  it('sinks in, bounces back, and comes to rest where the cloth carries its weight', async () => {
    const model = scene(0.2, 0.3);
    const frames = 201;
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames,
      frameRate: 20,
      substeps: 300,
      record: ['bodyVertices.position'],
    });
    simulation.forward();
    const vertices = await simulation.readFrames('bodyVertices.position');
    // The mean of a box's corners is its centre.
    const corners = vertices.length / 3 / frames;
    const heights = Array.from({ length: frames }, (_, frame) =>
      Array.from({ length: corners }, (_, k) => vertices[3 * (frame * corners + k) + 1]).reduce(
        (sum, y) => sum + y / corners,
        0,
      ),
    );
    const lowest = heights.indexOf(Math.min(...heights));
    expect(Math.max(...heights.slice(lowest))).toBeGreaterThan(heights[lowest] + 0.03);
    // The oscillation shrinks by e in 1.1 s or less (peaks 0.0546 at 0.35 s, 0.0225 at 1.95 s, about 0.019): after 10 s
    // by exp(-9) of 1 m/s.
    const speeds = [await simulation.read('bodies.velocity'), await simulation.read('bodies.angularVelocity')];
    expect(Math.hypot(...speeds[0])).toBeLessThan(2e-4);
    expect(Math.hypot(...speeds[1]) * side).toBeLessThan(2e-4);
    // At rest there is no friction, which takes slip, and no damping: the sum of ke C n over the particles, by their
    // places in the box, carries the weight. What moves still, at some 20 rad/s, adds m a = 0.05 * 20 * 2e-4 = 2e-4 N.
    const x = await simulation.read('particles.position');
    const centre = await simulation.read('bodies.position');
    const q = [...(await simulation.read('bodies.orientation'))];
    const sum = [0, 0, 0];
    for (let k = 0; k < x.length; k += 3) {
      const local = turn(
        q,
        [0, 1, 2].map((axis) => x[k + axis] - centre[axis]),
        true,
      );
      const past = local.map((c) => c - Math.min(Math.max(c, -side / 2), side / 2));
      const distance = Math.hypot(...past);
      // None is inside the box, where it would have been pushed through.
      expect(distance).toBeGreaterThan(0);
      const depth = Math.max(0, 0.01 - distance);
      turn(q, past).forEach((c, axis) => {
        sum[axis] -= (400 * depth * c) / distance;
      });
    }
    expect(Math.hypot(sum[0], sum[1] - mass * G, sum[2])).toBeLessThan(1e-3);
  });

  it('has gradients that agree with central differences, and with doubles in single precision', async () => {
    const rollout = {
      frames: 2,
      frameRate: 4,
      substeps: 400,
      parameters: ['bodies.mass', 'bodies.velocity', 'boxes.ke', 'boxes.mu', 'triangles.mu', 'particles.ke'],
      outputs: ['bodies.position', 'bodies.angularVelocity', 'particles.position'],
      seed: 4,
    };
    const { parameters } = await checkGradients(scene(0.02, 0.05), rollout);
    for (const [key, { adjoint }] of Object.entries(parameters)) expect(Math.abs(adjoint), key).toBeGreaterThan(1e-7);
    const cpu = await cpuDevice();
    await checkDevices(scene(0.02, 0.05), { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
});

describe('a soft body on a rigid one that lies on the ground', () => {
  const [M, side] = [0.5, 0.2];
  const [ke, mass] = [4000, 0.01];
  function scene(): Model {
    const s = createScene([rigid(), particles(), fem(), contact()]);
    const crate = s.add(Body, {
      mesh: box({ size: [side, side, side] }),
      mass: M,
      position: [0, side / 2, 0],
    });
    s.attach(crate, contactOf(Body), { ke, kd: 10, kf: 20, mu: 0.8 });
    s.add(HalfSpace, {});
    s.add(ContactBox, { body: crate, size: [side, side, side], ke: 1000, kd: 0.5, kf: 1, mu: 0.8 });
    const cube = tetBox({ cells: [2, 2, 2], size: [0.1, 0.1, 0.1] });
    const jelly = placeMesh(cube, { translation: [0.005, side + 0.1001, -0.01] });
    const points = addSoftBody(s, jelly, { mu: 4e3, lambda: 4e3, damping: 20, mass }).particles;
    touching(s, points, { ke: 1000, kd: 0.5, kf: 1, mu: 0.8, thickness: 0.005 });
    return buildModel(s);
  }

  it('rests on it, and the ground carries the weight of both', async () => {
    const end = await run(scene(), 4, 12000);
    const all = 27 * mass + M;
    // Four corners with a mean C = weight / (4 ke).
    const [, y] = await end.read('bodies.position');
    expect(Math.abs(y - (side / 2 - (all * G) / (4 * ke)))).toBeLessThan(1e-7);
    // Its own lowest layer of nine is pressed into the crate by a mean C = m g / (9 ke): both have the same material.
    const x = await end.read('particles.position');
    let gap = 0;
    for (let k = 0; k < 27; k++) if (Math.floor(k / 3) % 3 === 0) gap += x[3 * k + 1] / 9;
    // Heights above the crate's tilted top, whose mean over the layer is that at the layer's centre: 0.01 aside.
    const top = y + side / 2;
    expect(Math.abs(gap - (top + 0.005 - (27 * mass * G) / (9 * 1000)))).toBeLessThan(1e-5);
    for (const key of ['bodies.velocity', 'particles.velocity'])
      for (const v of await end.read(key)) expect(Math.abs(v)).toBeLessThan(1e-4);
  });

  it('has gradients that agree with central differences, and with doubles in single precision', async () => {
    const rollout = {
      frames: 2,
      frameRate: 4,
      substeps: 800,
      parameters: ['bodies.mass', 'bodies.ke', 'boxes.ke', 'boxes.kd', 'tets.mu', 'particles.mass', 'particles.ke'],
      outputs: ['bodies.position', 'particles.position'],
      seed: 4,
    };
    const { parameters } = await checkGradients(scene(), rollout);
    for (const [key, { adjoint }] of Object.entries(parameters)) expect(Math.abs(adjoint), key).toBeGreaterThan(1e-7);
    const cpu = await cpuDevice();
    await checkDevices(scene(), { ...rollout, devices: [cpu] });
    cpu.dispose();
  });
});
