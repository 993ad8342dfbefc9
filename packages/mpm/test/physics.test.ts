import { HalfSpace } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { Gravity } from '@gradsim/dynamics';
import type { MpmOptions, PointComponent } from '@gradsim/mpm';
import {
  addPoints,
  ClayPoint,
  ElasticPoint,
  LiquidPoint,
  mpm,
  pointsInBox,
  SandPoint,
  SnowPoint,
  wallOf,
} from '@gradsim/mpm';
import { describe, expect, it } from 'vitest';

/** Runs a scene, and returns positions and velocities of a material's points at each frame. */
async function framesOf(
  scene: Scene,
  of: PointComponent,
  run: { frames: number; frameRate: number; substeps: number },
) {
  const device = cpuDevice();
  const record = [of.position, of.velocity];
  const simulation = await createSimulation(buildModel(scene), { device, ...run, record });
  simulation.forward();
  const [positions, velocities] = await Promise.all(record.map((field) => simulation.readFrames(field)));
  const strain = await simulation.read(of.strain);
  simulation.dispose();
  device.dispose();
  const size = positions.length / run.frames;
  const frames = (all: ArrayLike<number>) => {
    const list = Float64Array.from(all);
    return Array.from({ length: run.frames }, (_, k) => Array.from(list.subarray(k * size, (k + 1) * size)));
  };
  return { positions: frames(positions), velocities: frames(velocities), strain };
}
/** Component c of a list of x, y, z. */
const component = (xyz: ArrayLike<number>, c: number): number[] => Array.from(xyz).filter((_, k) => k % 3 === c);

