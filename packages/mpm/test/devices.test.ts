import { HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, webgpuDevice } from '@gradsim/core';
import { checkDevices } from '@gradsim/core/testing';
import { addPoints, ClayPoint, ElasticPoint, LiquidPoint, mpm, pointsInBox, SandPoint, SnowPoint } from '@gradsim/mpm';
import { describe, it } from 'vitest';
import { missingAdapter } from '../../kernel/test/webgpu-adapter.ts';

if (missingAdapter) console.warn(`SKIPPED, NOT TESTED: material points on WebGPU. ${missingAdapter}`);

describe('material points on WebGPU', () => {
  it.skipIf(missingAdapter !== null)('agree with doubles, all materials in one scene', async () => {
    const scene = createScene([mpm({ size: [20, 14], spacing: 0.05, origin: [-0.4, -0.15] })]);
    scene.add(HalfSpace, { normal: [0.1, 1, 0] });
    const block = (x: number) => ({
      ...pointsInBox({ from: [x, 0.05], to: [x + 0.05, 0.15], spacing: 0.025 }),
      density: 1000,
      velocity: [0.2, -0.5, 0],
    });
    const elastic = { youngsModulus: 3e4, poissonRatio: 0.25 };
    addPoints(scene, ElasticPoint, { ...block(-0.2), ...elastic });
    addPoints(scene, LiquidPoint, { ...block(-0.125), bulkModulus: 2e4, viscosity: 1 });
    const pressed = [-1e-3, 0, 0, 0, -1e-3, 0, 0, 0, -1e-3];
    addPoints(scene, SandPoint, { ...block(-0.05), ...elastic, frictionAngle: 0.5, strain: pressed });
    addPoints(scene, ClayPoint, { ...block(0.025), ...elastic, yieldStress: 500 });
    addPoints(scene, SnowPoint, { ...block(0.1), ...elastic });
    const kinds = [ElasticPoint, LiquidPoint, SandPoint, ClayPoint, SnowPoint];
    const device = await webgpuDevice({ allowSoftware: true });
    await checkDevices(buildModel(scene), {
      frames: 3,
      frameRate: 50,
      substeps: 8,
      seed: 3,
      devices: [device],
      parameters: kinds.map(({ velocity }) => velocity),
      outputs: kinds.map(({ position }) => position),
    });
    device.dispose();
  });
});
