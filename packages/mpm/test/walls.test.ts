import { ContactBox, ContactCapsule, ContactSphere, HalfSpace } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { Gravity } from '@gradsim/dynamics';
import type { Grip } from '@gradsim/mpm';
import { addPoints, ElasticPoint, mpm, pointsInBox, wallOf } from '@gradsim/mpm';
import { describe, expect, it } from 'vitest';

const H = 1 / 16;
const NO_BODY = { ke: 0 };

/** Runs a scene for a while, and returns positions and mean velocity. */
async function end(scene: Scene, seconds: number, substeps = 400) {
  const device = cpuDevice();
  const simulation = await createSimulation(buildModel(scene), { device, frames: 2, frameRate: 1 / seconds, substeps });
  simulation.forward();
  const [x, v] = [await simulation.read(ElasticPoint.position), await simulation.read(ElasticPoint.velocity)];
  const mean = [0, 1, 2].map((c) => (v.reduce((sum, one, k) => sum + (k % 3 === c ? one : 0), 0) * 3) / v.length);
  simulation.dispose();
  device.dispose();
  return { x, mean };
}

/** A slab on a floor, periodic along x, that moves along the floor, or away from it. */
function slab(grip: Grip | undefined, wallFriction: number, velocity: readonly number[], g: number): Scene {
  const scene = createScene([mpm({ size: [4, 16], spacing: H, origin: [0, -4 * H], periodic: [true, false] })]);
  scene.add(Gravity, { acceleration: [0, -g, 0] });
  const floor = scene.add(HalfSpace, {});
  if (grip) scene.attach(floor, wallOf(HalfSpace), { grip, wallFriction });
  const box = pointsInBox({ from: [0, 0, 0], to: [4 * H, 4 * H, 0], spacing: H / 2 });
  // Stiff enough to move as a whole, damped so that it does not ring.
  addPoints(scene, ElasticPoint, { ...box, velocity, density: 1000, youngsModulus: 1e6, viscosity: 500 });
  return scene;
}

describe('walls of material points', () => {
  it('stop what slides on them by friction: after v - mu g t, or not', async () => {
    const after = async (grip: Grip | undefined, friction: number) =>
      (await end(slab(grip, friction, [2, 0, 0], 10), 0.2)).mean[0];
    const [bare, rough, slip, stick] = await Promise.all([
      after(undefined, 0),
      after('separate', 0.4),
      after('slip', 0.4),
      after('stick', 0),
    ]);
    expect(bare).toBeCloseTo(2, 3);
    expect(slip).toBeCloseTo(2, 3);
    // 2 - 0.4 10 0.2, with a floor that presses unevenly while the slab settles.
    expect(Math.abs(rough - 1.2)).toBeLessThan(0.04);
    expect(Math.abs(stick)).toBeLessThan(0.5);
  });

  it('let go of what leaves, or hold it', async () => {
    const height = async (grip: Grip) => (await end(slab(grip, 0, [0, 1, 0], 0), 0.2)).mean[1];
    expect(await height('separate')).toBeCloseTo(1, 3);
    expect(Math.abs(await height('slip'))).toBeLessThan(0.5);
  });

  const SHAPES: [string, (scene: Scene) => void, (x: number, y: number, z: number) => number][] = [
    [
      'a sphere',
      (scene) => scene.add(ContactSphere, { position: [0.5, 0.3, 0.5], radius: 0.2, ...NO_BODY }),
      (x, y, z) => Math.hypot(x - 0.5, y - 0.3, z - 0.5) - 0.2,
    ],
    [
      'a capsule that lies along x',
      (scene) =>
        scene.add(ContactCapsule, {
          position: [0.5, 0.3, 0.5],
          orientation: [0, 0, 2, 2],
          length: 0.4,
          radius: 0.15,
          ...NO_BODY,
        }),
      (x, y, z) => Math.hypot(Math.max(Math.abs(x - 0.5) - 0.2, 0), y - 0.3, z - 0.5) - 0.15,
    ],
    [
      'a box that stands on an edge',
      (scene) =>
        scene.add(ContactBox, {
          position: [0.5, 0.3, 0.5],
          size: [0.3, 0.3, 0.6],
          orientation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)],
          ...NO_BODY,
        }),
      (x, y, z) => {
        const [u, v] = [(x - 0.5 + y - 0.3) / Math.SQRT2, (y - 0.3 - x + 0.5) / Math.SQRT2];
        return Math.max(Math.abs(u) - 0.15, Math.abs(v) - 0.15, Math.abs(z - 0.5) - 0.3);
      },
    ],
  ];
  it.each(SHAPES)('can be %s', async (_, add, distance) => {
    const scene = createScene([mpm({ size: [17, 17, 17], spacing: H })]);
    add(scene);
    const box = pointsInBox({ from: [0.4, 0.6, 0.4], to: [0.6, 0.7, 0.6], spacing: H / 2 });
    addPoints(scene, ElasticPoint, { ...box, velocity: [0, -1, 0], density: 1000, youngsModulus: 5e4 });
    const { x, mean } = await end(scene, 0.2, 120);
    const depth = Array.from({ length: x.length / 3 }, (_, k) => distance(x[3 * k], x[3 * k + 1], x[3 * k + 2]));
    // It has met the shape, and is not within by more than a spacing.
    expect(Math.min(...depth)).toBeLessThan(H);
    expect(Math.min(...depth)).toBeGreaterThan(-H);
    expect(mean[1]).toBeGreaterThan(-2);
  });

  it('refuse an unknown grip', () => {
    expect(() => buildModel(slab('glue' as Grip, 0, [0, 0, 0], 0))).toThrow(/grip.*"glue"/);
  });
});
