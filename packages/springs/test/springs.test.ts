import type { Scene, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import type { LineMesh } from '@gradsim/mesh';
import { chain, net } from '@gradsim/mesh';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { addSprings, Spring, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';
import { springForce } from '../src/force.ts';

const plugins = () => [particles(), springs()];
async function run(scene: Scene, seconds: number, substeps: number, gravity = 0): Promise<Simulation> {
  scene.add(Gravity, { acceleration: [0, -gravity, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  simulation.forward();
  return simulation;
}

describe('one spring', () => {
  it('oscillates as the damped oscillator, to first order in the step', async () => {
    // m x'' = -k x - c x': x = x0 exp(-c t / 2m) (cos w t + c / (2 m w) sin w t), w^2 = k/m - (c/2m)^2. The method is
    // of first order: the error halves with the step.
    const [m, k, c, x0, T] = [0.5, 80, 0.6, 0.1, 1];
    const w = Math.sqrt(k / m - (c / (2 * m)) ** 2);
    const exact = x0 * Math.exp((-c * T) / (2 * m)) * (Math.cos(w * T) + (c / (2 * m * w)) * Math.sin(w * T));
    const errors: number[] = [];
    for (const substeps of [2000, 4000]) {
      const scene = createScene(plugins());
      const wall = scene.add(Particle, { position: [0, 0, 0], fixed: 1 });
      const weight = scene.add(Particle, { position: [1 + x0, 0, 0], mass: m });
      scene.add(Spring, { ends: [wall, weight], stiffness: k, damping: c, restLength: 1 });
      const x = await (await run(scene, T, substeps)).read('particles.position');
      errors.push(x[3] - 1 - exact);
    }
    expect(Math.abs(errors[1])).toBeLessThan(2e-4);
    expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
  });

  it('rests at the length l0 (1 + a), l0 its rest length, a its actuation', async () => {
    // The first of two starts at rest there; the other is 0.2 m longer, and a substep gives it dt f / m.
    const scene = createScene(plugins());
    const wall = scene.add(Particle, { position: [0, 0, 0], fixed: 1 });
    const free = [0.8, 1].map((x) => scene.add(Particle, { position: [x, 0, 0], mass: 1 }));
    for (const end of free) scene.add(Spring, { ends: [wall, end], stiffness: 10, restLength: 0.64, actuation: 0.25 });
    const v = await (await run(scene, 0.01, 1)).read('particles.velocity');
    expect(v[3]).toBeCloseTo(0, 14);
    expect(v[6]).toBeCloseTo(-10 * 0.2 * 0.01, 14);
  });

  // Damping by absolute velocity (a defect of the research code) would slow the flight.
  it('exerts no force on ends of equal velocity, and conserves momentum and angular momentum', async () => {
    const scene = createScene(plugins());
    const [a, b] = [
      scene.add(Particle, { position: [0, 0, 0], velocity: [3, 1, -2], mass: 1 }),
      scene.add(Particle, { position: [0.5, 0, 0], velocity: [3, 1, -2], mass: 2 }),
    ];
    scene.add(Spring, { ends: [a, b], stiffness: 100, damping: 5, restLength: 0.5 });
    const v = await (await run(scene, 1, 100)).read('particles.velocity');
    [3, 1, -2, 3, 1, -2].forEach((c, k) => expect(v[k]).toBeCloseTo(c, 12));

    const stretched = createScene(plugins());
    const ends = [
      stretched.add(Particle, { position: [0, 0, 0], velocity: [1, 0, 0.5], mass: 1 }),
      stretched.add(Particle, { position: [0.7, 0.1, 0], velocity: [0, -1, 0], mass: 2 }),
    ];
    stretched.add(Spring, { ends, stiffness: 100, damping: 5, restLength: 0.5 });
    const simulation = await run(stretched, 1, 1000);
    const [x, u] = [await simulation.read('particles.position'), await simulation.read('particles.velocity')];
    [1, -2, 0.5].forEach((p, k) => expect(u[k] + 2 * u[3 + k]).toBeCloseTo(p, 11));
    // Forces act along the spring, positions move by dt v: L = sum m x cross v is constant, here (0, 0, -1.4).
    const cross = (i: number) => [
      x[i + 1] * u[i + 2] - x[i + 2] * u[i + 1],
      x[i + 2] * u[i] - x[i] * u[i + 2],
      x[i] * u[i + 1] - x[i + 1] * u[i],
    ];
    [0, 0, -1.4].forEach((l, k) => expect(cross(0)[k] + 2 * cross(3)[k]).toBeCloseTo(l, 11));
  });

  it('of rest length 0 is linear through zero length', async () => {
    // x'' = -(k / m) x - (c / m) x' for the distance x of a weight from a wall: x after n substeps is linear in where it begins,
    // and v' = v - dt (k x + c v) / m, x' = x + dt v'.
    const [k, m, dt, n] = [80, 0.5, 0.002, 200];
    for (const [begin, damping] of [
      [0, 0],
      [0.3, 0],
      [0, 5],
    ]) {
      let [x, v] = [1, 0];
      for (let step = 0; step < n; step++) {
        v -= (dt * (k * x + damping * v)) / m;
        x += dt * v;
      }
      const scene = createScene(plugins());
      scene.add(Gravity, { acceleration: [0, 0, 0] });
      const wall = scene.add(Particle, { position: [0, 0, 0], fixed: 1 });
      const weight = scene.add(Particle, { position: [begin, 0, 0], mass: m });
      scene.add(Spring, { ends: [wall, weight], stiffness: k, damping, restLength: 0 });
      const simulation = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 2,
        frameRate: 1 / (n * dt),
        substeps: n,
        parameters: ['particles.position'],
        outputs: ['particles.position'],
      });
      simulation.forward();
      simulation.backward({ 'particles.position': [0, 0, 0, 1, 1, 1] });
      const slopes = (await simulation.gradient('particles.position')).slice(3);
      slopes.forEach((slope) => expect(slope).toBeCloseTo(x, 10));
      simulation.dispose();
    }
  });

  it('of zero length gives no force and a finite derivative', async () => {
    const scene = createScene(plugins());
    const ends = [
      scene.add(Particle, { position: [1, 1, 1], mass: 1 }),
      scene.add(Particle, { position: [1, 1, 1], mass: 1 }),
    ];
    scene.add(Spring, { ends, stiffness: 100, damping: 5, restLength: 0.5 });
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 10,
      substeps: 3,
      parameters: ['particles.position', 'springs.stiffness', 'springs.restLength'],
      outputs: ['particles.position'],
    });
    simulation.forward();
    expect(await simulation.read('particles.position')).toEqual(new Float64Array(6).fill(1));
    simulation.backward({ 'particles.position': [1, 2, 3, 4, 5, 6] });
    for (const key of ['particles.position', 'springs.stiffness', 'springs.restLength'])
      expect((await simulation.gradient(key)).every(Number.isFinite), key).toBe(true);
  });

  it('with both ends at one particle is refused', () => {
    const scene = createScene(plugins());
    const a = scene.add(Particle, { position: [0, 0, 0], mass: 1 }, 'the bead');
    scene.add(Spring, { ends: [a, a], stiffness: 1, restLength: 0 }, 'the loop');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'springs/equal-ends',
      field: 'springs.ends',
      element: 'the loop',
      values: ['the bead'],
    });
  });
});

