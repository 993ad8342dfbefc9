import { HalfSpace } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { createScene } from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import { gravity } from '@gradsim/dynamics';
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
import { describe, it } from 'vitest';

const SPACING = 0.05;
const RUN = { frames: 4, frameRate: 40, substeps: 12, seed: 1 };

/** A block that falls on a floor and slides, in two dimensions or three. */
function block(dimensions: 2 | 3, add: (scene: Scene, box: ReturnType<typeof pointsInBox>) => void): Scene {
  const size = dimensions === 2 ? ([16, 14] as const) : ([16, 14, 10] as const);
  const origin = [-0.25, -0.15, -0.15].slice(0, dimensions);
  const scene = createScene([mpm({ size, spacing: SPACING, origin })]);
  const floor = scene.add(HalfSpace, { normal: [0.2, 1, 0], offset: -0.02 });
  scene.attach(floor, wallOf(HalfSpace), { wallFriction: 0.3 });
  const z = dimensions === 2 ? [0, 0] : [-0.05, 0.05];
  add(scene, pointsInBox({ from: [0, 0, z[0]], to: [0.15, 0.1, z[1]], spacing: 0.025 }));
  return scene;
}
const SAND = { density: 1600, youngsModulus: 5e4, frictionAngle: 0.5 };
const POSE = { velocity: [0.4, -0.6, 0] };

describe('derivatives of material points', () => {
  it.each([2, 3] as const)('are exact for elastic ones in %s dimensions', async (dimensions) => {
    const scene = block(dimensions, (scene, box) =>
      addPoints(scene, ElasticPoint, { ...box, ...POSE, density: 900, youngsModulus: 3e4, viscosity: 20 }),
    );
    const { youngsModulus, poissonRatio, viscosity, density, velocity, position } = ElasticPoint;
    await checkPlugin(scene, {
      ...RUN,
      parameters: [youngsModulus, poissonRatio, viscosity, density, velocity, gravity, wallOf(HalfSpace).wallFriction],
      outputs: [position, velocity],
    });
  });

  it.each([2, 3] as const)('are exact for liquid ones in %s dimensions', async (dimensions) => {
    const scene = block(dimensions, (scene, box) =>
      addPoints(scene, LiquidPoint, { ...box, ...POSE, density: 1000, bulkModulus: 2e4, viscosity: 5 }),
    );
    const { bulkModulus, viscosity, density, velocity, position } = LiquidPoint;
    const parameters = [bulkModulus, viscosity, density, velocity, gravity];
    await checkPlugin(scene, { ...RUN, parameters, outputs: [position, velocity] });
  });

  it.each([2, 3] as const)('are exact for sand in %s dimensions', async (dimensions) => {
    const scene = block(dimensions, (scene, box) =>
      // Pressed a little: without stress sand is at the tip of its yield surface, where what it does has a kink.
      addPoints(scene, SandPoint, { ...box, ...POSE, ...SAND, strain: [-2e-3, 0, 0, 0, -2e-3, 0, 0, 0, -2e-3] }),
    );
    const { youngsModulus, poissonRatio, frictionAngle, density, velocity, position } = SandPoint;
    const parameters = [youngsModulus, poissonRatio, frictionAngle, density, velocity, gravity];
    await checkPlugin(scene, { ...RUN, parameters, outputs: [position, velocity] });
  });

  it.each([2, 3] as const)('are exact for clay in %s dimensions', async (dimensions) => {
    const scene = block(dimensions, (scene, box) =>
      addPoints(scene, ClayPoint, { ...box, ...POSE, density: 1500, youngsModulus: 5e4, yieldStress: 1e3 }),
    );
    const { youngsModulus, poissonRatio, yieldStress, density, velocity, position } = ClayPoint;
    const parameters = [youngsModulus, poissonRatio, yieldStress, density, velocity, gravity];
    await checkPlugin(scene, { ...RUN, parameters, outputs: [position, velocity] });
  });

  it.each([2, 3] as const)('are exact for snow in %s dimensions', async (dimensions) => {
    const scene = block(dimensions, (scene, box) =>
      addPoints(scene, SnowPoint, { ...box, ...POSE, density: 400, youngsModulus: 1e4, plasticVolume: -0.01 }),
    );
    const { youngsModulus, poissonRatio, hardening, plasticVolume, density, velocity, position } = SnowPoint;
    const { criticalCompression, criticalStretch } = SnowPoint;
    const parameters = [youngsModulus, poissonRatio, hardening, plasticVolume, criticalCompression, criticalStretch];
    await checkPlugin(scene, {
      ...RUN,
      parameters: [...parameters, density, velocity, gravity],
      outputs: [position, velocity, plasticVolume],
    });
  });
});
