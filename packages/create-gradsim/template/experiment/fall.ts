import { readFileSync } from 'node:fs';
import { buildModel, createScene } from 'gradsim/core';
import { defineExperiment } from 'gradsim/optim';
import { Body, Gravity, gravity, rigid } from 'gradsim/rigid';

/** Heights of something that is let go in the first row, m, 10 times a second. Put yours in their place. */
const [, ...lines] = readFileSync(new URL('measured.csv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const heights = lines.map((line) => Number(line.split(',')[1]));

// The model: a body at the first height, with a gravity that is not known yet.
const scene = createScene([rigid()]);
scene.add(Body, { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], position: [0, 2, 0] });
scene.add(Gravity, { acceleration: [0, -5, 0] });

export default defineExperiment({
  name: 'fall',
  description: 'Gravity from the heights of something that falls.',
  stages: () => [
    {
      name: 'fall',
      problem: {
        model: buildModel(scene),
        frames: heights.length,
        frameRate: 10,
        substeps: 400,
        parameters: [{ name: 'gravity', field: gravity, component: 1, initial: -5, scale: 2 }],
        observations: [{ field: Body.position, target: heights.flatMap((height) => [0, height, 0]) }],
      },
    },
  ],
});
