import { addCloth, cloth } from '@gradsim/cloth';
import { averagePosition, goalPosition } from '@gradsim/control';
import { buildModel, createScene } from '@gradsim/core';
import { placeMesh, plane } from '@gradsim/mesh';
import type { ArraySpec } from '@gradsim/optim';
import { estimate, randomNumbers } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { between, wholeBetween } from '../scenes/draws.ts';
import type { ControlTask, TaskOptions } from './task.ts';
import { timelines } from './task.ts';

/** Edge length of a cell of the sheet, m. */
const CELL = 0.125;

/**
 * Control task of the paper's cloth: a sheet of n x n cells, n from 8 to 32, thrown into still air for 1.5 s. The
 * unknown is the initial velocity, the same for all particles.
 */
export function throwTask({ seed, size }: TaskOptions): ControlTask {
  const random = randomNumbers(1000 + seed);
  const cells = wholeBetween(random, 8, 32);
  const start = [-5, between(random, 2, 3), 0] as const;
  const goal = [between(random, 0, 3), -3, 0] as const;
  const scene = createScene([
    particles(),
    cloth(),
    averagePosition(Particle.position),
    render({ width: size, height: size }),
    softRas({ sigma: (1.5 / size) ** 2, compositing: 'coverage', near: 1, far: 40 }),
  ]);
  const sheet = placeMesh(plane({ size: [cells * CELL, cells * CELL], segments: [cells, cells] }), {
    translation: start,
  });
  const velocity = [1, 0, 0];
  addCloth(scene, sheet, { mu: 1e4, lambda: 1e4, lift: 10, drag: 5, mass: 2, velocity });
  scene.add(OrbitCamera, { distance: 15, elevation: 0, azimuth: 0, fieldOfView: Math.PI / 3 });
  const model = buildModel(scene);
  const times = timelines(1.5, 960);
  const arrays: ArraySpec[] = [
    { name: 'velocity', field: Particle.velocity, tied: ['elements'], initial: velocity, unit: 'm/s' },
  ];
  return {
    name: 'cloth-throw',
    within: 0.01,
    model,
    arrays,
    ...times,
    // What the sheet is like at the goal, a throw that gets there tells.
    atGoal: async (device) => {
      const found = await estimate(
        {
          model,
          ...times.timeline,
          arrays,
          losses: [goalPosition(goal)],
          options: { search: { iterations: 30, attainable: 0, tolerance: 1e-12 } },
        },
        { device },
      );
      const thrown = found.arrays.velocity.estimate;
      return {
        frames: 2,
        values: { [Particle.velocity.key]: Float64Array.from(sheet.positions, (_, k) => thrown[k % 3]) },
      };
    },
  };
}
