import { articulated, Constraint, Gravity, Link } from '@gradsim/articulated';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import type { Mechanism } from '../support/one-freedom.ts';
import { energyAt, moves } from '../support/one-freedom.ts';

const G = 9.81;
/** Runs a scene and returns coordinates and rates of its links at each frame. */
async function run(scene: Scene, seconds: number, substeps: number, frames = 11) {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames,
    frameRate: (frames - 1) / seconds,
    substeps: Math.round((substeps * seconds) / (frames - 1)),
    outputs: [Link.coordinate, Link.rate],
  });
  simulation.forward();
  const [q, v] = [Array.from(await simulation.read(Link.coordinate)), Array.from(await simulation.read(Link.rate))];
  simulation.dispose();
  return { q, v };
}

const rod = (length: number, mass: number) => ({
  mass,
  centre: [length / 2, 0, 0],
  inertia: [1e-3 * mass, 0, 0, 0, (mass * length ** 2) / 12, 0, 0, 0, (mass * length ** 2) / 12],
});
const [A, B, C, D] = [0.2, 0.5, 0.4, 0.45];
const [MA, MB, MC] = [0.3, 0.8, 0.6];

/** Angles of coupler and rocker of a four-bar linkage whose crank has an angle; open branch. */
function fourBar(theta: number): { phi: number; psi: number } {
  const [x, y] = [A * Math.cos(theta), A * Math.sin(theta)];
  const [dx, dy] = [D - x, -y];
  const e = Math.hypot(dx, dy);
  const phi = Math.atan2(dy, dx) + Math.acos((B * B + e * e - C * C) / (2 * B * e));
  const [px, py] = [x + B * Math.cos(phi), y + B * Math.sin(phi)];
  return { phi, psi: Math.atan2(py, px - D) };
}
const FOUR_BAR: Mechanism = {
  bodies: [
    [MA, A],
    [MB, B],
    [MC, C],
  ].map(([mass, length]) => ({ mass, inertia: (mass * length ** 2) / 12 })),
  at: (theta) => {
    const { phi, psi } = fourBar(theta);
    return [
      { x: (A / 2) * Math.cos(theta), y: (A / 2) * Math.sin(theta), angle: theta },
      {
        x: A * Math.cos(theta) + (B / 2) * Math.cos(phi),
        y: A * Math.sin(theta) + (B / 2) * Math.sin(phi),
        angle: phi,
      },
      { x: D + (C / 2) * Math.cos(psi), y: (C / 2) * Math.sin(psi), angle: psi },
    ];
  },
};

/** Returns rates of coupler and rocker over the crank's. */
function ratesOf(theta: number): { phi: number; psi: number } {
  const h = 1e-6;
  const [ahead, back] = [fourBar(theta + h), fourBar(theta - h)];
  return { phi: (ahead.phi - back.phi) / (2 * h), psi: (ahead.psi - back.psi) / (2 * h) };
}

function linkage(theta: number, rate = 0): Scene {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  const { phi, psi } = fourBar(theta);
  const along = ratesOf(theta);
  const hinge = { joint: 'revolute', axis: [0, 0, 1] } as const;
  const crank = scene.add(Link, { ...hinge, ...rod(A, MA), coordinate: theta, rate });
  const coupler = scene.add(Link, {
    ...hinge,
    ...rod(B, MB),
    parent: crank,
    anchor: [A, 0, 0],
    coordinate: phi - theta,
    rate: (along.phi - 1) * rate,
  });
  const rocker = scene.add(Link, {
    ...hinge,
    ...rod(C, MC),
    anchor: [D, 0, 0],
    coordinate: psi,
    rate: along.psi * rate,
  });
  scene.add(Constraint, { kind: 'connect', link: coupler, other: rocker, point: [B, 0, 0], otherPoint: [C, 0, 0] });
  return scene;
}

