// Integrators of stages: particles are moved by methods that know nothing of springs or contact, with several force
// evaluations per substep.

import { buildModel, createScene, createSimulation, f64Device, type Plugin } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import {
  addParticles,
  classical,
  explicitSteps,
  forestRuth,
  Gravity,
  heun,
  leapfrog,
  midpoint,
  Particle,
  particles,
  strongStability3,
  type Tableau,
} from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';

const [STIFFNESS, MASS, STRETCH] = [3, 0.2, 0.1];
const FREQUENCY = Math.sqrt((2 * STIFFNESS) / MASS);

/** Two particles on a spring without damping: their distance is 1 m + s cos(w t), with w^2 = 2 k / m. */
function oscillator(plugin: Plugin, isFirst = false) {
  const own = [particles(), springs()];
  const scene = createScene(isFirst ? [plugin, ...own] : [...own, plugin]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const ends = addParticles(scene, [0, 0, 0, 1 + STRETCH, 0, 0], { mass: MASS });
  scene.add(Spring, { ends, stiffness: STIFFNESS, damping: 0, restLength: 1 });
  return buildModel(scene);
}

/** Order of convergence of an error, from 32 and 64 substeps. */
async function orderOf(error: (substeps: number) => Promise<number>): Promise<number> {
  const [coarse, fine] = [await error(32), await error(64)];
  return Math.log2(coarse / fine);
}

/** Kutta's 3/8 rule, which no plugin names. */
const threeEighths: Tableau = { a: [[], [1 / 3], [-1 / 3, 1], [1, -1, 1]], b: [1 / 8, 3 / 8, 3 / 8, 1 / 8] };

describe.each([
  ['midpoint', midpoint, 2],
  ['heun', heun, 2],
  ['strongStability3', strongStability3, 3],
  ['classical', classical, 4],
  ['the 3/8 rule, by its coefficients', threeEighths, 4],
  ['leapfrog', leapfrog, 2],
  ['forestRuth', forestRuth, 4],
] as const)('%s', (_, method, order) => {
  it(`converges at order ${order}, its own`, async () => {
    const found = await orderOf(async (substeps) => {
      const run = { device: f64Device(), frames: 2, frameRate: 1, substeps };
      const simulation = await createSimulation(oscillator(explicitSteps(method)), run);
      simulation.forward();
      const x = await simulation.read('particles.position');
      return Math.abs(x[3] - x[0] - (1 + STRETCH * Math.cos(FREQUENCY)));
    });
    expect(found).toBeGreaterThan(order - 0.2);
    expect(found).toBeLessThan(order + 0.4);
  });
  it('has derivatives that agree with differences, in any order of registration of plugins', async () => {
    for (const isFirst of [false, true])
      await checkGradients(oscillator(explicitSteps(method), isFirst), {
        frames: 3,
        frameRate: 20,
        substeps: 2,
        parameters: ['springs.stiffness', 'particles.mass', 'particles.velocity'],
        outputs: ['particles.position', 'particles.velocity'],
      });
  });
});

describe('a composition of drifts and kicks', () => {
  // Half the stiffness times the squared stretch, and half the masses times squared speeds: s^2 k / 2 at the start.
  it.each([
    ['leapfrog', leapfrog],
    ['forestRuth', forestRuth],
  ] as const)('%s has its energy after 400 swings, within what it swings by', async (_, method) => {
    const frames = 9;
    const simulation = await createSimulation(oscillator(explicitSteps(method)), {
      device: f64Device(),
      frames,
      frameRate: 1 / ((50 * 2 * Math.PI) / FREQUENCY),
      substeps: 50 * 40,
      record: [Particle.position, Particle.velocity],
    });
    simulation.forward();
    const [x, v] = [await simulation.readFrames(Particle.position), await simulation.readFrames(Particle.velocity)];
    for (let frame = 1; frame < frames; frame++) {
      const at = 6 * frame;
      const energy = (STIFFNESS * (x[at + 3] - x[at] - 1) ** 2) / 2 + (MASS * (v[at] ** 2 + v[at + 3] ** 2)) / 2;
      // A leapfrog keeps v^2 / (1 - h^2) + w^2 x^2, h = w dt / 2, with 40 substeps a swing.
      expect(Math.abs(energy / ((STIFFNESS * STRETCH ** 2) / 2) - 1)).toBeLessThan(1 / (1 - (Math.PI / 40) ** 2) - 1);
    }
  });
});

describe('an integrator', () => {
  it('from one plugin is refused beside that of another', () => {
    const scene = () => buildModel(createScene([particles(), explicitSteps(classical), explicitSteps(forestRuth)]));
    expect(scene).toThrowCode({ code: 'core/defined-twice' });
  });
  it('has coefficients that add up, of stages that use earlier ones', () => {
    const built = (method: Parameters<typeof explicitSteps>[0]) => () =>
      buildModel(createScene([particles(), explicitSteps(method)]));
    expect(built({ a: [[], [0.5]], b: [0, 0.9] })).toThrowCode({ code: 'dynamics/wrong-tableau' });
    expect(built({ a: [[0.5], [0.5]], b: [0, 1] })).toThrowCode({ code: 'dynamics/wrong-tableau' });
    expect(built({ a: [[]], b: [0.5, 0.5] })).toThrowCode({ code: 'dynamics/wrong-tableau' });
    expect(built({ drifts: [1], kicks: [1] })).toThrowCode({ code: 'dynamics/wrong-composition' });
    expect(built({ drifts: [0.5, 0.5], kicks: [0.9] })).toThrowCode({ code: 'dynamics/wrong-composition' });
  });
});
