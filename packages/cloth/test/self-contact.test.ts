import { addCloth, cloth } from '@gradsim/cloth';
import { contact, contactOf, HalfSpace, surfaceContact } from '@gradsim/contact';
import type { Entity, Model, Plugin, Scene } from '@gradsim/core';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  dot,
  f32,
  f64Device,
  kernel,
  perWorld,
  Surfaces,
  vec3,
} from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { findHinges, placeMesh, plane, tetBox } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { crossings } from './crossings.ts';

/** Kernel of per-frame outputs: positions, m, and the sum of kinetic and gravitational energy, J. */
const show = kernel(
  'show',
  {
    domain: 'particles',
    reads: { position: vec3, velocity: vec3, totalMass: f32, gravity: perWorld(vec3) },
    writes: { shown: vec3 },
    adds: { energy: perWorld(f32) },
  },
  ({ position, velocity, totalMass, gravity, energy }) => {
    energy.add(totalMass.mul(dot(velocity, velocity).mul(0.5).sub(dot(gravity, position))));
    return { shown: position };
  },
);
const shown = (): Plugin =>
  definePlugin({ name: 'shown', contract: 1, build: ({ model }) => model.addPass('observe', show) });

type Material = Readonly<Record<'ke' | 'kd' | 'kf' | 'mu' | 'thickness', number>>;
function touching(scene: Scene, of: readonly Entity[], material: Material): void {
  for (const entity of of) scene.attach(entity, contactOf(Particle), material);
}

const trianglesOf = (model: Model): number[] =>
  model.offered(Surfaces).flatMap(({ triangles }) => Array.from(triangles));

describe('a strip dropped on its end', () => {
  const EDGE = 0.04;
  const [COLUMNS, ROWS] = [4, 24];
  /** Builds a model of a strip that is slightly wavy, so that it folds to both sides. */
  function strip(withContact: boolean): Model {
    const plugins = [particles(), cloth(), contact(), shown()];
    if (withContact) plugins.push(surfaceContact({ maxSpeed: 6, refresh: 8, neighbours: 64 }));
    const scene = createScene(plugins);
    const size = [COLUMNS * EDGE, ROWS * EDGE] as const;
    const flat = placeMesh(plane({ size, segments: [COLUMNS, ROWS] }), {
      translation: [size[0] / 2, 0, size[1] / 2],
    });
    const positions = Float64Array.from(flat.positions);
    for (let k = 0; k < positions.length; k += 3) {
      const height = flat.positions[k + 2];
      positions[k + 1] = height + 0.05;
      positions[k + 2] = 0.03 * Math.sin(height * 14) + 0.004 * Math.sin(40 * positions[k] + 25 * height);
    }
    const sheet = addCloth(
      scene,
      { ...flat, positions },
      {
        mu: 60,
        lambda: 60,
        damping: 0.01,
        density: 0.2,
        bendStiffness: 1e-5,
        bendDamping: 1e-6,
        restAngle: new Float64Array(findHinges(flat).length / 4),
      },
    );
    scene.add(HalfSpace, {});
    touching(scene, sheet.particles, { ke: 60, kd: 0.02, kf: 0.05, mu: 0.2, thickness: 0.35 * EDGE });
    return buildModel(scene);
  }

  async function run(model: Model): Promise<{ crossings: number[]; energies: Float64Array }> {
    const device = await cpuDevice();
    const record = ['particles.shown', 'world.energy'];
    const simulation = await createSimulation(model, {
      device,
      frames: 37,
      frameRate: 30,
      substeps: 133,
      record,
    });
    simulation.forward();
    const frames = await simulation.readFrames('particles.shown');
    const energies = await simulation.readFrames('world.energy');
    device.dispose();
    const size = frames.length / 37;
    const triangles = trianglesOf(model);
    return {
      crossings: Array.from({ length: 37 }, (_, f) => crossings(frames.subarray(f * size, (f + 1) * size), triangles)),
      energies,
    };
  }

  it('folds without passing through itself; its kinetic and gravitational energy never exceeds the initial one', async () => {
    const [held, free] = [await run(strip(true)), await run(strip(false))];
    expect(held.crossings).toEqual(held.crossings.map(() => 0));
    // Without contact of surfaces the same strip does pass through itself.
    expect(Math.max(...free.crossings)).toBeGreaterThan(10);
    // Elastic energy above its initial minimum is not counted: the rest never exceeds the initial energy.
    const start = held.energies[0];
    for (const energy of held.energies) expect(energy).toBeLessThan(start * (1 + 1e-4));
    expect(held.energies.at(-1)).toBeLessThan(0.3 * start);
  });
});

/** Returns the momentum, then the angular momentum about the origin. */
function momenta(m: ArrayLike<number>, x: ArrayLike<number>, v: ArrayLike<number>): number[] {
  const sums = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < m.length; k++) {
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [3 * k + ((axis + 1) % 3), 3 * k + ((axis + 2) % 3)];
      sums[axis] += m[k] * v[3 * k + axis];
      sums[3 + axis] += m[k] * (x[a] * v[b] - x[b] * v[a]);
    }
  }
  return sums;
}

