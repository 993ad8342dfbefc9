import { bounceMaterial, ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

const BALL = { mass: 0.2, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1].map((i) => i * 1e-4) };
type Material =
  | { readonly restitution: number; readonly duration: number }
  | { readonly ke: number; readonly kd: number };

/** Returns restitution and contact time, s, of a ball that hits the ground at 2 m/s without gravity. */
async function bounced(material: Material, mass = BALL.mass): Promise<{ restitution: number; duration: number }> {
  const scene = createScene([rigid(), contact()]);
  const ball = scene.add(Body, { ...BALL, mass, position: [0, 0.05, 0], velocity: [0, -2, 0] });
  scene.add(ContactSphere, { body: ball, radius: 0.05, ...material });
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 3001,
    frameRate: 200_000,
    substeps: 1,
    record: ['bodies.velocity'],
  });
  simulation.forward();
  const up = [...(await simulation.readFrames('bodies.velocity'))].filter((_, k) => k % 3 === 1);
  const last = up.findLastIndex((v, k) => k > 0 && v !== up[k - 1]);
  return { restitution: up.at(-1)! / 2, duration: last / 200_000 };
}

describe('a bounce given by restitution and duration', () => {
  // A damped spring that does not pull: both are exact in the limit of short substeps, of which there are 800 per
  // contact.
  it.each([0.05, 0.125, 0.5, 0.9, 1])('has the restitution %d, and the given duration', async (restitution) => {
    const found = await bounced({ restitution, duration: 0.004 });
    expect(found.restitution).toBeCloseTo(restitution, 2);
    expect(found.duration / 0.004).toBeCloseTo(1, 1.5);
  });

  it('has the same restitution for 0.01 and 3 kg, and with ke and kd of bounceMaterial', async () => {
    const light = await bounced({ restitution: 0.4, duration: 0.003 }, 0.01);
    const heavy = await bounced({ restitution: 0.4, duration: 0.003 }, 3);
    expect(light.restitution).toBeCloseTo(heavy.restitution, 6);
    const { ke, kd } = bounceMaterial({ restitution: 0.4, duration: 0.003, mass: 3 });
    expect((await bounced({ ke, kd }, 3)).restitution).toBeCloseTo(heavy.restitution, 5);
  });

  it('is refused together with ke or kd, without its restitution, or with a restitution of 2', () => {
    const build = (material: Record<string, number>) => () => {
      const scene = createScene([rigid(), contact()]);
      const body = scene.add(Body, { mesh: box({ size: [1, 1, 1] }), mass: 1 }, 'die');
      scene.attach(body, contactOf(Body), material);
      scene.add(HalfSpace, {});
      buildModel(scene);
    };
    expect(build({ ke: 100, restitution: 0.5, duration: 0.01 })).toThrowCode({
      code: 'contact/two-ways-given',
      field: 'bodies.ke',
      element: 'die',
      values: [100, 'bodies.duration'],
    });
    expect(build({ ke: 100, kd: 3, restitution: 0.5 })).toThrowCode({
      code: 'contact/two-ways-given',
      field: 'bodies.kd',
      element: 'die',
      values: [3, 0.5, 'bodies.restitution'],
    });
    expect(build({ duration: 0.01 })).toThrowCode({
      code: 'contact/incomplete-bounce',
      element: 'die',
      values: ['bodies.restitution'],
    });
    expect(() => bounceMaterial({ restitution: 2, duration: 1, mass: 1 })).toThrowCode({
      code: 'contact/value-out-of-range',
      field: 'restitution',
      values: [2],
    });
  });
});

describe('friction with only mu given', () => {
  /** Returns the distance, m, that a box slides in a second on an incline of the given angle, rad. */
  async function slid(angle: number, mu: number): Promise<number> {
    const scene = createScene([rigid(), contact()]);
    const size = 0.1;
    const body = scene.add(Body, {
      mesh: box({ size: [size, size, size] }),
      mass: 0.4,
      position: [0, size / 2, 0],
    });
    scene.attach(body, contactOf(Body), { restitution: 0.3, duration: 0.01, mu });
    scene.add(HalfSpace, {});
    scene.add(Gravity, { acceleration: [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0] });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 4000,
      outputs: ['bodies.position'],
    });
    simulation.forward();
    return (await simulation.read('bodies.position'))[0];
  }
  it('sticks on a slope with tan(angle) < mu, except for a creep of at most 10 mm/s', async () => {
    expect(Math.abs(await slid(0.25, 0.4))).toBeLessThan(0.01);
  });
  it('slides if tan(angle) > mu, with acceleration g (sin(angle) - mu cos(angle))', async () => {
    const a = 9.81 * (Math.sin(0.4) - 0.2 * Math.cos(0.4));
    expect((await slid(0.4, 0.2)) / (a / 2)).toBeCloseTo(1, 1.7);
  });
});
