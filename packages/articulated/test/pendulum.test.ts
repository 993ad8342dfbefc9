import { articulated, Link } from '@gradsim/articulated';
import type { Scene, Simulation } from '@gradsim/core';
import {
  buildModel,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  f64Device,
  field,
  kernel,
  select,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const G = 9.81;

async function run(scene: Scene, frames: number, frameRate: number, substeps: number): Promise<Simulation> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate,
    substeps,
    record: [Link.coordinate, Link.rate],
  });
  simulation.forward();
  return simulation;
}

/** A point mass on a massless rod of length L, rotating about the z axis. */
function pendulum(L: number, angle: number): Scene {
  const scene = createScene([articulated()]);
  scene.add(Link, { joint: 'revolute', axis: [0, 0, 1], mass: 0.7, centre: [0, -L, 0], coordinate: angle });
  return scene;
}

/** Complete elliptic integral K(k), by the arithmetic-geometric mean: pi / (2 agm(1, sqrt(1 - k^2))). */
function elliptic(k: number): number {
  let [a, b] = [1, Math.sqrt(1 - k * k)];
  for (let round = 0; round < 8; round++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  return Math.PI / (2 * a);
}

describe('a pendulum', () => {
  it('released at an angle swings with the period 4 sqrt(L / g) K(sin(angle / 2)), to second order in the step', async () => {
    // Started at rest at the turning point the method is symmetric about it, so that the error is of second order.
    const [L, angle] = [0.8, 2];
    const exact = 4 * Math.sqrt(L / G) * elliptic(Math.sin(angle / 2));
    const errors: number[] = [];
    for (const substeps of [8, 16]) {
      const rate = 60;
      const simulation = await run(pendulum(L, angle), 200, rate, substeps);
      const q = await simulation.readFrames(Link.coordinate);
      const qd = await simulation.readFrames(Link.rate);
      // Downward crossings of 0, a period apart: rates are half a substep before coordinates.
      const dt = 1 / (rate * substeps);
      const crossings = [...q.keys()].filter((k) => k > 0 && q[k - 1] > 0 && q[k] <= 0);
      const [first, second] = crossings.map((k) => crossing(q[k - 1], q[k], qd[k - 1], qd[k], 1 / rate, dt) + k / rate);
      errors.push(second - first - exact);
    }
    expect(Math.abs(errors[1])).toBeLessThan(3e-6);
    expect(errors[0] / errors[1]).toBeGreaterThan(3.5);
    expect(errors[0] / errors[1]).toBeLessThan(4.5);
  });

  it("with damping c m L^2 decays as theta'' = -(g/L) theta - c theta'", async () => {
    // exp(-c t / 2) (cos w t + c / (2 w) sin w t), w^2 = g / L - c^2 / 4, at an angle whose cube is below rounding.
    const [L, m, c, T, small] = [1, 1, 0.5, 2, 1e-6];
    const w = Math.sqrt(G / L - c ** 2 / 4);
    const exact = Math.exp((-c * T) / 2) * (Math.cos(w * T) + (c / (2 * w)) * Math.sin(w * T));
    const errors: number[] = [];
    for (const substeps of [4000, 8000]) {
      const scene = createScene([articulated()]);
      const damping = c * m * L ** 2;
      scene.add(Link, { joint: 'revolute', mass: m, centre: [0, -L, 0], coordinate: small, damping });
      const q = await (await run(scene, 2, 1 / T, substeps)).read(Link.coordinate);
      errors.push(q[0] / small - exact);
    }
    expect(Math.abs(errors[1])).toBeLessThan(1e-3);
    expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
  });
});

/**
 * Time before the second of two samples, s, at which a cubic through two angles with their rates crosses 0; rates are
 * given half a substep, dt / 2, before the angles.
 */
function crossing(q0: number, q1: number, v0: number, v1: number, h: number, dt: number): number {
  // Semi-implicit Euler has the rate of half a substep before: add half a substep of acceleration.
  const rate = (q: number, v: number): number => v - (dt / 2) * (G / 0.8) * Math.sin(q);
  const [a, b] = [rate(q0, v0) * h, rate(q1, v1) * h];
  const cubic = (s: number): number =>
    q0 * (1 + 2 * s) * (1 - s) ** 2 + a * s * (1 - s) ** 2 + q1 * s * s * (3 - 2 * s) + b * s * s * (s - 1);
  let [low, high] = [0, 1];
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (cubic(middle) > 0) low = middle;
    else high = middle;
  }
  return (low - 1) * h;
}

