import { articulated, Link } from '@gradsim/articulated';
import { ContactBox, ContactSphere, contact } from '@gradsim/contact';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { icosphere } from '@gradsim/mesh';
import { Body, Gravity, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';

const MATERIAL = { ke: 4000, kd: 4, kf: 8, mu: 0.4 };

const inertia = [1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3];

/**
 * Scene in which a rod with a ball at its end, hanging from another rod that its shape overlaps, swings against a free
 * ball.
 */
function hammer() {
  const scene = createScene([articulated(), rigid(), contact({ bodies: { maxSpeed: 5 } })]);
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  const arm = scene.add(Link, {
    joint: 'revolute',
    axis: [0, 0, 1],
    mass: 1,
    centre: [0, -0.25, 0],
    inertia,
  });
  const head = scene.add(Link, { parent: arm, joint: 'fixed', anchor: [0, -0.5, 0], mass: 1, inertia });
  scene.add(ContactBox, { body: arm, size: [0.06, 0.5, 0.06], ...MATERIAL });
  scene.add(ContactSphere, { body: head, radius: 0.1, ...MATERIAL });
  const ball = scene.add(Body, {
    mesh: icosphere({ radius: 0.1 }),
    mass: 1,
    position: [0.25, -0.52, 0.01],
    velocity: [-1.5, 0, 0],
  });
  scene.add(ContactSphere, { body: ball, radius: 0.1, ...MATERIAL });
  return scene;
}
const RUN = { frames: 7, frameRate: 30, substeps: 32 };

it('a free ball that hits an arm of two overlapping links slows down, and the arm swings', async () => {
  const simulation = await createSimulation(buildModel(hammer()), {
    ...RUN,
    device: cpuDevice(),
    record: ['bodies.velocity'],
  });
  simulation.forward();
  const v = await simulation.readFrames('bodies.velocity');
  // Before the impact nothing disturbs the hammer; after it the ball is slower or moves back, and the hammer swings.
  const rates = await simulation.read('links.rate');
  console.info(`ball ${v[v.length - 3]} m/s, hammer ${rates[0]} rad/s`);
  expect(v[0]).toBe(-1.5);
  expect(v[v.length - 3]).toBeGreaterThan(-1);
  expect(rates[0]).toBeLessThan(-0.5);
});

it('links whose shapes overlap push each other apart, unless a joint connects them', async () => {
  const ratesOf = async (isJoined: boolean): Promise<number[]> => {
    const scene = createScene([articulated(), rigid(), contact({ bodies: { maxSpeed: 5 } })]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const hinge = { joint: 'revolute', axis: [0, 0, 1], mass: 1, inertia } as const;
    const arm = scene.add(Link, { ...hinge, centre: [0, -0.25, 0] });
    const joint = { ...(isJoined ? { parent: arm } : {}), anchor: [0, -0.5, 0] };
    const head = scene.add(Link, { ...hinge, ...joint, centre: [0.05, 0, 0] });
    scene.add(ContactBox, { body: arm, size: [0.06, 0.5, 0.06], ...MATERIAL });
    // Beside the hinge, so that a push of the box turns the head.
    scene.add(ContactSphere, { body: head, radius: 0.1, ...MATERIAL });
    const simulation = await createSimulation(buildModel(scene), { ...RUN, frames: 2, device: cpuDevice() });
    simulation.forward();
    return Array.from(await simulation.read('links.rate'));
  };
  expect(await ratesOf(true)).toEqual([0, 0]);
  expect(Math.abs((await ratesOf(false))[1])).toBeGreaterThan(0.1);
});

it('contact between links and bodies has adjoints that agree with tangents and central differences', async () => {
  await checkGradients(buildModel(hammer()), {
    ...RUN,
    seed: 1,
    parameters: ['links.mass', 'bodies.velocity', 'spheres.radius'],
    outputs: ['bodies.position', 'links.rate'],
  });
});