describe('a four-bar linkage', () => {
  // The reference has one coordinate, M(q) q'' + M' q'^2 / 2 + g H' = 0. Semi-implicit Euler's error is of order dt, so
  // that twice the second error less the first is of order dt^2. What is open is T^2 times an error of order dt in the
  // acceleration, with T = 10 dt.
  it('moves as its one coordinate does, and its loop closes by more than the second order of the substep', async () => {
    const [start, seconds] = [[0.6, 3] as const, 0.8];
    const exact = moves(FOUR_BAR, start, G, seconds, 1000);
    const [errors, open]: number[][] = [[], []];
    for (const substeps of [1000, 2000]) {
      const { q } = await run(linkage(...start), seconds, substeps);
      const [theta, phi, psi] = q;
      const wanted = fourBar(theta);
      open.push(Math.hypot(theta + phi - wanted.phi, psi - wanted.psi));
      errors.push(theta - exact.coordinate);
    }
    expect(Math.abs(errors[0])).toBeLessThan(0.02);
    expect(Math.abs(2 * errors[1] - errors[0])).toBeLessThan(0.05 * Math.abs(errors[0]));
    expect(open[0]).toBeLessThan(1e-5);
    expect(open[1]).toBeLessThan(open[0] / 4);
  });
  it('keeps its energy but for the order of the substep, over ten seconds', async () => {
    const scene = linkage(0.6, 3);
    const start = energyAt(FOUR_BAR, 0.6, 3, G);
    // Some 3 J go to and fro between height and motion.
    const swung = 3;
    const lost = [];
    for (const substeps of [1000, 2000]) {
      const { q, v } = await run(scene, 10, substeps);
      lost.push(Math.abs(energyAt(FOUR_BAR, q[0], v[0], G) - start));
    }
    expect(lost[0]).toBeLessThan(0.03 * swung);
    expect(lost[1]).toBeLessThan(0.6 * lost[0]);
  });
});

/** Crank of radius R that drives a slider along x by a rod of length L. */
const [R, L] = [0.15, 0.4];
const SLIDER_CRANK: Mechanism = {
  bodies: [
    { mass: MA, inertia: (MA * R ** 2) / 12 },
    { mass: MB, inertia: (MB * L ** 2) / 12 },
    { mass: MC, inertia: 0 },
  ],
  at: (theta) => {
    const phi = -Math.asin((R / L) * Math.sin(theta));
    const x = R * Math.cos(theta);
    return [
      { x: x / 2, y: (R / 2) * Math.sin(theta), angle: theta },
      { x: x + (L / 2) * Math.cos(phi), y: -(L / 2) * Math.sin(phi), angle: phi },
      { x: x + L * Math.cos(phi), y: 0, angle: 0 },
    ];
  },
};
function sliderCrank(theta: number, rate: number): Scene {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  const hinge = { joint: 'revolute', axis: [0, 0, 1] } as const;
  const phi = -Math.asin((R / L) * Math.sin(theta));
  const turning = (-(R / L) * Math.cos(theta) * rate) / Math.cos(phi);
  const x = R * Math.cos(theta) + L * Math.cos(phi);
  const crank = scene.add(Link, { ...hinge, ...rod(R, MA), coordinate: theta, rate });
  const connecting = scene.add(Link, {
    ...hinge,
    ...rod(L, MB),
    parent: crank,
    anchor: [R, 0, 0],
    coordinate: phi - theta,
    rate: turning - rate,
  });
  const slider = scene.add(Link, {
    joint: 'prismatic',
    axis: [1, 0, 0],
    mass: MC,
    coordinate: x,
    rate: -R * Math.sin(theta) * rate - L * Math.sin(phi) * turning,
  });
  scene.add(Constraint, { kind: 'connect', link: connecting, other: slider, point: [L, 0, 0] });
  return scene;
}

describe('a slider-crank', () => {
  it('moves as its one coordinate does', async () => {
    const [start, seconds] = [[0.8, 4] as const, 0.5];
    const exact = moves(SLIDER_CRANK, start, G, seconds, 1000);
    const errors: number[] = [];
    for (const substeps of [1000, 2000]) {
      const { q } = await run(sliderCrank(...start), seconds, substeps);
      const [theta, , x] = q;
      expect(x).toBeCloseTo(SLIDER_CRANK.at(theta)[2].x, 5);
      errors.push(theta - exact.coordinate);
    }
    expect(Math.abs(errors[0])).toBeLessThan(0.02);
    expect(Math.abs(2 * errors[1] - errors[0])).toBeLessThan(0.05 * Math.abs(errors[0]));
  });
});