const { coordinate, rate, acceleration } = Link;
const stageField = (name: string) => field(Link.domain, name, f32);
const sums = { q0: stageField('q0'), v0: stageField('v0'), dq: stageField('dq'), dv: stageField('dv') };
const startStages = kernel(
  'startStages',
  { domain: Link, reads: { coordinate, rate }, writes: sums },
  ({ coordinate, rate }) => ({ q0: coordinate, v0: rate, dq: f32(0), dv: f32(0) }),
);
/** Classical Runge-Kutta method for joints with an axis, with four evaluations of the accelerations per substep. */
const rungeKuttaStage = kernel(
  'rungeKuttaStage',
  {
    domain: Link,
    reads: { coordinate, rate, acceleration, ...sums },
    writes: { coordinate, rate, dq: sums.dq, dv: sums.dv },
  },
  (s, { dt, round }) => {
    const weight = select(round.eq(0).or(round.eq(3)), f32(1 / 6), 1 / 3).mul(dt);
    const [dq, dv] = [s.dq.add(s.rate.mul(weight)), s.dv.add(s.acceleration.mul(weight))];
    const ahead = select(round.eq(2), f32(1), 0.5).mul(dt);
    const isLast = round.eq(3);
    return {
      coordinate: s.q0.add(select(isLast, dq, s.rate.mul(ahead))),
      rate: s.v0.add(select(isLast, dv, s.acceleration.mul(ahead))),
      dq,
      dv,
    };
  },
);
const rungeKutta = definePlugin({
  name: 'runge-kutta',
  contract: 1,
  build: ({ model }) => {
    model.addStages(4);
    model.addPass('control', startStages);
    model.addPass('stage', rungeKuttaStage);
  },
});

describe('a double pendulum', () => {
  const [l1, l2, m1, m2] = [1, 0.8, 1, 0.6];
  const scene = (plugins = [articulated()]): Scene => {
    const s = createScene(plugins);
    const upper = s.add(Link, { joint: 'revolute', mass: m1, centre: [0, -l1, 0], coordinate: 0.9 });
    s.add(Link, {
      parent: upper,
      joint: 'revolute',
      anchor: [0, -l1, 0],
      mass: m2,
      centre: [0, -l2, 0],
      coordinate: -0.4,
    });
    return s;
  };
  /** Energy of point masses on massless rods, J, with absolute angles a = q1 and b = q1 + q2. */
  const energy = ([q1, q2]: number[], [v1, v2]: number[]): number => {
    const [a, b, u, w] = [q1, q1 + q2, v1, v1 + v2];
    const kinetic = 0.5 * (m1 + m2) * (l1 * u) ** 2 + 0.5 * m2 * (l2 * w) ** 2 + m2 * l1 * l2 * u * w * Math.cos(a - b);
    return kinetic - (m1 + m2) * G * l1 * Math.cos(a) - m2 * G * l2 * Math.cos(b);
  };

  /** Largest error of the energy over 100 s, J; the energy at the start is -13.9 J. */
  const errorOf = async (substeps: number, plugins = [articulated()]): Promise<number> => {
    const simulation = await run(scene(plugins), 1001, 10, substeps);
    const [q, v] = [await simulation.readFrames(Link.coordinate), await simulation.readFrames(Link.rate)];
    const at = (f: number): number => energy([q[2 * f], q[2 * f + 1]], [v[2 * f], v[2 * f + 1]]);
    return Math.max(...Array.from({ length: 1001 }, (_, f) => Math.abs(at(f) - at(0))));
  };

  it('conserves its energy over 100 s, up to an error in proportion to the step', async () => {
    const errors = [await errorOf(50), await errorOf(100)];
    expect(errors[0] / errors[1]).toBeGreaterThan(1.8);
    expect(errors[0] / errors[1]).toBeLessThan(2.2);
  });

  it('conserves energy within 1 % over 100 s with the Runge-Kutta method of a custom plugin', async () => {
    // With steps of 5 ms; of fourth order: the error over a fixed time falls at least with the fourth power.
    const plugins = [articulated({ integrator: 'none' }), rungeKutta];
    const [coarse, fine] = [await errorOf(10, plugins), await errorOf(20, plugins)];
    console.info(`energy of a double pendulum over 100 s by Runge-Kutta: ${coarse}, ${fine} J`);
    expect(fine).toBeLessThan(0.01 * 13.9);
    expect(coarse / fine).toBeGreaterThan(12);
  });
});
