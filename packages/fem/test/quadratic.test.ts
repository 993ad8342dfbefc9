import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device, Model } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, Surfaces, webgpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients, checkKernel } from '@gradsim/core/testing';
import { addSoftBody, fem, QuadraticTet, quadraticMesh, quadraticTetEnergy } from '@gradsim/fem';
import { placeMesh, tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { randomBetween } from '../../../scripts/vitest/draws.ts';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';
import { quadraticTetForce, restOfQuadraticTet } from '../src/quadratic-force.ts';
import { forces, norm, quadraticBody, randomRotation, transformed } from './scenes.ts';

const seed = 11;
const size = [0.4, 0.3, 0.5] as const;
const volume = size[0] * size[1] * size[2];
const grid = placeMesh(tetBox({ cells: [2, 2, 2], size }), { translation: [0, 0.25, 0.25] });
const nodes = quadraticMesh(grid);
const elements = grid.tets.length / 4;

describe(`forces of quadratic elements (seed ${seed})`, () => {
  it('are minus the gradient of the energy, -dU/dx, for curved elements too', async () => {
    const random = randomBetween(seed);
    const values = (low: number, high: number) => Float64Array.from({ length: elements }, () => random(low, high));
    const scene = quadraticBody(grid, {
      mu: values(500, 2000),
      lambda: values(500, 9000),
      actuation: values(-0.1, 0.1),
      mass: 1,
    });
    const positions = nodes.positions.map((x) => x + random(-0.02, 0.02));
    const { force, slope } = await forces(scene, 'quadraticTets', { positions });
    force.forEach((f, k) => expect(Math.abs(f + slope[k]) / norm(force)).toBeLessThan(1e-8));
  });

  it('have zero sum and zero torque, with damping', async () => {
    const random = randomBetween(seed + 1);
    const positions = nodes.positions.map((x) => x + random(-0.02, 0.02));
    const velocities = positions.map(() => random());
    const scene = quadraticBody(grid, { mu: 1000, lambda: 1500, damping: 20, actuation: 0.05, mass: 1 });
    const { force } = await forces(scene, 'quadraticTets', { positions, velocities });
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [(axis + 1) % 3, (axis + 2) % 3];
      let [sum, torque] = [0, 0];
      for (let k = 0; k < force.length; k += 3) {
        sum += force[k + axis];
        torque += positions[k + a] * force[k + b] - positions[k + b] * force[k + a];
      }
      expect(Math.abs(sum) / norm(force)).toBeLessThan(1e-12);
      expect(Math.abs(torque) / norm(force)).toBeLessThan(1e-12);
    }
  });

  it('are zero in rigid motion, both elastic and damping', async () => {
    const random = randomBetween(seed + 2);
    const positions = transformed(nodes.positions, randomRotation(random), [random(), random(), random()]);
    const [v, w] = [0, 1].map(() => [random(-3, 3), random(-3, 3), random(-3, 3)]);
    const velocities = transformed(positions, [0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0], v);
    const scene = quadraticBody(grid, { mu: 1000, lambda: 9000, damping: 50, mass: 1 });
    const { force } = await forces(scene, 'quadraticTets', { positions, velocities });
    // Rounding of stresses of 1000 Pa over areas of 0.03 m^2.
    expect(norm(force)).toBeLessThan(3e-11);
  });

  it('pass the patch test: in a uniform stretch the net force is zero on inner nodes, and stress times area on an end face', async () => {
    // Uniaxial stretch s: P_xx = mu s (1 - 1/(Ic + 1)) + lambda (s - alpha) with Ic = s^2 + 2, J = s.
    const [mu, lambda, s] = [1000, 9000, 1.3];
    const positions = transformed(nodes.positions, [s, 0, 0, 0, 1, 0, 0, 0, 1]);
    const scene = quadraticBody(grid, { mu, lambda, mass: 1 });
    const { force } = await forces(scene, 'quadraticTets', { positions });
    const onFace = (k: number, axis: number): boolean => {
      const middle = [0, 0.25, 0.25][axis];
      return Math.abs(Math.abs(nodes.positions[3 * k + axis] - middle) - size[axis] / 2) < 1e-9;
    };
    let [sum, inner] = [0, 0];
    for (let k = 0; k < force.length / 3; k++) {
      if (onFace(k, 0) && nodes.positions[3 * k] > 0) sum += force[3 * k];
      if ([0, 1, 2].some((axis) => onFace(k, axis))) continue;
      inner++;
      expect(norm(force.slice(3 * k, 3 * k + 3)) / norm(force)).toBeLessThan(1e-13);
    }
    expect(inner).toBeGreaterThan(1);
    const P = mu * s * (1 - 1 / (s * s + 3)) + lambda * (s - (1 + (3 * mu) / (4 * lambda)));
    expect(sum).toBeCloseTo(-P * size[1] * size[2], 9);
  });

  it('store the energy of pure bending to 1e-5, for a Poisson ratio below 1/4, where volume is not averaged', async () => {
    // u = c (-x y, x^2 / 2, 0) has the strain e_xx = -c y alone: U = (L / 2 + G) c^2 V h^2 / 12 with y from the middle.
    const [mu, lambda, c] = [1000, 1100, 1e-4];
    const [G, L] = [0.75 * mu, lambda - 0.625 * mu];
    const bent = (by: number) =>
      nodes.positions.map((value, k) => {
        const [x, y] = [nodes.positions[k - (k % 3)], nodes.positions[k - (k % 3) + 1] - 0.25];
        return value + by * [-x * y, (x * x) / 2, 0][k % 3];
      });
    const energies: number[] = [];
    // Both signs: third order cancels; the energy at rest, which is not 0, is subtracted.
    for (const by of [c, -c, 0]) {
      const scene = quadraticBody(grid, { mu, lambda, mass: 1 });
      energies.push((await forces(scene, 'quadraticTets', { positions: bent(by) })).energy);
    }
    const expected = ((L / 2 + G) * c * c * volume * size[1] ** 2) / 12;
    const stored = (energies[0] + energies[1]) / 2 - energies[2];
    // The energy at rest is 1e9 of that, so doubles leave 1e-6; fourth order is 1e-8.
    expect(Math.abs(stored / expected - 1)).toBeLessThan(1e-5);
  });
});

