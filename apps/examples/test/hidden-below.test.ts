import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { checkKernel } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import { hiddenBelow, liftToGround } from '../src/scenes/hidden-below.ts';

const SEED = seedOfRun('hidden below');

it('vertices of a body below the ground are drawn at ground level, and the body moves on unchanged', async () => {
  await checkKernel(liftToGround, { seed: SEED });
  const scene = createScene([rigid(), hiddenBelow()]);
  scene.add(Body, { mesh: box({ size: [1, 1, 1] }), mass: 1, position: [0, 0.2, 0], velocity: [0, -0.3, 0] });
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device: cpuDevice({ threads: 1 }),
    frames: 2,
    frameRate: 1,
    substeps: 4,
    record: ['bodyVertices.position', 'bodies.position'],
  });
  simulation.forward();
  const vertices = await simulation.readFrames('bodyVertices.position');
  const heights = [...vertices.subarray(24)].filter((_, k) => k % 3 === 1).sort((a, b) => a - b);
  expect(heights.slice(0, 4)).toEqual([0, 0, 0, 0]);
  for (const height of heights.slice(4)) expect(height).toBeCloseTo(0.4, 6);
  expect((await simulation.readFrames('bodies.position'))[4]).toBeCloseTo(-0.1, 6);
  simulation.dispose();
});
