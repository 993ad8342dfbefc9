import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Gravity } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import * as particles from '../../particles/src/index.ts';
import * as rigid from '../../rigid/src/index.ts';

/** Scene of a body and a particle in free fall, from rest. */
function falling() {
  const scene = createScene([rigid.rigid(), particles.particles()]);
  scene.add(rigid.Body, { mass: 2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
  scene.add(particles.Particle, { position: [0, 0, 0], mass: 3 });
  return scene;
}
const second = { device: f64Device(), frames: 2, frameRate: 1, substeps: 10 };
const VELOCITIES = ['bodies.velocity', 'particles.velocity'];

describe('gravity', () => {
  it('is the same for bodies and particles, and that of the Earth by default', async () => {
    const simulation = await createSimulation(buildModel(falling()), second);
    simulation.forward();
    for (const velocity of VELOCITIES) {
      const [x, y, z] = await simulation.read(velocity);
      expect([x, z]).toEqual([0, 0]);
      expect(y).toBeCloseTo(-9.81, 12);
    }
  });

  it('equals that of the Gravity component in the scene', async () => {
    const scene = falling();
    scene.add(Gravity, { acceleration: [1, -1.62, 0.5] });
    const simulation = await createSimulation(buildModel(scene), second);
    simulation.forward();
    for (const velocity of VELOCITIES)
      (await simulation.read(velocity)).forEach((v, axis) => expect(v).toBeCloseTo([1, -1.62, 0.5][axis], 12));
  });

  // v = g T for both: the loss v_body.y + 2 v_particle.y over T = 1 s has the derivative 3 with respect to g_y.
  it('is a parameter, with a value for each world', async () => {
    const simulation = await createSimulation(buildModel(falling()), {
      ...second,
      worlds: 2,
      parameters: ['world.gravity'],
      outputs: VELOCITIES,
    });
    simulation.set('world.gravity', [0, -3, 0], 1);
    simulation.forward();
    for (const velocity of VELOCITIES) {
      const v = await simulation.read(velocity);
      expect(v[1]).toBeCloseTo(-9.81, 12);
      expect(v[4]).toBeCloseTo(-3, 12);
    }
    simulation.backward({ 'bodies.velocity': [0, 1, 0, 0, 1, 0], 'particles.velocity': [0, 2, 0, 0, 2, 0] });
    const gradient = await simulation.gradient('world.gravity');
    [0, 3, 0, 0, 3, 0].forEach((g, k) => expect(gradient[k]).toBeCloseTo(g, 12));
  });

  it.each([
    [[0, -9.81], { code: 'dynamics/wrong-size', field: 'gravity.acceleration', element: 'the Moon', values: [3, 2] }],
    [
      [0, Number.NaN, 0],
      { code: 'dynamics/value-out-of-range', field: 'gravity.acceleration', element: 'the Moon', values: ['NaN'] },
    ],
  ])('of %j is refused by name', (acceleration, expected) => {
    const scene = falling();
    scene.add(Gravity, { acceleration }, 'the Moon');
    expect(() => buildModel(scene)).toThrowCode(expected);
  });

  it('is refused if given twice', () => {
    const scene = falling();
    scene.add(Gravity, { acceleration: [0, -1.62, 0] }, 'the Moon');
    scene.add(Gravity, { acceleration: [0, -3.7, 0] }, 'Mars');
    expect(() => buildModel(scene)).toThrowCode({ code: 'dynamics/second-gravity', element: 'Mars' });
  });
});
