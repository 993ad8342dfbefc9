import { ContactBox, ContactSphere } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { Body } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';
import { emptyScene, throwBody } from './scenes.ts';

const material = { ke: 20_000, kd: 5, kf: 5, mu: 0.5 };

/** Creates a scene of six bodies in a row between two walls; the outer two move inwards and compress the row. */
function row(shape: 'box' | 'sphere'): Scene {
  const scene = emptyScene([0, 0, 0], { maxSpeed: 1000, refresh: 1 });
  for (let k = 0; k < 6; k++) {
    const position = [0.2 * k, 0.001 * k, 0];
    const velocity = [k === 0 ? 0.2 : k === 5 ? -0.2 : 0, 0, 0];
    if (shape === 'box') throwBody(scene, { shape, size: [0.2, 0.2, 0.2], position, velocity }, material);
    else {
      const mesh = icosphere({ radius: 0.1, subdivisions: 1 });
      const body = scene.add(Body, {
        mesh,
        mass: 1,
        position: position as never,
        velocity: velocity as never,
      });
      scene.add(ContactSphere, { body, radius: 0.1, ...material });
    }
  }
  // Walls on both sides keep them in contact.
  for (const x of [-0.2, 1.2]) scene.add(ContactBox, { position: [x, 0, 0], size: [0.2, 1, 1], ...material });
  return scene;
}

/**
 * Returns the largest velocity component of a body after a second, m/s, with substeps of `share` times the largest
 * stable one.
 */
async function fastest(scene: Scene, share: number): Promise<number> {
  const model = buildModel(scene);
  const options = { device: cpuDevice(), frames: 2, onWarning: () => {} };
  const asked = await createSimulation(model, { ...options, frameRate: 1, substeps: 1000 });
  const { dt } = await asked.stableStep();
  asked.dispose();
  const simulation = await createSimulation(model, {
    ...options,
    frameRate: 1,
    substeps: Math.ceil(1 / (share * dt)),
  });
  simulation.forward();
  const v = await simulation.read('bodies.velocity').catch(() => [1e9]);
  simulation.dispose();
  return Math.max(...Array.from(v, Math.abs));
}

describe('the largest stable substep of bodies between others', () => {
  for (const shape of ['box', 'sphere'] as const)
    it(`keeps a row of ${shape === 'box' ? 'boxes' : 'balls'} bounded with 0.98 of it, and not with 4 times it`, async () => {
      const speeds = await Promise.all([0.98, 4].map((share) => fastest(row(shape), share)));
      console.info(shape, speeds);
      expect(speeds[0]).toBeLessThan(0.4);
      expect(speeds[1]).toBeGreaterThan(0.5);
    });
});
