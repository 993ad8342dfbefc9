import { HalfSpace, impactOf, impacts } from '@gradsim/contact';
import type { Device, Simulation } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

const G = 9.81;
type V3 = readonly [number, number, number];

const add = (a: readonly number[], b: readonly number[], s = 1): V3 =>
  [0, 1, 2].map((k) => a[k] + s * b[k]) as unknown as V3;
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, c, k) => sum + c * b[k], 0);
const cross = (a: readonly number[], b: readonly number[]): V3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** Rotates a vector by `seconds` of the angular velocity `rate` (rad/s), by Rodrigues' formula. */
function turned(v: V3, rate: V3, seconds: number): V3 {
  const speed = Math.hypot(...rate);
  if (speed === 0) return v;
  const axis = add([0, 0, 0], rate, 1 / speed);
  const [s, c] = [Math.sin(speed * seconds), Math.cos(speed * seconds)];
  const along = dot(axis, v) * (1 - c);
  return add(add(add([0, 0, 0], v, c), cross(axis, v), s), axis, along);
}

interface Throw {
  readonly size: V3;
  readonly position: V3;
  readonly velocity: V3;
  readonly spin?: V3;
  readonly orientation?: readonly number[];
  readonly restitution: number;
  readonly mu: number;
}

interface Run {
  readonly frames: number;
  readonly frameRate: number;
  readonly substeps: number;
  readonly device?: Device;
  readonly parameters?: readonly string[];
}

async function thrown(toss: Throw, { device = f64Device(), ...run }: Run): Promise<Simulation> {
  const { size, position, velocity, spin = [0, 0, 0], orientation = [0, 0, 0, 1], restitution, mu } = toss;
  const scene = createScene([rigid(), impacts()]);
  const body = scene.add(Body, {
    mesh: box({ size: [...size] }),
    mass: 0.7,
    position,
    orientation,
    angularVelocity: spin,
    // Velocities are at half a substep before.
    velocity: add(velocity, [0, G / run.frameRate / run.substeps / 2, 0]),
  });
  scene.attach(body, impactOf(Body), { restitution, mu });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, -G, 0] });
  const record = ['bodies.position', 'bodies.angularVelocity', 'bodies.velocity', 'bodies.orientation'];
  const simulation = await createSimulation(buildModel(scene), {
    device,
    ...run,
    record,
    ...(run.parameters ? { outputs: ['bodies.position', 'bodies.orientation'] } : {}),
  });
  simulation.forward();
  return simulation;
}

async function last(simulation: Simulation, field: string, components = 3): Promise<number[]> {
  const all = await simulation.readFrames(field);
  return [...all.slice(all.length - components)];
}

/** Edge length of the cube, m. */
const SIDE = 0.1;
/** Inertia over mass of the cube, m^2: isotropic, so that its spin is constant in flight. */
const GYRATION = SIDE ** 2 / 6;

const solved = (rows: readonly V3[], v: V3): V3 => {
  const [a, b, c] = rows;
  const det = dot(a, cross(b, c));
  return add(add(add([0, 0, 0], cross(b, c), v[0] / det), cross(c, a), v[1] / det), cross(a, b), v[2] / det);
};

/**
 * Impulse over mass on a corner of velocity u, in parts, each with a friction against the mean of the slip before and after, which is
 * that of a resistance s to this slip, by halving; and whether it sticks in the end.
 */
function blow(K: readonly V3[], start: V3, { mu, restitution }: Throw, parts: number): { j: V3; sticks: boolean } {
  let [u, j, sticks]: [V3, V3, boolean] = [start, [0, 0, 0], false];
  const gained = (-(1 + restitution) * u[1]) / parts;
  for (let part = 0; part < parts; part++) {
    const at = (s: number, share = 0.5): V3 => {
      const [x, , z] = [0, 1, 2].map((k) => add([0, 0, 0], K[k], share));
      return solved([add(x, [s, 0, 0]), K[1], add(z, [0, 0, s])], [-u[0], gained, -u[2]]);
    };
    const excess = (own: V3): number => Math.hypot(own[0], own[2]) - mu * own[1];
    let own = at(0, 1);
    sticks = excess(own) <= 0;
    if (!sticks) {
      let [low, high] = [1e-9, 1e9];
      for (let k = 0; k < 200; k++) {
        const middle = Math.sqrt(low * high);
        if (excess(at(middle)) > 0) low = middle;
        else high = middle;
      }
      own = at(high);
    }
    j = add(j, own);
    u = add(u, [dot(K[0], own), dot(K[1], own), dot(K[2], own)]);
  }
  return { j, sticks };
}

/**
 * Closed-form motion of a cube that hits y = 0 once, with one corner, its blow in so many parts: position, spin and first axis at a
 * later time, and whether the corner sticks.
 */
