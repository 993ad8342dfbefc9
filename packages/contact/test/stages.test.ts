// Contact of what is moved by stages.
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { addParticles, classical, explicitSteps, leapfrog, Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { contact, contactOf, HalfSpace } from '../src/index.ts';

describe('contact in stages', () => {
  const fallen = (method: Parameters<typeof explicitSteps>[0] | null) => {
    const scene = createScene([particles(), ...(method ? [explicitSteps(method)] : []), contact()]);
    scene.add(HalfSpace, {});
    const [drop] = addParticles(scene, [0, 0.02, 0], { mass: 0.1 });
    scene.attach(drop, contactOf(Particle), { ke: 400, kd: 0, kf: 0, mu: 0 });
    return buildModel(scene);
  };
  /** Largest relative change of energy by a bounce without damping, over places of the touch within a substep. */
  const gain = async (method: Parameters<typeof explicitSteps>[0] | null): Promise<number> => {
    let most = 0;
    for (let phase = 0; phase < 8; phase++) {
      const simulation = await createSimulation(fallen(method), {
        device: f64Device(),
        frames: 2,
        frameRate: 5,
        substeps: 40,
        parameters: [],
      });
      simulation.set('particles.position', [0, 0.02 + 2e-4 * phase, 0]);
      simulation.forward();
      const [[, y], [, v]] = [await simulation.read('particles.position'), await simulation.read('particles.velocity')];
      const energy = 9.81 * y + v ** 2 / 2;
      most = Math.max(most, Math.abs(energy / (9.81 * (0.02 + 2e-4 * phase)) - 1));
    }
    return most;
  };
  it('is sampled: energy after a bounce depends more on the phase of the touch than with the mean over a substep', async () => {
    const [sampled, mean] = [await gain(classical), await gain(leapfrog)];
    console.info(
      `energy after a bounce: ${sampled} of classical, ${mean} of leapfrog, ${await gain(null)} of the usual`,
    );
    expect(sampled).toBeLessThan(0.03);
    expect(mean).toBeLessThan(sampled / 3);
  });
});
