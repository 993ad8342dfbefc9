import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { draws, randomBetween, seedOfRun } from '../../../scripts/vitest/draws.ts';
import { randomRotation, transformed } from './scenes.ts';

/** Number of substeps per second. */
const RATE = 1920;
/** Edge length of the cube, m. */
const SIZE = 0.2;
const mesh = tetBox({ cells: [3, 3, 3], size: [SIZE, SIZE, SIZE] });
const elements = mesh.tets.length / 4;
const REFERENCE = { mu: 1e4, lambda: 1e4 };
/** Sum lambda + 7/8 mu, through which mu and lambda enter the bound of the substep, Pa. */
const modulus = ({ mu, lambda }: { mu: number; lambda: number }): number => lambda + (7 / 8) * mu;

/** A cube with edges of 0.2 m and a mass of 8 kg, without damping. */
function cube(material = REFERENCE): { scene: Scene; particles: number[] } {
  const scene = createScene([particles(), fem(), contact()]);
  const body = addSoftBody(scene, mesh, { ...material, density: 1000 });
  return { scene, particles: body.particles };
}

/** The largest stable substep of the cube in free space, s. */
async function stableStep(material = REFERENCE): Promise<number> {
  const simulation = await createSimulation(buildModel(cube(material).scene), {
    device: f64Device(),
    frames: 2,
    frameRate: RATE,
    substeps: 1,
  });
  return (await simulation.stableStep()).dt;
}

describe('a soft body and its largest stable substep', () => {
  // A falling body has the energy m g h and can never have more: nothing gets above its start by more than the body's
  // own diagonal.
  it('below it, dropped from 3 m at random orientations and stiffnesses, the body ends finite and below its initial top', async () => {
    const random = randomBetween(seedOfRun('drops', 20_240_611));
    const [worlds, height] = [draws(50, 1000), 3];
    const { scene, particles } = cube();
    for (const particle of particles) scene.attach(particle, contactOf(Particle), { ke: 2e3, kd: 0.5, kf: 1, mu: 0.5 });
    scene.add(HalfSpace, {}, 'the ground');
    const simulation = await createSimulation(buildModel(scene), {
      device: cpuDevice(),
      frames: 49,
      frameRate: 30,
      substeps: RATE / 30,
      worlds,
    });
    const stiffest = modulus(REFERENCE) * (RATE * (await stableStep())) ** 2;
    for (let w = 0; w < worlds; w++) {
      const turned = transformed(mesh.positions, randomRotation(random));
      const lowest = turned.reduce((low, x, k) => (k % 3 === 1 ? Math.min(low, x) : low), 1);
      simulation.set(
        'particles.position',
        turned.map((x, k) => (k % 3 === 1 ? x - lowest + height : x)),
        w,
      );
      // Stiffness from a hundredth of what the substep allows to 0.95 of it, which the first has; lambda from a third of
      // mu to three times.
      const ratio = 3 ** random();
      const scale = (0.95 * stiffest * 10 ** (w > 0 ? random(-2, 0) : 0)) / modulus({ mu: 1, lambda: ratio });
      simulation.set('tets.mu', new Float64Array(elements).fill(scale), w);
      simulation.set('tets.lambda', new Float64Array(elements).fill(scale * ratio), w);
    }
    const { dt, ownDt } = await simulation.stableStep();
    expect(dt / ownDt).toBeGreaterThan(1);
    expect(dt / ownDt).toBeLessThan(1.05);
    simulation.forward();
    const x = await simulation.read('particles.position');
    expect(x.reduce((high, c) => Math.max(high, c))).toBeLessThan(height + SIZE * Math.sqrt(3));
  });

  it('at four times it the run diverges; a warning before and the error after state the number of substeps to use', async () => {
    const warnings: string[] = [];
    const stable = await stableStep();
    const simulation = await createSimulation(buildModel(cube().scene), {
      device: f64Device(),
      frames: 41,
      frameRate: 1 / (12 * 4 * stable),
      substeps: 12,
      onWarning: (warning) => warnings.push(warning),
    });
    expect(warnings).toEqual([expect.stringMatching(/Take (48|49) or more substeps a frame instead of 12/)]);
    const start = Float64Array.from(mesh.positions, (x, k) => x * (k % 5 ? 1 : 1.01));
    simulation.set('particles.position', start);
    simulation.forward();
    await expect(simulation.read('particles.position')).rejects.toThrowCode({
      code: 'core/not-finite',
      values: [12, 49],
    });
  });
});
