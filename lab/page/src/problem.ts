// What a worker of the page estimates: how a block of springs was thrown, from where its points were seen.
import type { Device, Model } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { lattice } from '@gradsim/mesh';
import { defineProblem } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { addSprings, springs } from '@gradsim/springs';

export interface ThrowSettings {
  /** Number of cells of the block along each side. */
  readonly cells: number;
  readonly substeps: number;
  readonly iterations: number;
  /** Failure to cause in the worker, `after` seconds after its start: it throws, or closes. */
  readonly mishap?: { readonly kind: 'throws' | 'closes'; readonly after: number };
}

const TRUTH = [1.5, 3, -0.5];

function thrown(cells: number, velocity: readonly number[]): Model {
  const scene = createScene([particles(), springs()]);
  addSprings(scene, lattice({ size: [1, 1, 1], cells: [cells, cells, cells] }), {
    mass: 0.01,
    stiffness: 30,
    damping: 0.01,
    velocity,
  });
  return buildModel(scene);
}

async function observedPositions(device: Device, model: Model, times: typeof TIMES & { substeps: number }) {
  const simulation = await createSimulation(model, { device, ...times, record: [Particle.position] });
  simulation.forward();
  const positions = await simulation.readFrames(Particle.position);
  simulation.dispose();
  return positions;
}

const TIMES = { frames: 10, frameRate: 30 };

export default defineProblem<ThrowSettings>(async ({ settings, device }) => {
  const { cells, substeps, iterations, mishap } = settings;
  if (mishap)
    setTimeout(() => {
      if (mishap.kind === 'throws') throw new Error('the tripod fell');
      globalThis.close();
    }, 1000 * mishap.after);
  const times = { ...TIMES, substeps };
  const target = await observedPositions(device, thrown(cells, TRUTH), times);
  return {
    model: thrown(cells, [0, 0, 0]),
    ...times,
    parameters: ['x', 'y', 'z'].map((name, component) => ({
      name,
      field: Particle.velocity,
      component,
      initial: 0,
    })),
    observations: [{ field: Particle.position, target }],
    // Far from the end, so that all iterations are made.
    options: { search: { method: 'adam', iterations, tolerance: 0, learningRate: 1e-3 } },
  };
});
