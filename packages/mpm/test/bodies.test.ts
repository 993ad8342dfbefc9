import { ContactBox, ContactSphere, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import { Gravity } from '@gradsim/dynamics';
import { addPoints, ElasticPoint, LiquidPoint, mpm, pointsInBox, wallOf } from '@gradsim/mpm';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import '../../../scripts/vitest/to-throw-code.ts';

const H = 1 / 16;
const round = (moment: number): number[] => [moment, 0, 0, 0, moment, 0, 0, 0, moment];

/** A ball that flies into a block of jelly, in free space or under gravity. */
function shot(g = 0) {
  const scene = createScene([rigid(), mpm({ size: [18, 14, 14], spacing: H })]);
  scene.add(Gravity, { acceleration: [0, -g, 0] });
  const ball = scene.add(Body, { mass: 0.5, inertia: round(1e-3), position: [0.3, 0.4, 0.42], velocity: [2, 0, 0.1] });
  scene.add(ContactSphere, { body: ball, radius: 0.09 });
  scene.attach(scene.add(ContactBox, { body: ball, size: [0.1, 0.16, 0.1], ke: 0 }), wallOf(ContactBox), {
    wallFriction: 0.5,
  });
  const box = pointsInBox({ from: [0.44, 0.31, 0.31], to: [0.69, 0.56, 0.56], spacing: H / 2 });
  addPoints(scene, ElasticPoint, { ...box, density: 100, youngsModulus: 2e3, viscosity: 1 });
  return scene;
}

describe('bodies and material points', () => {
  it('keep their momentum together', async () => {
    const model = buildModel(shot());
    const run = { device: f64Device(), frames: 2, frameRate: 8, substeps: 60 };
    const simulation = await createSimulation(model, run);
    simulation.forward();
    const [v, u] = [await simulation.read(ElasticPoint.velocity), await simulation.read(Body.velocity)];
    const mass = 100 * (H / 2) ** 3;
    const volume = model.field(ElasticPoint.volume).values![0];
    expect(volume).toBeCloseTo((H / 2) ** 3, 12);
    [1, 0, 0.05].forEach((before, c) => {
      const points = v.reduce((sum, one, k) => sum + (k % 3 === c ? mass * one : 0), 0);
      expect(points + 0.5 * u[c]).toBeCloseTo(before, 12);
    });
    // They have met, and it turns.
    expect(u[0]).toBeLessThan(1.8);
    expect(Math.hypot(...(await simulation.read(Body.angularVelocity)))).toBeGreaterThan(0.01);
  });

  it('have exact derivatives', async () => {
    const { velocity, mass } = Body;
    const { youngsModulus, density, position } = ElasticPoint;
    await checkPlugin(shot(9), {
      frames: 3,
      frameRate: 16,
      substeps: 12,
      seed: 2,
      parameters: [velocity, mass, youngsModulus, density, wallOf(ContactBox).wallFriction],
      outputs: [position, Body.position, Body.velocity],
    });
  });

  // Archimedes: a box of half the density of water floats half under it. It swings for 1.2 s a time; the mean of two swings
  // is within a spacing, of which its draught has four.
  it('float', async () => {
    const [h, g, width, height] = [1 / 24, 10, 8 / 24, 8 / 24];
    const scene = createScene([rigid(), mpm({ size: [33, 33], spacing: h, origin: [-4 * h, -4 * h] })]);
    scene.add(Gravity, { acceleration: [0, -g, 0] });
    scene.add(HalfSpace, {});
    scene.add(HalfSpace, { normal: [1, 0, 0], offset: 0 });
    scene.add(HalfSpace, { normal: [-1, 0, 0], offset: -1 });
    const level = 14 * h;
    const mass = 500 * width * height;
    const float = scene.add(Body, { mass, inertia: round(mass / 50), position: [0.5, level, 0] });
    scene.add(ContactBox, { body: float, size: [width, height, 1], ke: 0 });
    const isWater = (x: number, y: number) => Math.abs(x - 0.5) > width / 2 || y < level - height / 2;
    const box = pointsInBox({ from: [0, 0], to: [1, level], spacing: h / 2, keeps: isWater });
    const K = 1e5;
    const strain = Array.from({ length: box.positions.length / 3 }, (_, k) => [
      ((7 * 1000 * g * (level - box.positions[3 * k + 1])) / K + 1) ** (-1 / 7) - 1,
      ...Array(8).fill(0),
    ]).flat();
    addPoints(scene, LiquidPoint, { ...box, strain, density: 1000, bulkModulus: K, viscosity: 5 });
    const run = { device: f64Device(), frames: 49, frameRate: 20, substeps: 24 };
    const simulation = await createSimulation(buildModel(scene), { ...run, record: [Body.position] });
    simulation.forward();
    const y = (await simulation.readFrames(Body.position)).filter((_, k) => k % 3 === 1);
    const mean = y.reduce((sum, one) => sum + one, 0) / y.length;
    expect(Math.abs(mean - level)).toBeLessThan(h);
    expect(Math.max(...y) - Math.min(...y)).toBeLessThan(2 * h);
  });

  it('refuse the shape of a body that no plugin has', () => {
    const scene = createScene([mpm({ size: [8, 8, 8], spacing: H })]);
    scene.add(ContactSphere, { body: 7 as never, radius: 0.1 });
    addPoints(scene, ElasticPoint, { positions: [0.2, 0.2, 0.2], volume: 1e-6, density: 1, youngsModulus: 1 });
    expect(() => buildModel(scene)).toThrowCode('mpm/unknown-body');
  });
});