function struck(toss: Throw, time: number, parts = 32) {
  const spin = toss.spin!;
  const corners = [-1, 1].flatMap((x) =>
    [-1, 1].flatMap((y) => [-1, 1].map((z): V3 => [(x * SIDE) / 2, (y * SIDE) / 2, (z * SIDE) / 2])),
  );
  const placeAt = (t: number): V3 => add(add(toss.position, toss.velocity, t), [0, (-G * t * t) / 2, 0]);
  const heightAt = (corner: V3, t: number): number => placeAt(t)[1] + turned(corner, spin, t)[1];
  const impactOfCorner = (corner: V3): number => {
    let [early, late] = [0, time];
    if (heightAt(corner, late) > 0) return Number.POSITIVE_INFINITY;
    for (let k = 0; k < 80; k++) {
      const middle = (early + late) / 2;
      if (heightAt(corner, middle) > 0) early = middle;
      else late = middle;
    }
    return early;
  };
  const impacts = corners.map(impactOfCorner);
  const at = Math.min(...impacts);
  const arm = turned(corners[impacts.indexOf(at)], spin, at);
  const before = add(toss.velocity, [0, -G * at, 0]);
  const u = add(before, cross(spin, arm));
  // u' = K j with K = 1 + (r^2 - r r^T) / k, the same backwards and forwards.
  const give = (v: V3): V3 => add(add([0, 0, 0], v, 1 + dot(arm, arm) / GYRATION), arm, -dot(arm, v) / GYRATION);
  const { j, sticks } = blow([give([1, 0, 0]), give([0, 1, 0]), give([0, 0, 1])], u, toss, parts);
  const [velocity, after] = [add(before, j), add(spin, cross(arm, j), 1 / GYRATION)];
  const left = time - at;
  return {
    sticks,
    blow: j,
    position: add(add(placeAt(at), velocity, left), [0, (-G * left * left) / 2, 0]),
    spin: after,
    axis: turned(turned([1, 0, 0], spin, at), after, left),
  };
}

/** Returns a body's first axis in world axes, given its orientation. */
const axisOf = ([x, y, z, w]: readonly number[]): V3 => [
  1 - 2 * (y * y + z * z),
  2 * (x * y + z * w),
  2 * (x * z - y * w),
];

