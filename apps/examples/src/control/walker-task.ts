import { addCloth, cloth, Triangle } from '@gradsim/cloth';
import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import { areaChange, averagePosition, controller, sinusoidInput, weightsOf } from '@gradsim/control';
import { buildModel, createScene } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import type { Loss } from '@gradsim/optim';
import { Particle, particles } from '@gradsim/particles';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { inPlane } from './in-plane.ts';
import type { ControlTask, TaskOptions } from './task.ts';
import { timelines } from './task.ts';
import { walkerMesh } from './walker-mesh.ts';

/** Length of the walker, m, which is also the distance that it should walk. */
const LENGTH = 2;

/**
 * Control task of the paper's walker: 104 triangles on the ground for 5 s, whose areas change by up to a fifth; each is
 * driven by a sum of eight sinusoids.
 */
export function walkerTask({ seed, size, penalty = 0 }: TaskOptions, mesh: TriangleMesh = walkerMesh()): ControlTask {
  const scene = createScene([
    particles(),
    cloth(),
    contact(),
    inPlane,
    averagePosition(Particle.position),
    ...(penalty > 0 ? [areaChange(Particle.position, mesh)] : []),
    controller({
      name: 'gait',
      inputs: [sinusoidInput({ frequency: 20, count: 8 })],
      bias: false,
      weightDeviation: 0.01,
      seed,
      effort: penalty > 0,
      drives: [{ field: Triangle.actuation, scale: 0.2 }],
    }),
    render({ width: size, height: size }),
    softRas({ sigma: (1.5 / size) ** 2, compositing: 'coverage', near: 1, far: 30 }),
  ]);
  const walker = addCloth(scene, mesh, { mu: 1e4, lambda: 1e4, damping: 100, mass: 1 });
  for (const particle of walker.particles)
    scene.attach(particle, contactOf(Particle), { ke: 1e4, kd: 1e3, kf: 1e3, mu: 0.5 });
  scene.add(HalfSpace, {}, 'the ground');
  scene.add(OrbitCamera, { distance: 8, elevation: Math.PI / 6, azimuth: 0, fieldOfView: Math.PI / 3 });
  const model = buildModel(scene);
  // The paper's substep. Driven at random, the walker stays as it is down to 900 substeps a second, where `stableStep`
  // says 1950.
  model.acceptStep(1 / 1920);
  // At the goal it stands as it began, one of its lengths further along.
  const position = mesh.positions.map((x, k) => (k % 3 === 0 ? x + LENGTH : x));
  return {
    name: 'walker',
    within: { ofStart: 0.01 },
    // Beside the line of the first gradient those of 9600 substeps on the ground lead nowhere near.
    remainder: 0.01,
    ...(penalty > 0 ? { penalties: penaltiesOf(penalty) } : {}),
    model,
    arrays: weightsOf(model, 'gait'),
    ...timelines(5, 1920),
    atGoal: () => Promise.resolve({ values: { [Particle.position.key]: position }, frames: 1 }),
  };
}

/** Losses of effort and change of area. Both fields are integrals over the 5 s, so the weights are divided by 5. */
const penaltiesOf = (penalty: number): Loss[] =>
  ['world.gaitEffort', 'world.areaChange'].map((field) => ({ field, frames: 'last', weight: penalty / 5 }));
