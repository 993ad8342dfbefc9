import { articulated, Link } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { describe, expect, it } from 'vitest';

type Given = Parameters<typeof addTo>[1];
const addTo = (scene: Scene, given: Readonly<Record<string, unknown>>): Entity =>
  scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -1, 0], ...given }, 'the rod');
const buildOf = (given: Given) => () => {
  const scene = createScene([articulated()]);
  addTo(scene, given);
  buildModel(scene);
};

describe('a tree is refused, with the entity, the field and the value', () => {
  it.each<[string, Given, RegExp]>([
    ['a joint that there is not', { joint: 'hinge' }, /the rod.*links\.joint.*hinge/],
    ['a parent that is no link', { parent: 99 }, /the rod.*links\.parent is 99/],
    ['limits out of order', { lower: 1, upper: -1 }, /the rod.*links\.lower is 1, and links\.upper -1/],
    ['a negative mass', { mass: -1 }, /the rod.*links\.mass.*-1/],
    ['an axis without direction', { axis: [0, 0, 0] }, /the rod.*links\.axis/],
    ['a massless end', { mass: 0 }, /the rod.*links\.mass is 0/],
    ['a mass on its axis', { centre: [0, 0, 2] }, /the rod.*links\.centre is \(0, 0, 2\)/],
    [
      'an inertia beyond the triangle inequality',
      { inertia: [1, 0, 0, 0, 1, 0, 0, 0, 3] },
      /the rod.*links\.inertia is \(1, 0, 0, 0, 1, 0, 0, 0, 3\)/,
    ],
    ['a negative inertia', { inertia: [1, 0, 0, 0, 1, 0, 0, 0, -0.5] }, /links\.inertia/],
    ['an inertia that is not symmetric', { inertia: [1, 0.5, 0, 0, 1, 0, 0, 0, 1] }, /symmetric/],
    ['an inertia without mass', { mass: 0, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }, /links\.mass is 0/],
    ['a point mass that spins on a ball', { joint: 'ball' }, /the rod.*links\.inertia/],
    ['a point mass that is free to spin', { joint: 'free' }, /the rod.*links\.inertia/],
    ['a rate of a joint without an axis', { joint: 'fixed', rate: 2 }, /the rod.*links\.rate is 2.*fixed/],
    ['a velocity of a revolute joint', { velocity: [1, 0, 0] }, /the rod.*links\.velocity is \(1, 0, 0\)/],
  ])('%s', (_, given, message) => {
    expect(buildOf(given)).toThrow(message);
  });

  it('a loop', () => {
    const scene = createScene([articulated()]);
    // Entities are numbered consecutively, so the first can name the third.
    const first = addTo(scene, { parent: 0 });
    const loop = createScene([articulated()]);
    addTo(loop, { parent: first + 2 });
    const second = addTo(loop, { parent: first });
    addTo(loop, { parent: second });
    expect(() => buildModel(loop)).toThrow(/links\.parent leads in a loop/);
  });

  it('a chain that ends without mass', () => {
    const scene = createScene([articulated()]);
    const first = addTo(scene, { mass: 0 });
    scene.add(Link, { parent: first, joint: 'fixed', mass: 0 });
    scene.add(Link, { parent: first, joint: 'free', mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
    expect(() => buildModel(scene)).toThrow(/the rod.*links\.mass is 0, and so is that of all that hangs on it/);
  });

  it('but not for physical bodies: a flat plate, a thin rod, and a tilted one', () => {
    for (const inertia of [
      [1, 0, 0, 0, 1, 0, 0, 0, 2],
      [0, 0, 0, 0, 1, 0, 0, 0, 1],
      [0.5, -0.5, 0, -0.5, 0.5, 0, 0, 0, 1],
    ])
      expect(buildOf({ inertia })).not.toThrow();
  });
});
