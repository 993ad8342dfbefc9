import { articulated, Constraint, Link } from '@gradsim/articulated';
import { buildModel, createScene } from '@gradsim/core';
import { describe, expect, it } from 'vitest';

const body = { mass: 1, centre: [0, -0.3, 0] } as const;
function built(more: object, options: Parameters<typeof articulated>[0] = {}) {
  const scene = createScene([articulated(options)]);
  const one = scene.add(Link, { ...body, joint: 'revolute' });
  const two = scene.add(Link, { ...body, joint: 'revolute', anchor: [1, 0, 0] });
  const ball = scene.add(Link, { ...body, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1], joint: 'ball', anchor: [2, 0, 0] });
  const still = scene.add(Link, { ...body, joint: 'fixed', anchor: [3, 0, 0] });
  const given = { kind: 'gear', link: two, other: one, ...more } as Parameters<typeof scene.add<typeof Constraint>>[1];
  scene.add(Constraint, given);
  return { model: () => buildModel(scene), one, two, ball, still };
}

describe('refuses a constraint', () => {
  const { ball, still, two } = built({});
  const points = { point: [-0.5, 0, 0], otherPoint: [0.5, 0, 0] };
  it.each([
    ['of an unknown kind', { kind: 'glue' }, 'base/unknown-choice'],
    ['of what is no link', { link: 99 }, 'articulated/unknown-end'],
    ['of a link with itself', { other: two }, 'articulated/constraint-to-itself'],
    ['that gears a ball joint', { link: ball }, 'articulated/gear-without-axis'],
    ['whose points are apart', { kind: 'connect', ...points, point: [-0.4, 0, 0] }, 'articulated/constraint-open'],
    [
      'whose links are turned',
      { kind: 'weld', ...points, restOrientation: [0.1, 0, 0, 1] },
      'articulated/constraint-open',
    ],
    ['whose coordinates do not follow', { offset: 0.1 }, 'articulated/constraint-open'],
    [
      'of links that nothing moves',
      { kind: 'connect', link: still, other: undefined, otherPoint: [3, 0, 0] },
      'articulated/constraint-of-fixed-links',
    ],
    ['with a time constant below 0', { timeConstant: -1 }, 'core/value-out-of-range'],
  ])('%s', (_, more, code) => {
    expect(() => built(more).model()).toThrowCode(code);
  });
  it('where another plugin moves joints', () => {
    expect(() => built({}, { integrator: 'none' }).model()).toThrowCode('articulated/constraint-unused');
  });
  it('and takes others', () => {
    expect(built({}).model()).toBeDefined();
    expect(built({ kind: 'connect', ...points }).model()).toBeDefined();
  });
});
