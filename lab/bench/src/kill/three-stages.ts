// An experiment of three stages that take a second or two, by each kind of method: starts and hops drawn at random with
// least squares, Adam, L-BFGS.
import { cpuDevice, createSimulation } from '@gradsim/core';
import type { EstimateOptions, Problem, Stage } from '@gradsim/optim';
import { defineExperiment } from '@gradsim/optim';
import { tossedBoxes } from '../support/tossed-box.ts';

const OVER = { frames: 16, frameRate: 30, substeps: 16 };

export default defineExperiment({
  name: 'three-stages',
  description: 'Velocity, spin and friction of a tossed box from where it was.',
  stages: async () => {
    const model = tossedBoxes(1);
    const device = cpuDevice({ threads: 1 });
    const seen = await createSimulation(model, { device, ...OVER, record: ['bodies.position'] });
    seen.forward();
    const target = await seen.readFrames('bodies.position');
    seen.dispose();
    const stage = (name: string, options: EstimateOptions): Stage => ({
      name,
      problem: {
        model,
        ...OVER,
        options,
        parameters: [
          { name: 'vy', field: 'bodies.velocity', component: 1, initial: 0.5, range: [0, 2], truth: 1 },
          { name: 'vz', field: 'bodies.velocity', component: 2, initial: 1, range: [0.5, 3], truth: 1.5 },
          { name: 'mu', field: 'bodies.mu', initial: 0.2, transform: 'log', range: [0.05, 1], truth: 0.4 },
        ],
        observations: [{ field: 'bodies.position', target }],
      } satisfies Problem,
    });
    return [
      stage('least squares', { search: { iterations: 20, starts: 3, scan: 40, hops: 1, horizons: [0.5, 1], seed: 3 } }),
      stage('adam', { search: { method: 'adam', iterations: 150, learningRate: 0.02, tolerance: 0 } }),
      stage('l-bfgs', { search: { method: 'l-bfgs', iterations: 60, tolerance: 0 } }),
    ];
  },
});