describe('a parallelogram', () => {
  // Its coupler does not turn: with cranks of length a it moves as one pendulum of inertia 2 m a^2 / 3 + m2 a^2 does,
  // whose weight acts at (m a + m2 a) / (2 m + m2).
  it('swings as the one pendulum that it amounts to, substep by substep', async () => {
    const [theta, wide] = [-0.9, 0.5];
    const hinge = { joint: 'revolute', axis: [0, 0, 1] } as const;
    const scene = createScene([articulated()]);
    scene.add(Gravity, { acceleration: [0, -G, 0] });
    const left = scene.add(Link, { ...hinge, ...rod(A, MA), coordinate: theta });
    const right = scene.add(Link, { ...hinge, ...rod(A, MA), anchor: [wide, 0, 0], coordinate: theta });
    const across = scene.add(Link, { ...hinge, ...rod(wide, MB), parent: left, anchor: [A, 0, 0], coordinate: -theta });
    scene.add(Constraint, { kind: 'connect', link: across, other: right, point: [wide, 0, 0], otherPoint: [A, 0, 0] });
    const alone = createScene([articulated()]);
    alone.add(Gravity, { acceleration: [0, -G, 0] });
    const mass = 2 * MA + MB;
    const centre = ((MA + MB) * A) / mass;
    const inertia = (2 / 3) * MA * A ** 2 + MB * A ** 2 - mass * centre ** 2;
    alone.add(Link, {
      ...hinge,
      mass,
      centre: [centre, 0, 0],
      inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia],
      coordinate: theta,
    });
    const [both, one] = [await run(scene, 1, 1000), await run(alone, 1, 1000)];
    // Rounding, and what a spring of stiffness 1 / (R T^2) gives.
    expect(both.q[0]).toBeCloseTo(one.q[0], 6);
    expect(both.q[1]).toBeCloseTo(both.q[0], 7);
    expect(both.q[2]).toBeCloseTo(-both.q[0], 7);
  });
});

describe('coupled gears', () => {
  // theta_2 = n theta_1 + c: theta_1 feels I_1 + n^2 I_2, and the torque tau_1 + n tau_2.
  const wheel = (scene: Scene, inertia: number, more: object) =>
    scene.add(Link, {
      joint: 'revolute',
      axis: [0, 0, 1],
      mass: 1,
      inertia: [inertia, 0, 0, 0, inertia, 0, 0, 0, inertia],
      ...more,
    });

  it('feel each other by the square of their ratio, exactly', async () => {
    const [n, c, i1, i2, tau1, tau2, seconds] = [-2.5, 0.3, 0.02, 0.003, 0.04, 0.01, 0.5];
    const scene = createScene([articulated()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const driver = wheel(scene, i1, { drive: tau1, rate: 0.7 });
    const driven = wheel(scene, i2, { drive: tau2, anchor: [1, 0, 0], coordinate: c, rate: 0.7 * n });
    scene.add(Constraint, { kind: 'gear', link: driven, other: driver, ratio: n, offset: c });
    const { q, v } = await run(scene, seconds, 1000);
    const acceleration = (tau1 + n * tau2) / (i1 + n * n * i2);
    expect(v[0]).toBeCloseTo(0.7 + acceleration * seconds, 5);
    expect(v[1]).toBeCloseTo(n * v[0], 8);
    expect(q[1]).toBeCloseTo(n * q[0] + c, 8);
  });
  it('of which one has a dry friction that the other turns against move by what is left', async () => {
    const [n, i1, i2, rub, tau, seconds] = [3, 0.02, 0.003, 0.05, 0.4, 0.5];
    const scene = createScene([articulated({ implicitJoints: true })]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const driver = wheel(scene, i1, { drive: tau });
    const driven = wheel(scene, i2, { dryFriction: rub, anchor: [1, 0, 0] });
    const held = wheel(scene, i1, { drive: 0.9 * n * rub, anchor: [2, 0, 0] });
    const holding = wheel(scene, i2, { dryFriction: rub, anchor: [3, 0, 0] });
    scene.add(Constraint, { kind: 'gear', link: driven, other: driver, ratio: n });
    scene.add(Constraint, { kind: 'gear', link: holding, other: held, ratio: n });
    const { v } = await run(scene, seconds, 1000);
    expect(v[0]).toBeCloseTo(((tau - n * rub) / (i1 + n * n * i2)) * seconds, 2);
    // Held: it creeps below the rate tau dt / (100 I).
    expect(Math.abs(v[2])).toBeLessThan((0.9 * n * rub * 1e-3) / (100 * i2));
  });
});
