import { contact, contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box, icosphere } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

/** Contact stiffness of a vertex, N/m. */
const KE = 4000;
/** Mass of the body, kg. */
const MASS = 0.6;

async function cube(substeps: number, surface?: number) {
  const scene = createScene([rigid(), contact()]);
  const sag = (MASS * 9.81) / (4 * KE);
  const body = scene.add(
    Body,
    // Rocking so little that all four corners stay in contact.
    {
      mesh: box({ size: [0.1, 0.1, 0.1] }),
      mass: MASS,
      position: [0, 0.05 - sag, 0],
      angularVelocity: [1e-3, 0, 0],
    },
    'crate',
  );
  scene.attach(body, contactOf(Body), { ke: KE });
  const ground = scene.add(HalfSpace, {});
  if (surface !== undefined) scene.attach(ground, HalfSpaceMaterial, { ke: surface });
  return createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 41,
    frameRate: 20,
    substeps,
    record: ['bodies.angularVelocity'],
  });
}
/**
 * Largest stable substep of a cube of side a on a face, in closed form: J / m = a^2 / 6, and four corners at a / 2 to
 * either side, so w^2 = 4 (a / 2)^2 ke / J = 6 ke / m, and dt < 2 / w.
 */
const LIMIT = 2 / Math.sqrt((6 * KE) / MASS);

describe('the largest stable substep of a body that rests on its vertices', () => {
  it('is 2 / w, w the highest angular frequency of its motion on its contact springs, and the body is named', async () => {
    const found = await (await cube(40)).stableStep();
    expect(found.dt / LIMIT).toBeCloseTo(1, 3);
    expect(found.element).toContain('crate');
  });

  it('is the substep above which it begins to oscillate', async () => {
    const most = async (dt: number): Promise<number> => {
      const simulation = await cube(Math.round(0.05 / dt));
      simulation.forward();
      return Math.max(...(await simulation.readFrames('bodies.angularVelocity')).map(Math.abs));
    };
    const enough = Math.ceil(0.05 / LIMIT);
    expect(await most(0.05 / (enough + 1))).toBeLessThan(0.02);
    expect(await most(0.05 / (enough - 1))).toBeGreaterThan(0.1);
  });

  it('uses the mean ke of body and ground, and for a ball of 162 vertices the 3 that touch', async () => {
    expect((await (await cube(40, 3 * KE)).stableStep()).dt / LIMIT).toBeCloseTo(Math.SQRT1_2, 3);
    const scene = createScene([rigid(), contact()]);
    const ball = scene.add(Body, {
      mesh: icosphere({ radius: 0.1, subdivisions: 2 }),
      mass: 1,
      position: [0, 1, 0],
    });
    scene.attach(ball, contactOf(Body), { ke: KE });
    scene.add(HalfSpace, {});
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 30,
      substeps: 400,
    });
    // Three corners of a triangle, not all 162.
    expect((await simulation.stableStep()).dt / (2 / Math.sqrt(3 * KE))).toBeCloseTo(1, 1);
  });
});