describe('gradient checks of kernels of quadratic elements', () => {
  const one = quadraticMesh({
    positions: Float64Array.of(0, 0, 0, 1, 0.1, 0, 0.1, 0.9, 0, 0, 0.1, 1.1, 1, 1, 0.9),
    tets: Uint32Array.of(0, 1, 2, 3, 1, 4, 2, 3),
  });
  const random = randomBetween(seed + 3);
  const positions = Array.from(one.positions, (x) => x + random(-0.05, 0.05));
  const sizes = { quadraticTets: 2, particles: positions.length / 3 };
  const ranges: Record<string, readonly [number, number]> = { mu: [1, 2], lambda: [1, 5] };
  for (const q of [0, 1, 2, 3]) ranges[`restVolume${q}`] = [0.1, 1];
  const indices = { nodes: Array.from(one.nodes) };
  it('rest shape and mass', () =>
    checkKernel(restOfQuadraticTet(), { sizes, values: { ...indices, restPosition: positions } }));
  it('forces', () => checkKernel(quadraticTetForce(), { sizes, values: indices, ranges }));
  it('energy', () => checkKernel(quadraticTetEnergy, { sizes, values: indices, ranges }));
});

describe('a body of quadratic elements', () => {
  const material = { elements: 'quadratic', mu: 1000, lambda: 1500, density: 500 } as const;
  const plugins = () => [particles(), fem()];

  it('has density times volume as total mass, every node a positive share', async () => {
    const scene = createScene(plugins());
    addSoftBody(scene, grid, material);
    const settings = { device: f64Device(), frames: 2, frameRate: 1e4, substeps: 1 };
    const simulation = await createSimulation(buildModel(scene), settings);
    simulation.forward();
    const masses = await simulation.read('particles.totalMass');
    expect(masses.every((mass) => mass > 0)).toBe(true);
    expect(masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(500 * volume, 11);
    simulation.dispose();
  });

  it('offers its surface, divided into four triangles per face, which encloses its volume', () => {
    const scene = createScene(plugins());
    addSoftBody(scene, grid, material);
    const [surface, ...others] = buildModel(scene).offered(Surfaces);
    expect(others).toEqual([]);
    expect(surface.position).toBe(Particle.position);
    // 24 faces of cells, two triangles each, four parts each.
    expect(surface.triangles).toHaveLength(24 * 2 * 4 * 3);
    const at = (k: number): number[] => [...nodes.positions.subarray(3 * k, 3 * k + 3)];
    let inside = 0;
    for (let t = 0; t < surface.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => at(surface.triangles[t + k]));
      inside +=
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
        6;
    }
    expect(inside).toBeCloseTo(volume, 12);
  });

  it('interpolates velocities, masses and clamps of corners to mid-edge nodes', () => {
    const scene = createScene(plugins());
    const count = grid.positions.length / 3;
    const velocity = Float64Array.from(grid.positions, (x) => 2 * x);
    const wall = Array.from({ length: count }, (_, k) => k).filter((k) => grid.positions[3 * k] < -0.19);
    const body = addSoftBody(scene, grid, {
      ...material,
      velocity,
      fixed: wall,
      mass: velocity.map(() => 1).slice(0, count),
    });
    expect(body.particles).toHaveLength(nodes.positions.length / 3);
    body.particles.forEach((particle, k) => {
      const get = (name: string) => Array.from(scene.get(particle, Particle, name));
      get('velocity').forEach((v, axis) => expect(v).toBeCloseTo(2 * nodes.positions[3 * k + axis], 6));
      expect(get('fixed')).toEqual([nodes.positions[3 * k] < -0.19 ? 1 : 0]);
      expect(get('mass')).toEqual([1]);
    });
  });

  it('is refused for an unknown kind of element, arrays of wrong length, indices out of range, and inverted elements', () => {
    const add = (options: object) => () => addSoftBody(createScene(plugins()), grid, { ...material, ...options });
    expect(add({ elements: 'cubic' })).toThrowCode({
      code: 'fem/unknown-choice',
      field: 'elements',
      values: ['"cubic"'],
    });
    expect(add({ mass: [1, 2] })).toThrowCode({ code: 'fem/wrong-size', values: [27, 1, 'mass'] });
    expect(add({ velocity: [1, 2] })).toThrowCode({ code: 'fem/wrong-size', values: [27, 3, 'velocity'] });
    expect(add({ fixed: [27] })).toThrowCode({ code: 'fem/no-such-vertex', field: 'fixed', values: [27, 0, 26] });
    const scene = createScene(plugins());
    const unit = quadraticMesh({
      positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      tets: Uint32Array.of(0, 1, 2, 3),
    });
    // The node between corners 0 and 1 at a fifth of the edge: dx/dxi changes its sign at corner 0.
    const own = Array.from({ length: 10 }, (_, k) =>
      scene.add(Particle, {
        position: k === 4 ? [0.2, 0, 0] : [...unit.positions.subarray(3 * k, 3 * k + 3)],
        mass: 1,
      }),
    );
    scene.add(QuadraticTet, { nodes: own, mu: 1, lambda: 1 });
    expect(() => buildModel(scene)).toThrowCode({ code: 'fem/inverted-element', element: 'quadratic tetrahedron 0' });
  });

  const thrown = (): Model => {
    const scene = createScene([...plugins(), contact()]);
    const mesh = placeMesh(tetBox({ cells: [2, 1, 1], size: [0.4, 0.2, 0.2] }), {
      translation: [0, 0.12, 0],
    });
    const body = addSoftBody(scene, mesh, {
      ...material,
      lambda: 4000,
      damping: 2,
      actuation: 0.02,
      mass: 0.1,
      velocity: [0.5, -1, 0.2],
      fixed: [0],
    });
    for (const entity of body.particles)
      scene.attach(entity, contactOf(Particle), { ke: 5000, kd: 5, kf: 10, mu: 0.4, thickness: 0.01 });
    scene.add(HalfSpace, {});
    return buildModel(scene);
  };
  const run = {
    frames: 2,
    frameRate: 10,
    substeps: 200,
    seed: 5,
    parameters: [
      ...['mu', 'lambda', 'damping', 'actuation', 'density'].map((name) => `quadraticTets.${name}`),
      ...['position', 'velocity', 'mass', 'ke', 'mu'].map((name) => `particles.${name}`),
    ],
    outputs: ['particles.position', 'particles.velocity'],
  };
  it('thrown onto the ground has gradients by material, contact and states that agree with central differences', () =>
    checkGradients(thrown(), run));
  const againstDoubles = async (opening: Device | Promise<Device>): Promise<void> => {
    const device = await opening;
    await checkDevices(thrown(), { ...run, devices: [device] });
    device.dispose();
  };
  it('has states and gradients on the CPU that agree with doubles', () => againstDoubles(cpuDevice()));
  it.skipIf(missingAdapter !== null)('has states and gradients on WebGPU that agree with doubles', () =>
    againstDoubles(webgpuDevice({ allowSoftware: true })),
  );

  it('with random velocities, without damping, gains under 5 % kinetic energy in 20000 substeps just below the stable one', async () => {
    const random = randomBetween(seed + 4);
    const scene = createScene(plugins());
    const mesh = tetBox({ cells: [2, 2, 2], size: [0.2, 0.2, 0.2] });
    const body = addSoftBody(scene, mesh, { ...material, mu: 1e4, lambda: 5e4 });
    const model = buildModel(scene);
    const probe = await createSimulation(model, {
      device: f64Device(),
      frames: 2,
      frameRate: 1e5,
      substeps: 1,
    });
    const { dt } = await probe.stableStep();
    probe.dispose();
    const frameRate = 1 / (1000 * 0.99 * dt);
    const simulation = await createSimulation(model, {
      device: cpuDevice(),
      frames: 21,
      frameRate,
      substeps: 1000,
    });
    const velocity = Float64Array.from({ length: 3 * body.particles.length }, () => random(-0.5, 0.5));
    simulation.set('particles.velocity', velocity);
    simulation.set('world.gravity', [0, 0, 0]);
    simulation.forward();
    const after = await simulation.read('particles.velocity');
    // All energy was kinetic at first; a step near the limit conserves it up to a few percent that come and go.
    const masses = await simulation.read('particles.totalMass');
    const kinetic = (v: ArrayLike<number>): number =>
      masses.reduce((sum, m, k) => sum + 0.5 * m * norm(Array.from(v).slice(3 * k, 3 * k + 3)) ** 2, 0);
    expect(kinetic(after)).toBeLessThan(1.05 * kinetic(velocity));
    simulation.dispose();
  });
});
