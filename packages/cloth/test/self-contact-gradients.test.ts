import { addCloth, cloth } from '@gradsim/cloth';
import { contact, contactOf, surfaceContact } from '@gradsim/contact';
import type { Device, Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { placeMesh, plane } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';

/**
 * Scene of a folded strip and a small sheet thrown at it: cloth in contact with cloth and with itself, over several
 * contact searches.
 */
function collision(): Model {
  const scene = createScene([
    particles(),
    cloth(),
    contact(),
    surfaceContact({ maxSpeed: 4, refresh: 6, neighbours: 24 }),
  ]);
  const fabric = { mu: 60, lambda: 80, damping: 0.01, density: 0.3, bendStiffness: 1e-3 };
  const strip = placeMesh(plane({ size: [0.6, 0.2], segments: [6, 2] }), { translation: [0.3, 0, 0.1] });
  // Folded over at x = 0.3, the upper half 5 cm above the lower one.
  const folded = Float64Array.from(strip.positions, (value, k) => {
    const [particle, axis] = [Math.floor(k / 3), k % 3];
    const x = strip.positions[3 * particle];
    if (x <= 0.31) return axis === 1 ? 0.002 * (particle % 3) : value;
    return axis === 0 ? 0.63 - x : axis === 1 ? 0.05 : value + 0.017;
  });
  const one = addCloth(
    scene,
    { ...strip, positions: folded },
    { ...fabric, velocity: Float64Array.from(folded, (_, k) => (k % 3 === 1 && folded[k] > 0.04 ? -1 : 0)) },
  );
  const other = addCloth(
    scene,
    placeMesh(plane({ size: [0.22, 0.19], segments: [2, 2] }), { translation: [0.18, 0.1, 0.125] }),
    { ...fabric, velocity: [0.4, -2, 0.1] },
  );
  [...one.particles, ...other.particles].forEach((particle, k) => {
    const material = { ke: 30 + k, kd: 0.02, kf: 0.05, mu: 0.4, thickness: 0.02 + 0.0003 * k };
    scene.attach(particle, contactOf(Particle), material);
  });
  return buildModel(scene);
}

const RUN = {
  frames: 3,
  frameRate: 20,
  substeps: 50,
  parameters: [
    'particles.position',
    'particles.velocity',
    'particles.ke',
    'particles.kd',
    'particles.kf',
    'particles.mu',
    'particles.thickness',
    'triangles.mu',
  ],
  outputs: ['particles.position', 'particles.velocity'],
};

async function againstDouble(opening: Device | Promise<Device>): Promise<void> {
  const device = await opening;
  await checkDevices(collision(), { ...RUN, seed: 4, devices: [device] });
  device.dispose();
}

describe('gradients through contact of surfaces', () => {
  it('agree with tangents and central differences', async () => {
    const { parameters } = await checkGradients(collision(), { ...RUN, seed: 4 });
    // They do touch, stick and slide: the material matters.
    for (const name of ['ke', 'kd', 'kf', 'mu', 'thickness'])
      expect(Math.abs(parameters[`particles.${name}`].adjoint)).toBeGreaterThan(1e-6);
  });

  it('are the same with and without checkpoints, bit for bit', async () => {
    const all: Float64Array[][] = [];
    for (const memory of [256e6, 300e3, 80e3]) {
      const simulation = await createSimulation(collision(), { ...RUN, device: f64Device(), memory });
      simulation.forward();
      const seed = (await simulation.read('particles.position')).map((_, k) => Math.sin(k));
      simulation.backward({ 'particles.position': seed, 'particles.velocity': seed });
      all.push(await Promise.all(RUN.parameters.map((key) => simulation.gradient(key))));
    }
    for (const gradients of all) expect(gradients).toEqual(all[0]);
  });

  it('are repeatable, and in each of several worlds equal those of a run of its own', async () => {
    const run = async (worlds: number, lift: (world: number) => number): Promise<Float64Array> => {
      const model = collision();
      const simulation = await createSimulation(model, { ...RUN, device: f64Device(), worlds });
      const start = model.field('particles.position').values!;
      for (let w = 0; w < worlds; w++) {
        const raised = Float64Array.from(start, (x, k) => (k % 3 === 1 && k >= 63 ? x + lift(w) : x));
        simulation.set('particles.position', raised, w);
      }
      simulation.forward();
      const ones = new Float64Array((await simulation.read('particles.position')).length).fill(1);
      simulation.backward({ 'particles.position': ones, 'particles.velocity': ones });
      return simulation.gradient('particles.position');
    };
    const both = await run(3, (w) => 0.01 * w);
    expect(await run(3, (w) => 0.01 * w)).toEqual(both);
    const size = both.length / 3;
    for (const w of [0, 2]) expect(await run(1, () => 0.01 * w)).toEqual(both.slice(w * size, (w + 1) * size));
  });

  it('agree on cpu with doubles, and so do the states', () => againstDouble(cpuDevice()));
  // Software drivers take twenty seconds to compile contact of surfaces.
  it.skipIf(missingAdapter !== null)('agree on webgpu with doubles, and so do the states', () =>
    againstDouble(webgpuDevice({ allowSoftware: true })),
  );
});

describe('two sheets that lie exactly over one another', () => {
  /** A sheet that falls on another of the same mesh, vertex on vertex. */
  const sheets = () => {
    const scene = createScene([
      particles(),
      cloth(),
      contact(),
      surfaceContact({ maxSpeed: 4, refresh: 6, neighbours: 48 }),
    ]);
    for (const height of [0, 0.03]) {
      const mesh = placeMesh(plane({ size: [0.3, 0.3], segments: [3, 3] }), { translation: [0, height, 0] });
      const velocity = [0, height > 0 ? -0.5 : 0, 0];
      for (const particle of addCloth(scene, mesh, { mu: 60, lambda: 80, density: 0.3, velocity }).particles)
        scene.attach(particle, contactOf(Particle), { ke: 30, thickness: 0.016 });
    }
    return buildModel(scene);
  };

  // A vertex has up to six triangles around it. With the derivative of a nearest corner for each, it would be 2.2.
  it('have the derivative of the motion by where one of them lies', async () => {
    const model = sheets();
    const start = Float64Array.from(model.field('particles.position').values!);
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 2,
      frameRate: 20,
      substeps: 60,
      parameters: ['particles.position'],
      outputs: ['particles.position'],
    });
    for (const [x, z] of [
      [1, 0],
      [0, 1],
      [0.6, 0.8],
      [-0.6, 0.8],
    ]) {
      const way = start.map((_, k) => (k < start.length / 2 ? 0 : [x, 0, z][k % 3]));
      const placeAt = async (step: number): Promise<number> => {
        simulation.set(
          'particles.position',
          start.map((value, k) => value + step * way[k]),
        );
        simulation.forward();
        return (await simulation.read('particles.position')).reduce((sum, value, k) => sum + value * way[k], 0);
      };
      const slope = ((await placeAt(1e-6)) - (await placeAt(-1e-6))) / 2e-6;
      await placeAt(0);
      simulation.backward({ 'particles.position': way });
      const adjoint = (await simulation.gradient('particles.position')).reduce((sum, g, k) => sum + g * way[k], 0);
      expect(Math.abs(adjoint / slope - 1), `along (${x}, 0, ${z})`).toBeLessThan(1e-4);
    }
    simulation.dispose();
  });
});