function weightless(options: MpmOptions): Scene {
  const scene = createScene([mpm(options)]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return scene;
}
/** Strain of a liquid under a pressure, by p = K/7 (J^-7 - 1). */
const underPressure = (p: number, K: number): number[] => [((7 * p) / K + 1) ** (-1 / 7) - 1, 0, 0, 0, 0, 0, 0, 0, 0];

describe('material points', () => {
  // A bar that is free at both ends and cannot get thinner swings in its first mode, v = cos(pi x / l) cos(w t), at
  // w = pi c / l with c^2 = (L + 2 G) / density = E (1 - nu) / ((1 + nu) (1 - 2 nu)) / density. The grid is
  // 0.2 % too slow with 24 cells.
  it('swing along an elastic bar at its frequency', async () => {
    const [cells, E, nu, density] = [24, 1e6, 0.3, 1000];
    const h = 1 / cells;
    const c = Math.sqrt((E * (1 - nu)) / ((1 + nu) * (1 - 2 * nu) * density));
    const scene = weightless({ size: [cells + 8, 4], spacing: h, origin: [-4 * h, 0], periodic: [false, true] });
    const box = pointsInBox({ from: [0, 0, 0], to: [1, 4 * h, 0], spacing: h / 2 });
    const mode = component(box.positions, 0).map((x) => Math.cos(Math.PI * x));
    const velocity = mode.flatMap((v) => [1e-2 * v, 0, 0]);
    addPoints(scene, ElasticPoint, { ...box, velocity, density, youngsModulus: E, poissonRatio: nu });
    const frameRate = 40 * c;
    const { velocities } = await framesOf(scene, ElasticPoint, { frames: 90, frameRate, substeps: 2 });
    const swing = velocities.map((v) => component(v, 0).reduce((sum, x, k) => sum + x * mode[k], 0));
    const first = swing.findIndex((s) => s <= 0);
    const quarter = first - swing[first] / (swing[first] - swing[first - 1]);
    // Semi-implicit steps are half a substep late.
    expect(Math.abs((quarter - 0.25) / 20 - 1)).toBeLessThan(0.005);
    // After a period it swings as before.
    expect(swing[80] / swing[0]).toBeGreaterThan(0.98);
  });

  // Shear wave of a viscous liquid: v = sin(k y) exp(-nu k^2 t). The grid adds some viscosity of its own, which falls
  // with the fourth power of h k.
  it('damp a shear wave by viscosity', async () => {
    const [cells, density, viscosity, seconds] = [24, 1000, 80, 0.25];
    const h = 1 / cells;
    const scene = weightless({ size: [4, cells], spacing: h, periodic: [true, true] });
    const box = pointsInBox({ from: [0, 0, 0], to: [4 * h, 1, 0], spacing: h / 2 });
    const k = 2 * Math.PI;
    const y = component(box.positions, 1);
    const velocity = y.flatMap((y) => [0.1 * Math.sin(k * y), 0, 0]);
    const velocityGradient = y.flatMap((y) => [0, 0.1 * k * Math.cos(k * y), 0, 0, 0, 0, 0, 0, 0]);
    addPoints(scene, LiquidPoint, { ...box, velocity, velocityGradient, density, viscosity, bulkModulus: 1e4 });
    const run = { frames: 2, frameRate: 1 / seconds, substeps: 80 };
    const { velocities } = await framesOf(scene, LiquidPoint, run);
    const wave = velocities.map((v) => component(v, 0).reduce((sum, x, i) => sum + x * Math.sin(k * y[i]), 0));
    const rate = Math.log(wave[0] / wave[1]) / seconds;
    expect(Math.abs(rate / ((viscosity / density) * k * k) - 1)).toBeLessThan(0.03);
  });

  // At rest the pressure is density g (height - y). Two rows of points at the floor and at the surface see a grid that
  // is not full, so they are left out.
  it('stay at rest under their weight, a liquid', async () => {
    const [cells, density, K, g] = [16, 1000, 1e6, 9.81];
    const h = 1 / cells;
    const scene = createScene([
      mpm({ size: [4, cells + 8], spacing: h, origin: [0, -4 * h], periodic: [true, false] }),
    ]);
    scene.add(HalfSpace, {});
    const box = pointsInBox({ from: [0, 0, 0], to: [4 * h, 1, 0], spacing: h / 2 });
    const pressure = component(box.positions, 1).map((y) => density * g * (1 - y));
    addPoints(scene, LiquidPoint, {
      ...box,
      strain: pressure.flatMap((p) => underPressure(p, K)),
      density,
      bulkModulus: K,
    });
    const { velocities, strain } = await framesOf(scene, LiquidPoint, { frames: 2, frameRate: 5, substeps: 600 });
    // The speed of sound is 32 m/s; without pressure it would fall at 2 m/s by now.
    expect(Math.max(...velocities[1].map(Math.abs))).toBeLessThan(0.02);
    const rows = 2 * cells;
    pressure.forEach((p, i) => {
      const row = i % rows;
      if (row < 2 || row >= rows - 2) return;
      const found = (K / 7) * ((1 + strain[9 * i]) ** -7 - 1);
      expect(Math.abs(found - p)).toBeLessThan(0.03 * density * g);
    });
  });

  // Shallow water behind a dam of height H that is gone at once: 8/27 sqrt(g) H^(3/2) m^2 a second flow past where the
  // dam was, and the front moves at 2 sqrt(g H). Source: A. Ritter, Die Fortpflanzung der Wasserwellen, 1892. Water that
  // is not shallow needs about sqrt(H / g) to begin with.
  it('flow like the water of a broken dam', async () => {
    const [cells, density, g] = [8, 1000, 10];
    const h = 1 / cells;
    const K = 100 * density * g;
    const scene = createScene([mpm({ size: [12 * cells, 2 * cells + 8], spacing: h, origin: [-5, -4 * h] })]);
    scene.add(Gravity, { acceleration: [0, -g, 0] });
    scene.add(HalfSpace, {});
    scene.add(HalfSpace, { normal: [1, 0, 0], offset: -4 });
    const box = pointsInBox({ from: [-4, 0, 0], to: [0, 1, 0], spacing: h / 2 });
    const strain = component(box.positions, 1).flatMap((y) => underPressure(density * g * (1 - y), K));
    addPoints(scene, LiquidPoint, { ...box, strain, density, bulkModulus: K });
    // Frames at 0, 1, 2 and 3 sqrt(H / g).
    const run = { frames: 4, frameRate: Math.sqrt(g), substeps: 24 * cells };
    const { positions } = await framesOf(scene, LiquidPoint, run);
    const past = positions.map((p) => component(p, 0).filter((x) => x > 0).length * box.volume);
    expect(Math.abs((past[3] - past[1]) / 2 / (8 / 27) - 1)).toBeLessThan(0.08);
    const front = positions.map((p) => Math.max(...component(p, 0)));
    expect(Math.abs((front[3] - front[2]) / 2 - 1)).toBeLessThan(0.08);
  });

  // Sand on a slope shears where it yields: friction mu = 2 sqrt(3) sin(phi) / (3 - sin(phi)) between layers, which is
  // alpha (3 L + 2 G) (-tr e) = |2 G dev(e)| for equal normal stresses. So it rests on slopes up to tan(slope) = mu, and
  // above slides by g (sin(slope) - mu cos(slope)).
  it.each([0.45, 0.7, 0.85])('hold sand on a slope of %s rad, or let it slide', async (slope) => {
    const [cells, density, E, nu, g, frictionAngle] = [8, 1600, 1e7, 0.2, 9.81, 0.5];
    const h = 1 / cells;
    const scene = createScene([
      mpm({ size: [4, cells + 8], spacing: h, origin: [0, -4 * h], periodic: [true, false] }),
    ]);
    scene.add(Gravity, { acceleration: [g * Math.sin(slope), -g * Math.cos(slope), 0] });
    const floor = scene.add(HalfSpace, {});
    scene.attach(floor, wallOf(HalfSpace), { grip: 'stick' });
    const box = pointsInBox({ from: [0, 0, 0], to: [4 * h, 1, 0], spacing: h / 2 });
    const strain = component(box.positions, 1).flatMap((y) => {
      const third = (-density * g * Math.cos(slope) * (1 - y) * (1 - 2 * nu)) / E;
      return [third, 0, 0, 0, third, 0, 0, 0, third];
    });
    addPoints(scene, SandPoint, { ...box, strain, density, youngsModulus: E, poissonRatio: nu, frictionAngle });
    const { velocities } = await framesOf(scene, SandPoint, { frames: 4, frameRate: 5, substeps: 200 });
    // Points well above the floor, along the slope.
    const speeds = velocities.map((v) => {
      const along = component(v, 0).filter((_, k) => k % (2 * cells) >= cells);
      return along.reduce((sum, x) => sum + x, 0) / along.length;
    });
    const mu = (2 * Math.sqrt(3) * Math.sin(frictionAngle)) / (3 - Math.sin(frictionAngle));
    const expected = Math.max(0, g * (Math.sin(slope) - mu * Math.cos(slope)));
    expect(Math.abs((speeds[3] - speeds[1]) / 0.4 - expected)).toBeLessThan(0.02 * g);
  });

  // A block of clay that shears at a constant rate: shear stress G gamma, up to yieldStress / sqrt(3).
  it('yield at the shear stress of von Mises, clay', async () => {
    const [E, nu, yieldStress, rate] = [1e5, 0.25, 2e3, 0.5];
    const G = E / (2 * (1 + nu));
    const shear = async (gamma: number): Promise<number[]> => {
      const h = 1 / 8;
      const scene = weightless({ size: [8, 16], spacing: h, origin: [0, -4 * h], periodic: [true, false] });
      const box = pointsInBox({ from: [0, 0, 0], to: [1, 1, 0], spacing: h / 2 });
      const velocity = component(box.positions, 1).flatMap((y) => [rate * (y - 0.5), 0, 0]);
      const velocityGradient = [0, rate, 0, 0, 0, 0, 0, 0, 0];
      // So heavy that no force slows it down.
      const columns = { density: 1e9, youngsModulus: E, poissonRatio: nu, yieldStress };
      addPoints(scene, ClayPoint, { ...box, velocity, velocityGradient, ...columns });
      const { strain } = await framesOf(scene, ClayPoint, { frames: 2, frameRate: rate / gamma, substeps: 100 });
      // Point 120 of 256 is in the middle.
      return Array.from(strain).slice(9 * 120, 9 * 121);
    };
    const [, before] = await shear(0.02);
    expect(before / 0.01).toBeCloseTo(1, 2);
    const after = await shear(0.3);
    const size = Math.hypot(...after);
    expect((2 * G * size) / (Math.sqrt(2 / 3) * yieldStress)).toBeCloseTo(1, 3);
    expect((2 * G * after[1]) / (yieldStress / Math.sqrt(3))).toBeGreaterThan(0.97);
  });

  // Snow that is squeezed, or pulled, to 0.9 or 1.1 of its length along some axes, alike or not: what goes beyond the
  // critical strain is plastic.
  it.each([
    [[-0.1, -0.1, -0.1], -0.025],
    [[-0.1, 0, 0], -0.025],
    [[0, 0.1, 0.1], 0.0075],
  ])('keep the critical strain when strained by %s, snow', async (rates, critical) => {
    const h = 1 / 8;
    const scene = weightless({ size: [18, 18, 18], spacing: h, origin: [-1, -1, -1] });
    const box = pointsInBox({ from: [-0.25, -0.25, -0.25], to: [0.25, 0.25, 0.25], spacing: h / 2 });
    const velocity = Array.from(box.positions, (x, k) => rates[k % 3] * x);
    const velocityGradient = rates.flatMap((rate, k) => [0, 1, 2].map((c) => (c === k ? rate : 0)));
    // So heavy that no force changes its velocity.
    addPoints(scene, SnowPoint, { ...box, velocity, velocityGradient, density: 1e9, youngsModulus: 1e5 });
    const { strain } = await framesOf(scene, SnowPoint, { frames: 2, frameRate: 1, substeps: 50 });
    // Point 292 of 512 is at the centre.
    const own = Array.from(strain).slice(9 * 292, 9 * 293);
    const expected = rates.map((rate) => (rate === 0 ? 0 : Math.log1p(critical)));
    [0, 4, 8].forEach((entry, k) => expect(own[entry]).toBeCloseTo(expected[k], 4));
  });
});
