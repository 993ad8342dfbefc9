import { buildModel, createScene, recordOf } from '@gradsim/core';
import { Particle, particles } from '@gradsim/particles';
import type { Problem } from 'gradsim/optim';
import { defineExperiment } from 'gradsim/optim';
import { Drag, drag } from '../src/index.ts';

const TIMELINE = { frames: 30, frameRate: 30, substeps: 16 };
/** Drag coefficient with which the path is computed, N s/m. */
const TRUTH = 0.35;

/** Model of a thrown ball that falls through a fluid with this drag coefficient, N s/m. */
function fall(coefficient: number) {
  const scene = createScene([particles(), drag()]);
  const ball = scene.add(Particle, { position: [0, 1, 0], velocity: [2, 1, 0], mass: 0.2 }, 'the ball');
  scene.attach(ball, Drag, { drag: coefficient });
  return buildModel(scene);
}

/** Estimates the drag of a ball from its path, which is computed here. Put your tracked path in its place. */
export default defineExperiment({
  name: 'falling',
  description: 'Drag of a falling ball from its path.',
  stages: async ({ device }) => {
    const target = await recordOf(fall(TRUTH), Particle.position, { device, ...TIMELINE });
    const problem: Problem = {
      model: fall(1),
      ...TIMELINE,
      parameters: [{ name: 'drag', field: Drag.drag, transform: 'log', initial: 1, truth: TRUTH }],
      observations: [{ field: Particle.position, target }],
    };
    return [{ name: 'drag', problem }];
  },
});