/** Runs a scene in free space; returns momenta before and after, and the kinetic energy at every frame. */
async function collide(scene: Scene) {
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const model = buildModel(scene);
  const run = {
    device: f64Device(),
    frameRate: 40,
    substeps: 100,
    record: ['world.energy', 'particles.shown'],
  };
  const simulation = await createSimulation(model, { ...run, frames: 13 });
  simulation.forward();
  const read = (key: string): Promise<Float64Array> => simulation.read(key);
  const mass = await read('particles.totalMass');
  const frames = await simulation.readFrames('particles.shown');
  const last = frames.subarray(12 * 3 * mass.length);
  const [position, velocity] = ['position', 'velocity'].map((name) => model.field(`particles.${name}`).values!);
  return {
    before: momenta(mass, position, velocity),
    after: momenta(mass, last, await read('particles.velocity')),
    energies: await simulation.readFrames('world.energy'),
    crossed: crossings(last, trianglesOf(model)),
    velocity: await read('particles.velocity'),
  };
}

/** Bound on the rounding error of a sum of magnitude 0.1 over 1200 substeps. */
const ROUNDING = 1e-13;

describe('deformable bodies in contact in free space', () => {
  const sheet = (shift: number) =>
    placeMesh(plane({ size: [0.25, 0.25], segments: [5, 5] }), {
      translation: [shift, 0.6 * shift, 0.7 * shift],
    });
  const fabric = { mu: 60, lambda: 80, density: 0.2, bendStiffness: 1e-4 };
  const withSheets = (material: Material): Scene => {
    const search = surfaceContact({ maxSpeed: 4, refresh: 8, neighbours: 48 });
    const scene = createScene([particles(), cloth(), contact(), search, shown()]);
    const lower = addCloth(scene, sheet(0), { ...fabric, velocity: [0.3, 1, 0] });
    const upper = addCloth(scene, sheet(0.08), { ...fabric, velocity: [0, -1, 0.2] });
    touching(scene, [...lower.particles, ...upper.particles], material);
    return scene;
  };

  it('colliding sheets with friction conserve momentum and angular momentum, do not cross, and lose kinetic energy', async () => {
    const end = await collide(withSheets({ ke: 30, kd: 0.01, kf: 0.05, mu: 0.3, thickness: 0.017 }));
    end.after.forEach((value, k) => expect(Math.abs(value - end.before[k])).toBeLessThan(ROUNDING));
    expect(end.crossed).toBe(0);
    expect(end.energies.at(-1)).toBeLessThan(0.9 * end.energies[0]);
  });

  it('colliding sheets without friction and damping never exceed their initial kinetic energy', async () => {
    const { energies } = await collide(withSheets({ ke: 30, kd: 0, kf: 0, mu: 0, thickness: 0.017 }));
    for (const energy of energies) expect(energy).toBeLessThan(energies[0] * (1 + 1e-4));
    expect(Math.min(...energies)).toBeLessThan(0.9 * energies[0]);
  });

  it('colliding soft bodies do not interpenetrate, rebound, and conserve momentum and angular momentum', async () => {
    const search = surfaceContact({ maxSpeed: 4, refresh: 8, neighbours: 64 });
    const scene = createScene([particles(), fem(), contact(), search, shown()]);
    const block = (x: number, velocity: readonly number[]) => {
      const cube = tetBox({ cells: [2, 2, 2], size: [0.1, 0.1, 0.1] });
      const grid = placeMesh(cube, { translation: [x, 0.4 * x, 0.3 * x] });
      return addSoftBody(scene, grid, { mu: 2e3, lambda: 4e3, damping: 1, density: 500, velocity });
    };
    const [left, right] = [block(0, [0.8, 0, 0]), block(0.13, [-0.8, 0, 0.1])];
    const material = { ke: 2000, kd: 1, kf: 2, mu: 0.4, thickness: 0.012 };
    touching(scene, [...left.particles, ...right.particles], material);
    const end = await collide(scene);
    // Ten times the mass of a sheet.
    end.after.forEach((value, k) => expect(Math.abs(value - end.before[k])).toBeLessThan(10 * ROUNDING));
    expect(end.crossed).toBe(0);
    // They have turned back.
    const half = end.velocity.length / 2;
    const mean = (of: Float64Array): number => of.reduce((sum, v, k) => sum + (k % 3 ? 0 : v), 0);
    expect(mean(end.velocity.subarray(0, half))).toBeLessThan(0);
    expect(mean(end.velocity.subarray(half))).toBeGreaterThan(0);
  });

  it('a sheet at rest whose contact thickness exceeds the edges of its triangles stays at rest', async () => {
    const search = surfaceContact({ maxSpeed: 1, refresh: 4, neighbours: 64 });
    const scene = createScene([particles(), cloth(), contact(), search, shown()]);
    const { particles: all } = addCloth(scene, sheet(0), { ...fabric, bendStiffness: 1e-4 });
    touching(scene, all, { ke: 30, kd: 0.01, kf: 0.05, mu: 0.3, thickness: 0.04 });
    const { velocity } = await collide(scene);
    // Membranes are at rest except for rounding.
    expect(Math.max(...velocity.map(Math.abs))).toBeLessThan(1e-10);
  });
});
