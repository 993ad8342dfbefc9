import type { Device } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { estimate } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import type { Bits } from './bits.ts';
import { bitsOf } from './bits.ts';

const TIMELINE = { frames: 10, frameRate: 30, substeps: 4 };

/** Estimates the velocity with which a point was thrown from its observed position in each frame. */
export async function estimateThrow(device: Device): Promise<Bits> {
  const target = await observedPositions(device, [1.5, 3, -0.5]);
  const { parameters } = await estimate(
    {
      model: thrown([0, 1, 0]),
      ...TIMELINE,
      parameters: ['x', 'y', 'z'].map((name, component) => ({
        name,
        field: 'particles.velocity',
        component,
        initial: component === 1 ? 1 : 0,
        range: [-5, 5] as const,
      })),
      observations: [{ field: 'particles.position', target }],
      options: { search: { method: 'adam', iterations: 5 } },
    },
    { device },
  );
  return { estimate: bitsOf(['x', 'y', 'z'].map((name) => parameters[name].estimate)) };
}

function thrown(velocity: readonly number[]) {
  const scene = createScene([particles()]);
  scene.add(Particle, { position: [0, 1, 0], mass: 0.1, velocity });
  return buildModel(scene);
}

async function observedPositions(device: Device, velocity: readonly number[]): Promise<Float64Array> {
  const simulation = await createSimulation(thrown(velocity), {
    device,
    ...TIMELINE,
    record: ['particles.position'],
  });
  simulation.forward();
  const positions = await simulation.readFrames('particles.position');
  simulation.dispose();
  return positions;
}