describe('a box that hits the ground with its corners', () => {
  const cube: Throw = {
    size: [SIDE, SIDE, SIDE],
    position: [0, 0.3, 0],
    velocity: [0.9, 0.2, -0.4],
    spin: [2.1, 1.2, -3.4],
    restitution: 0.45,
    mu: 0.25,
  };

  // Flight, one impact at its own time, flight: all of second order in the substep.
  it.each([
    ['slides', 0.03, 2.5, false],
    ['sticks', 1.2, 0.9, true],
  ])('moves as after a rigid impact at a corner that %s', async (_, mu, speed, sticks) => {
    const toss: Throw = { ...cube, mu, velocity: [speed, 0.2, -0.4] };
    const [frames, frameRate] = [10, 30];
    const expected = struck(toss, (frames - 1) / frameRate);
    expect(expected.sticks).toBe(sticks);
    const errors: number[] = [];
    for (const substeps of [20, 40, 80]) {
      const run = await thrown(toss, { frames, frameRate, substeps });
      const [position, spin, orientation] = [
        await last(run, 'bodies.position'),
        await last(run, 'bodies.angularVelocity'),
        await last(run, 'bodies.orientation', 4),
      ];
      const off = [
        ...add(position, expected.position, -1),
        ...add(axisOf(orientation), expected.axis, -1).map((c) => c * SIDE),
        ...add(spin, expected.spin, -1).map((c) => c * SIDE),
      ];
      errors.push(Math.hypot(...off));
    }
    expect(errors[2]).toBeLessThan(2e-5);
    expect(errors[2]).toBeLessThan(errors[0] / 8);
  });

  it('has a blow within 0.1 % of that of friction which turns with the slip all the time', () => {
    for (const [mu, speed] of [
      [0.03, 2.5],
      [0.3, 0.9],
      [0.3, 0],
      [0.6, -0.9],
      [1.2, 0.9],
    ]) {
      const toss: Throw = { ...cube, mu, velocity: [speed, 0.2, -0.4] };
      const [taken, all] = [struck(toss, 0.3).blow, struck(toss, 0.3, 1000).blow];
      expect(Math.hypot(...add(taken, all, -1)) / Math.hypot(...all)).toBeLessThan(0.001);
    }
  });

  it('turns smoothly with its slip, through none', async () => {
    const toss: Throw = { ...cube, spin: [0, 0, 0], orientation: [0.3, 0.1, 0.2, 0.927], restitution: 0.4 };
    const at = { frames: 9, frameRate: 30, substeps: 32 };
    const xOf = async (speed: number): Promise<number> =>
      (await last(await thrown({ ...toss, velocity: [speed, 0, 0] }, at), 'bodies.position'))[0];
    const run = await thrown({ ...toss, velocity: [0, 0, 0] }, { ...at, parameters: ['bodies.velocity'] });
    const seeds = new Float64Array(3 * at.frames);
    seeds[3 * (at.frames - 1)] = 1;
    run.backward({ 'bodies.position': seeds });
    const [byX] = await run.gradient('bodies.velocity');
    const expected = ((await xOf(1e-4)) - (await xOf(-1e-4))) / 2e-4;
    expect(Math.abs(expected)).toBeLessThan(1);
    expect(byX / expected).toBeCloseTo(1, 3);
  });

  it('comes to rest on a face, and stays there', async () => {
    const run = await thrown(
      { ...cube, size: [0.2, 0.1, 0.15], spin: [0.3, 0.1, 0.2], mu: 0.6, restitution: 0.3 },
      { frames: 61, frameRate: 30, substeps: 64 },
    );
    const heights = await run.readFrames('bodies.position');
    const speeds = await run.readFrames('bodies.velocity');
    for (let k = 45; k < 61; k++) {
      expect(Math.abs(heights[3 * k + 1] - 0.05)).toBeLessThan(1e-4);
      // Change by gravity in a substep.
      expect(Math.hypot(...speeds.slice(3 * k, 3 * k + 3))).toBeLessThan((1.5 * G) / 30 / 64);
    }
  });

  it('that slides on its face at speed v stops after v^2 / (2 mu g)', async () => {
    const [speed, mu] = [1.1, 0.35];
    const start = { ...cube, spin: [0, 0, 0] as V3, size: [0.2, 0.06, 0.2] as V3, mu, restitution: 0.1 };
    const run = await thrown(
      { ...start, position: [0, 0.03, 0], velocity: [speed, 0, 0] },
      { frames: 31, frameRate: 30, substeps: 64 },
    );
    const [x, , z] = await last(run, 'bodies.position');
    expect(x / (speed ** 2 / 2 / mu / G)).toBeCloseTo(1, 2);
    expect(Math.abs(z)).toBeLessThan(1e-3);
  });

  it('has derivatives by restitution and mu through several impacts that agree with central differences', async () => {
    const toss: Throw = { ...cube, size: [0.18, 0.1, 0.06], position: [0, 0.25, 0] };
    const at = { frames: 14, frameRate: 30, substeps: 32 };
    const seen = async (restitution: number, mu: number): Promise<number> => {
      const run = await thrown({ ...toss, restitution, mu }, at);
      return dot(await last(run, 'bodies.position'), [1, -2, 0.5]);
    };
    const run = await thrown(toss, { ...at, parameters: ['bodies.restitution', 'bodies.mu'] });
    const seeds = new Float64Array(3 * at.frames);
    seeds.set([1, -2, 0.5], 3 * (at.frames - 1));
    run.backward({ 'bodies.position': seeds });
    const step = 1e-6;
    const { restitution: e, mu } = toss;
    const byE = ((await seen(e + step, mu)) - (await seen(e - step, mu))) / 2 / step;
    const byMu = ((await seen(e, mu + step)) - (await seen(e, mu - step))) / 2 / step;
    const [gradE] = await run.gradient('bodies.restitution');
    const [gradMu] = await run.gradient('bodies.mu');
    expect(Math.abs(byE)).toBeGreaterThan(1e-2);
    expect(Math.abs(byMu)).toBeGreaterThan(1e-3);
    expect(gradE / byE).toBeCloseTo(1, 5);
    expect(gradMu / byMu).toBeCloseTo(1, 5);
    const single = await thrown(toss, { ...at, device: cpuDevice(), parameters: ['bodies.restitution'] });
    single.backward({ 'bodies.position': Float32Array.from(seeds) });
    expect((await single.gradient('bodies.restitution'))[0] / gradE).toBeCloseTo(1, 3);
  });

  it('is refused by name if it has neither a mesh nor a radius', () => {
    const scene = createScene([rigid(), impacts()]);
    const inertia = [1, 0, 0, 0, 1, 0, 0, 0, 1];
    scene.attach(scene.add(Body, { mass: 1, inertia }, 'the puck'), impactOf(Body), { restitution: 0.5 });
    scene.add(HalfSpace, {});
    expect(() => buildModel(scene)).toThrowCode({
      code: 'contact/no-vertices',
      field: 'bodies.radius',
      element: 'the puck',
      values: [0],
    });
  });
});
