import { articulated, Link } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { describe, type ExpectedError, expect, it } from 'vitest';

type Given = Parameters<typeof addTo>[1];
const addTo = (scene: Scene, given: Readonly<Record<string, unknown>>): Entity =>
  scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -1, 0], ...given }, 'the rod');
const buildOf = (given: Given) => () => {
  const scene = createScene([articulated()]);
  addTo(scene, given);
  buildModel(scene);
};

describe('a tree of links is refused for', () => {
  it.each<[string, Given, ExpectedError]>([
    ['a joint that there is not', { joint: 'hinge' }, { code: 'base/unknown-choice', values: ['links.joint'] }],
    [
      'a parent that is no link',
      { parent: 99 },
      { code: 'articulated/unknown-parent', field: 'links.parent', element: 'the rod', values: [99] },
    ],
    [
      'limits out of order',
      { lower: 1, upper: -1 },
      { code: 'articulated/limits-reversed', field: 'links.lower', element: 'the rod', values: [-1, 'links.upper'] },
    ],
    [
      'a negative mass',
      { mass: -1 },
      { code: 'core/value-out-of-range', field: 'links.mass', element: 'the rod', values: [-1] },
    ],
    [
      'an axis without direction',
      { axis: [0, 0, 0] },
      { code: 'core/value-out-of-range', field: 'links.axis', element: 'the rod' },
    ],
    [
      'a massless end',
      { mass: 0 },
      { code: 'articulated/no-mass', field: 'links.mass', element: 'the rod', values: [0] },
    ],
    [
      'a mass on its axis',
      { centre: [0, 0, 2] },
      { code: 'articulated/no-inertia', field: 'links.centre', element: 'the rod', values: ['0, 0, 2'] },
    ],
    [
      'an inertia beyond the triangle inequality',
      { inertia: [1, 0, 0, 0, 1, 0, 0, 0, 3] },
      { code: 'articulated/inertia-not-physical', field: 'links.inertia', element: 'the rod', values: [1, 0, 3] },
    ],
    [
      'a negative inertia',
      { inertia: [1, 0, 0, 0, 1, 0, 0, 0, -0.5] },
      { code: 'articulated/inertia-not-physical', field: 'links.inertia' },
    ],
    [
      'an inertia that is not symmetric',
      { inertia: [1, 0.5, 0, 0, 1, 0, 0, 0, 1] },
      'articulated/inertia-not-physical',
    ],
    [
      'an inertia without mass',
      { mass: 0, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
      { code: 'articulated/inertia-not-physical', values: [0, 'links.mass'] },
    ],
    [
      'a point mass that spins on a ball',
      { joint: 'ball' },
      { code: 'articulated/no-inertia', field: 'links.inertia', element: 'the rod' },
    ],
    [
      'a point mass that is free to spin',
      { joint: 'free' },
      { code: 'articulated/no-inertia', field: 'links.inertia', element: 'the rod' },
    ],
    [
      'a rate of a joint without an axis',
      { joint: 'fixed', rate: 2 },
      { code: 'articulated/idle-value', field: 'links.rate', element: 'the rod', values: [2, 'fixed'] },
    ],
    [
      'a velocity of a revolute joint',
      { velocity: [1, 0, 0] },
      { code: 'articulated/idle-value', field: 'links.velocity', element: 'the rod', values: [1, 0] },
    ],
  ])('%s', (_, given, expected) => {
    expect(buildOf(given)).toThrowCode(expected);
  });

  it('a loop of parents', () => {
    const scene = createScene([articulated()]);
    // Entities are numbered consecutively, so the first can name the third.
    const first = addTo(scene, { parent: 0 });
    const loop = createScene([articulated()]);
    addTo(loop, { parent: first + 2 });
    const second = addTo(loop, { parent: first });
    addTo(loop, { parent: second });
    expect(() => buildModel(loop)).toThrowCode({ code: 'articulated/loop-of-links', values: ['links.parent'] });
  });

  it('a chain that ends without mass', () => {
    const scene = createScene([articulated()]);
    const first = addTo(scene, { mass: 0 });
    scene.add(Link, { parent: first, joint: 'fixed', mass: 0 });
    scene.add(Link, { parent: first, joint: 'free', mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] });
    expect(() => buildModel(scene)).toThrowCode({
      code: 'articulated/no-mass',
      field: 'links.mass',
      element: 'the rod',
      values: [0],
    });
  });

  it('none of these: the inertia of a flat plate, of a thin rod, or of a tilted rod', () => {
    for (const inertia of [
      [1, 0, 0, 0, 1, 0, 0, 0, 2],
      [0, 0, 0, 0, 1, 0, 0, 0, 1],
      [0.5, -0.5, 0, -0.5, 0.5, 0, 0, 0, 1],
    ])
      expect(buildOf({ inertia })).not.toThrow();
  });
});
