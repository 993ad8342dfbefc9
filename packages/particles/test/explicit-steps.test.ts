import { buildModel, createScene, createSimulation, definePlugin, f64Device } from '@gradsim/core';
import { leapfrog, symplectic } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import { addParticles, Particle, particles } from '../src/index.ts';

describe('an integrator', () => {
  it('from a plugin is refused beside the built-in one of particles', async () => {
    const others = definePlugin({
      name: 'others',
      contract: 1,
      build: ({ model }) =>
        symplectic(model, {
          elements: Particle,
          composition: leapfrog,
          position: Particle.position,
          velocity: Particle.velocity,
          reads: { force: Particle.force, inverseMass: Particle.inverseMass },
          acceleration: ({ force, inverseMass }) => force.mul(inverseMass),
        }),
    });
    const scene = createScene([particles(), others]);
    addParticles(scene, [0, 0, 0], { mass: 1 });
    await expect(
      createSimulation(buildModel(scene), { device: f64Device(), frames: 2, frameRate: 1, substeps: 1 }),
    ).rejects.toThrowCode({ code: 'core/two-writers' });
  });
});
