import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { averagePosition, controller, sinusoidInput, weightsOf } from '@gradsim/control';
import type { Model, Plugin } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { addSoftBody, fem, Tet } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import { placeMesh } from '@gradsim/mesh';
import { randomNumbers } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { gearMesh } from './gear-mesh.ts';
import type { ControlTask, TaskOptions } from './task.ts';
import { poseAtGoal, timelines } from './task.ts';

/** Initial height of the gear's axis above the ground, m. */
export const HEIGHT = 2;

/** Scene of the gear, thrown from above the ground, with its controller and a camera. */
export function gearScene(
  plugins: readonly Plugin[],
  { size, mesh = gearMesh() }: { readonly size: number; readonly mesh?: TetMesh },
): { readonly model: Model; readonly positions: ArrayLike<number> } {
  const scene = createScene([
    particles(),
    fem(),
    contact(),
    averagePosition(Particle.position),
    ...plugins,
    render({ width: size, height: size }),
    softRas({ sigma: (1.5 / size) ** 2, compositing: 'coverage', near: 1, far: 40 }),
  ]);
  const placed = placeMesh(mesh, { translation: [-4, HEIGHT, 0] });
  const gear = addSoftBody(scene, placed, {
    mu: 1000,
    lambda: 1000,
    damping: 1,
    density: 1,
    velocity: [1.5, 0, 0],
  });
  for (const particle of gear.particles)
    scene.attach(particle, contactOf(Particle), { ke: 1e4, kd: 1, kf: 10, mu: 0.5 });
  scene.add(HalfSpace, {}, 'the ground');
  scene.add(OrbitCamera, { distance: 13, elevation: Math.PI / 6, azimuth: 0, fieldOfView: Math.PI / 3 });
  const model = buildModel(scene);
  // The paper's substep. `stableStep` adds up the springs of touches, along the normal, and their friction, across it:
  // driven at random, the gear stays as it is down to 900 substeps a second, where it says 2270.
  model.acceptStep(1 / 1920);
  return { model, positions: placed.positions };
}

/**
 * Control task of the paper's gear: 1152 tetrahedra that are thrown onto the ground and roll for 3 s. Actuation changes
 * their volumes by up to 0.3; the goal lies within 5 m of the middle.
 */
export function gearTask({ seed, size }: TaskOptions, mesh: TetMesh = gearMesh()): ControlTask {
  const roll = controller({
    name: 'roll',
    inputs: [sinusoidInput({ frequency: 2.5, count: 8 })],
    bias: false,
    weightDeviation: 0.1,
    seed,
    drives: [{ field: Tet.actuation, scale: 0.3 }],
  });
  const { model, positions } = gearScene([roll], { size, mesh });
  const arrays = weightsOf(model, 'roll');
  const goal = 5 * randomNumbers(1000 + seed)();
  return {
    // All states of 5760 substeps: with fewer half of them run twice.
    name: 'gear',
    within: 0.02,
    memory: 600e6,
    model,
    arrays,
    ...timelines(3, 1920),
    // At the goal it rests on the ground: let go there, it sinks in for as long as the run takes.
    atGoal: () =>
      Promise.resolve({
        frames: 2,
        values: {
          [Particle.position.key]: poseAtGoal(positions, [goal, HEIGHT, 0]),
          [Particle.velocity.key]: new Float64Array(positions.length),
          ...Object.fromEntries(
            arrays.map(({ name, initial }) => [name, Float64Array.from(initial as Float64Array, () => 0)]),
          ),
        },
      }),
  };
}
