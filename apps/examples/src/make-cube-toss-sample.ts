// Makes sample/cube-toss.csv, the poses that the experiment `cube-toss` estimates from: npm run -s cube-toss-sample --prefix apps/examples

import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { standardNormal } from '@gradsim/base';
import { createSimulation, f64Device } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import { Body } from '@gradsim/rigid';
import { cubeModel, SAMPLE_TOSS, TRUTH } from './cube-toss/cube.ts';

/**
 * Substeps per frame: four times as many as in the experiment, so that the sample has another discretisation error than
 * the estimate.
 */
const SUBSTEPS = 240;

const { frames, frameRate, noise } = SAMPLE_TOSS;
const simulation = await createSimulation(cubeModel(SAMPLE_TOSS.start, TRUTH), {
  device: f64Device(),
  frames,
  frameRate,
  substeps: SUBSTEPS,
  record: [Body.position, Body.orientation],
});
simulation.forward();
const position = await simulation.readFrames(Body.position);
const orientation = await simulation.readFrames(Body.orientation);
const random = randomNumbers(148);
const normal = (): number => standardNormal(random);
const lines = Array.from({ length: frames }, (_, f) => {
  const place = [0, 1, 2].map((k) => position[3 * f + k] + noise.position * normal());
  // A component of a quaternion moves by half of the angle.
  const turn = [0, 1, 2, 3].map((k) => orientation[4 * f + k] + (noise.orientation / 2) * normal());
  const length = Math.hypot(...turn);
  const cells = [...place.map((c) => c.toFixed(5)), ...turn.map((c) => (c / length).toFixed(5))];
  return [(f / frameRate).toFixed(6), ...cells].join(',');
});
const path = process.argv[2] ?? fileURLToPath(new URL('../sample/cube-toss.csv', import.meta.url));
await writeFile(path, `${['time,x,y,z,qx,qy,qz,qw', ...lines].join('\n')}\n`);
process.stderr.write(`${path}: ${frames} poses\n`);