describe('a hanging chain', () => {
  it('is a catenary to 0.5 % of its sag', async () => {
    // Inextensible, of length L between supports a apart: y = c cosh(x / c), 2 c sinh(a / 2c) = L, and the sag is
    // c (cosh(a / 2c) - 1). These springs are stretched by less than 1e-4 by the weight of 4 N.
    const [span, length, n] = [1, 1.4, 41];
    let c = 0.3;
    for (let k = 0; k < 50; k++) {
      const error = 2 * c * Math.sinh(span / (2 * c)) - length;
      c -= error / (2 * Math.sinh(span / (2 * c)) - (span / c) * Math.cosh(span / (2 * c)));
    }
    const sag = c * (Math.cosh(span / (2 * c)) - 1);
    const scene = createScene(plugins());
    const line = chain({ from: [0, 0, 0], to: [span, 0, 0], segments: n - 1 });
    const positions = line.positions.map((_, k) => {
      const x = line.positions[k - (k % 3)];
      return [x, -4 * sag * x * (span - x), 0][k % 3];
    });
    addSprings(
      scene,
      { ...line, positions },
      { mass: 0.01, stiffness: 5e4, damping: 5, restLength: length / (n - 1), fixed: [0, n - 1] },
    );
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 10,
      substeps: 1000,
    });
    // Damping along the springs does not slow a swing: velocities are reset to 0 again and again.
    for (let round = 0; round < 30; round++) {
      simulation.forward();
      simulation.set('particles.position', await simulation.read('particles.position'));
    }
    const x = await simulation.read('particles.position');
    expect(Math.abs(-x[((n - 1) / 2) * 3 + 1] / sag - 1)).toBeLessThan(5e-3);
    for (let k = 0; k < n; k++) {
      const y = c * (Math.cosh((x[3 * k] - span / 2) / c) - Math.cosh(span / (2 * c)));
      expect(Math.abs(x[3 * k + 1] - y), `particle ${k}`).toBeLessThan(5e-3 * sag);
    }
  });
});

