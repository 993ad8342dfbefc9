import { ContactBox, ContactMesh, ContactSphere, contact } from '@gradsim/contact';
import { buildModel, cpuDevice, createScene, createSimulation } from '@gradsim/core';
import { box } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { expect, it } from 'vitest';
import { emptyScene, MATERIAL, throwBody } from './scenes.ts';

const refusalOf = (build: () => void): string => {
  try {
    build();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

const cube = { shape: 'box', size: [0.2, 0.2, 0.2] } as const;

it('two bodies that start inside each other are refused, with the depth', () => {
  const scene = emptyScene();
  throwBody(scene, { ...cube, position: [0, 0, 0] });
  throwBody(scene, { ...cube, position: [0.15, 0.02, 0] });
  expect(() => buildModel(scene)).toThrowCode({ code: 'contact/overlap-at-start', values: ['0.0500', '0.0120'] });
});

it('crossed planks that overlap are refused with the depth, though no corner of one lies in the other', () => {
  const scene = emptyScene();
  throwBody(scene, { shape: 'box', size: [1, 0.2, 0.1], position: [0, 0, 0] });
  throwBody(scene, { shape: 'box', size: [0.1, 0.2, 1], position: [0, 0.1, 0] });
  expect(() => buildModel(scene)).toThrowCode({ code: 'contact/overlap-at-start', values: ['0.100'] });
});

it('coinciding or shifted cubes as meshes are refused with the depth, though no corner of one lies in the other', () => {
  for (const [shift, shortest] of [
    [0, 0.15],
    [0.05, 0.1],
  ]) {
    const scene = emptyScene();
    for (const x of [0, shift]) {
      const mesh = box({ size: [0.2, 0.2, 0.2] });
      const body = scene.add(Body, { mesh, mass: 1, position: [x, 0.01 * x, 0] });
      scene.add(ContactMesh, { body, ...MATERIAL });
    }
    // Cubes of 0.2 m have to be moved by 0.2 m minus the shift.
    const depth = /start inside each other, by ([\d.]+) m/.exec(refusalOf(() => buildModel(scene)))?.[1];
    expect(Number(depth)).toBeGreaterThan(shortest);
    expect(Number(depth)).toBeLessThanOrEqual(0.2 - shift + 1e-6);
  }
});

it('a body that starts in a static shape is refused, with the depth and the name of the shape', () => {
  const scene = emptyScene();
  scene.add(ContactBox, { size: [1, 0.2, 1], ...MATERIAL }, 'the table');
  throwBody(scene, { shape: 'sphere', position: [0, 0.15, 0] });
  expect(() => buildModel(scene)).toThrowCode({ code: 'contact/overlap-at-start', values: ['0.0500', 'the table'] });
});

it('bodies listed in the option excludedPairs pass through each other; not listed, they bounce', async () => {
  const build = (isApart: boolean) => {
    const scene = createScene([rigid(), contact({ bodies: { maxSpeed: 5 } })]);
    const two = [0, 0.25].map((x) => {
      const body = scene.add(Body, {
        mesh: box({ size: [0.2, 0.2, 0.2] }),
        mass: 1,
        position: [x, 0, 0],
        velocity: [x > 0 ? -1 : 1, 0, 0],
      });
      scene.add(ContactBox, { body, size: [0.2, 0.2, 0.2], ...MATERIAL });
      return body;
    });
    if (!isApart) return scene;
    const apart = createScene([rigid(), contact({ bodies: { maxSpeed: 5, excludedPairs: [[two[0], two[1]]] } })]);
    for (const x of [0, 0.25]) {
      const body = apart.add(Body, {
        mesh: box({ size: [0.2, 0.2, 0.2] }),
        mass: 1,
        position: [x, 0, 0],
        velocity: [x > 0 ? -1 : 1, 0, 0],
      });
      apart.add(ContactBox, { body, size: [0.2, 0.2, 0.2], ...MATERIAL });
    }
    return apart;
  };
  const ends = await Promise.all(
    [false, true].map(async (isApart) => {
      const simulation = await createSimulation(buildModel(build(isApart)), {
        device: cpuDevice(),
        frames: 11,
        frameRate: 30,
        substeps: 16,
      });
      simulation.forward();
      return (await simulation.read('bodies.velocity'))[0];
    }),
  );
  expect(ends[0]).toBeLessThan(0);
  expect(ends[1]).toBeGreaterThan(0.99);
});

it('a shape faster than maxSpeed, or with more shapes near it than the option neighbours, ends the run in an error', async () => {
  const run = async (scene: ReturnType<typeof emptyScene>) => {
    const simulation = await createSimulation(buildModel(scene), {
      device: cpuDevice(),
      frames: 11,
      frameRate: 30,
      substeps: 16,
    });
    simulation.forward();
    return simulation.read('bodies.position');
  };
  const fast = emptyScene([0, 0, 0], { maxSpeed: 1 });
  throwBody(fast, { shape: 'sphere', position: [0, 0, 0], velocity: [3, 0, 0] });
  throwBody(fast, { shape: 'sphere', position: [2, 0, 0] });
  await expect(run(fast)).rejects.toThrowCode({ code: 'core/alarm', values: ['3.00', 'm/s', 1, 'bodies.maxSpeed'] });
  const crowd = emptyScene([0, 0, 0], { maxSpeed: 1, neighbours: 2 });
  for (let k = 0; k < 6; k++)
    throwBody(crowd, {
      shape: 'sphere',
      position: [0.201 * (k % 2), 0.201 * (Math.floor(k / 2) % 2), 0.201 * Math.floor(k / 4)],
    });
  await expect(run(crowd)).rejects.toThrowCode({
    code: 'core/alarm',
    element: 'contact sphere 0',
    values: [2, 'bodies.neighbours'],
  });
});

it('options of contact between bodies that are out of range or unknown are refused, naming the option', () => {
  for (const [given, expected] of [
    [{ maxSpeed: 0 }, { code: 'contact/option-out-of-range', field: 'bodies.maxSpeed', values: [0] }],
    [
      { maxSpeed: 1, refresh: 1.5 },
      { code: 'contact/option-out-of-range', field: 'bodies.refresh', values: [1.5] },
    ],
    [
      { maxSpeed: 1, neighbours: 300 },
      { code: 'contact/option-out-of-range', field: 'bodies.neighbours', values: [300] },
    ],
    [
      { maxSpeed: 1, rounding: 0 },
      { code: 'contact/option-out-of-range', field: 'bodies.rounding', values: [0] },
    ],
    [
      { maxSpeed: 1, excludedPairs: [[1]] },
      { code: 'contact/option-out-of-range', field: 'bodies.excludedPairs' },
    ],
    [
      { maxSpeed: 1, speed: 3 },
      { code: 'base/unknown-option', values: ['speed'] },
    ],
  ] as const)
    expect(() => contact({ bodies: given as never })).toThrowCode(expected);
});

it('overlapping spheres of one body do not touch each other', async () => {
  const scene = emptyScene();
  const body = throwBody(scene, { shape: 'sphere', position: [0, 0, 0], velocity: [0.5, 0, 0] });
  // Two shapes of one body overlap.
  scene.add(ContactSphere, { body, position: [0.05, 0, 0], radius: 0.1, ...MATERIAL });
  const simulation = await createSimulation(buildModel(scene), {
    device: cpuDevice(),
    frames: 3,
    frameRate: 30,
    substeps: 16,
  });
  simulation.forward();
  expect((await simulation.read('bodies.velocity'))[0]).toBeCloseTo(0.5, 6);
});
