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
  /** Failure to cause in the worker, {@link AFTER} its start: it throws, or closes. */
  readonly mishap?: 'throws' | 'closes';
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

/** Programs that the device has run, and milliseconds: a slow machine has made some iterations then, a fast one told of them. */
const AFTER = { runs: 200, milliseconds: 2000 };

/** Calls `act` by itself, once, {@link AFTER} the call. */
function later(device: Device, act: () => void): void {
  const createExecutor = device.createExecutor.bind(device);
  const start = performance.now();
  let runs = 0;
  let isLeft = true;
  device.createExecutor = async (spec) => {
    const executor = await createExecutor(spec);
    const run = executor.run.bind(executor);
    executor.run = (...given) => {
      run(...given);
      runs++;
      if (!isLeft || runs < AFTER.runs || performance.now() - start < AFTER.milliseconds) return;
      isLeft = false;
      setTimeout(act);
    };
    return executor;
  };
}

const TIMES = { frames: 10, frameRate: 30 };

export default defineProblem<ThrowSettings>(async ({ settings, device }) => {
  const { cells, substeps, iterations, mishap } = settings;
  if (mishap)
    later(device, () => {
      if (mishap === 'throws') throw new Error('the tripod fell');
      globalThis.close();
    });
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