describe('springs of a mesh', () => {
  const rope = chain({ from: [0, 0, 0], to: [3, 4, 0], segments: 2 });
  it('rest at the lengths of its lines, with values for all or for each', () => {
    const scene = createScene(plugins());
    const { particles: points } = addSprings(scene, rope, {
      mass: [1, 2, 3],
      stiffness: [5, 6],
      damping: 0.5,
      actuation: 0.25,
      velocity: [7, 8, 9],
      fixed: [1],
    });
    addSprings(scene, rope, { mass: 1, stiffness: 1, restLength: [4, 5] });
    const model = buildModel(scene);
    const values = (key: string): number[] => Array.from(model.field(key).values!);
    expect(points).toHaveLength(3);
    expect(values('springs.ends')).toEqual([0, 1, 1, 2, 3, 4, 4, 5]);
    expect(values('springs.restLength')).toEqual([2.5, 2.5, 4, 5]);
    expect(values('springs.stiffness')).toEqual([5, 6, 1, 1]);
    expect(values('springs.damping')).toEqual([0.5, 0.5, 0, 0]);
    expect(values('springs.actuation')).toEqual([0.25, 0.25, 0, 0]);
    expect(values('particles.mass')).toEqual([1, 2, 3, 1, 1, 1]);
    expect(values('particles.fixed')).toEqual([0, 1, 0, 0, 0, 0]);
    expect(values('particles.velocity').slice(0, 9)).toEqual([7, 8, 9, 7, 8, 9, 7, 8, 9]);
  });

  it('are refused for indices out of range, and for too many values', () => {
    const add = (mesh: LineMesh, options = {}) => {
      const scene = createScene(plugins());
      addSprings(scene, mesh, { mass: 1, stiffness: 1, ...options });
    };
    expect(() => add(rope, { fixed: [3] })).toThrowCode({
      code: 'particles/no-such-particle',
      field: 'fixed',
      values: [3, 0, 2],
    });
    expect(() => add({ ...rope, lines: Uint32Array.of(0, 1, 1, 3) })).toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [1, 3, 0, 2, 'Mesh chain'],
    });
    expect(() => add(rope, { stiffness: [1, 2, 3] })).toThrowCode({
      code: 'core/wrong-size',
      values: [2, 1, 3, 'springs.stiffness'],
    });
  });
});

describe('derivatives of springs', () => {
  it('of the kernel agree with differences', () =>
    checkKernel(springForce, { values: { ends: [0, 1, 2, 3, 1, 3, 0, 2, 1, 2] } }));

  it('through a run, by spring values, particle values and gravity, agree with differences', async () => {
    const scene = createScene(plugins());
    addSprings(scene, net({ size: [0.4, 0.4], segments: [2, 2] }), {
      mass: 0.1,
      stiffness: 50,
      damping: 0.2,
      fixed: [0, 2],
    });
    await checkGradients(buildModel(scene), {
      frames: 2,
      frameRate: 3,
      substeps: 60,
      parameters: [
        'springs.stiffness',
        'springs.damping',
        'springs.restLength',
        'particles.position',
        'particles.velocity',
        'particles.mass',
        'particles.load',
        'world.gravity',
      ],
      outputs: ['particles.position', 'particles.velocity'],
    });
  });
});

it('an unknown option is refused, with the nearest name', () => {
  const scene = createScene([particles(), springs()]);
  const mesh = chain({ from: [0, 0, 0], to: [1, 0, 0], segments: 2 });
  expect(() => addSprings(scene, mesh, { mass: 1, stifness: 1 } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"stifness"', '"stiffness"', 'addSprings'],
  });
});

it('errors name the vertices and springs of a mesh by its name', () => {
  const rope = chain({ from: [0, 0, 0], to: [1, 0, 0], segments: 3 });
  const add = (options: { stiffness: number[]; mass: number[] }) => () =>
    addSprings(createScene(plugins()), rope, { ...options, name: 'rope' });
  expect(add({ mass: [1, 1, -1, 1], stiffness: [1, 1, 1] })).toThrowCode({
    code: 'core/value-out-of-range',
    field: 'particles.mass',
    element: 'vertex 2 of spring mesh "rope"',
  });
  expect(add({ mass: [1, 1, 1, 1], stiffness: [1, 1, -5] })).toThrowCode({
    code: 'core/value-out-of-range',
    field: 'springs.stiffness',
    element: 'spring 2 of spring mesh "rope"',
  });
});
