import { ContactBox, ContactCapsule, ContactMesh, ContactSphere, contact } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { box, flipMesh, plane } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

describe('invalid shapes are refused by entity, field and value', () => {
  const scene = () => createScene([rigid(), particles(), contact()]);
  it('sizes that are not positive, a negative mu, and a missing ke', () => {
    const s = scene();
    expect(() => s.add(ContactBox, { size: [1, 0, 1], ke: 1 }, 'the step')).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'boxes.size',
      element: 'the step',
      values: [0],
    });
    expect(() => s.add(ContactCapsule, { length: -1, radius: 1, ke: 1 }, 'the rod')).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'capsules.length',
      element: 'the rod',
      values: [-1],
    });
    expect(() => s.add(ContactCapsule, { length: 1, radius: -0.1, ke: 1 }, 'the rod')).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'capsules.radius',
      element: 'the rod',
      values: [-0.1],
    });
    expect(() => s.add(ContactSphere, { radius: 0, ke: 1 }, 'the ball')).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'spheres.radius',
      element: 'the ball',
      values: [0],
    });
    expect(() => s.add(ContactBox, { size: [1, 1, 1], ke: 1, mu: -0.5 }, 'the step')).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'boxes.mu',
      element: 'the step',
      values: [-0.5],
    });
    expect(() => s.add(ContactBox, { size: [1, 1, 1] }, 'the step')).toThrowCode({
      code: 'core/value-missing',
      field: 'boxes.ke',
      element: 'the step',
      values: ['the step: boxes'],
    });
  });

  it('an orientation of zeros', () => {
    const s = scene();
    const add = () => s.add(ContactBox, { size: [1, 1, 1], ke: 1, orientation: [0, 0, 0, 0] }, 'the step');
    expect(add).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'boxes.orientation',
      element: 'the step',
      values: ['(0, 0, 0, 0)'],
    });
  });

  it('meshes that are open, inverted or missing, and a resolution that is not an integer', () => {
    const build = (values: object): void => {
      const s = scene();
      const ghost = s.add(Body, { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }, 'the ghost');
      s.add(ContactMesh, { ke: 1, ...('ghost' in values ? { body: ghost } : values) }, 'the cup');
      buildModel(s);
    };
    expect(() => build({ mesh: plane() })).toThrowCode({
      code: 'contact/mesh-unusable',
      element: 'the cup',
      values: ['meshes.mesh', 'is open, but a solid must be closed'],
    });
    expect(() => build({ mesh: flipMesh(box()) })).toThrowCode({
      code: 'contact/mesh-unusable',
      element: 'the cup',
      values: ['the cup: meshes.mesh'],
    });
    expect(() => build({})).toThrowCode({
      code: 'contact/no-mesh',
      field: 'meshes.mesh',
      element: 'the cup',
      values: ['there is no meshes.body'],
    });
    expect(() => build({ ghost: true })).toThrowCode({
      code: 'contact/no-mesh',
      field: 'meshes.mesh',
      element: 'the cup',
    });
    expect(() => build({ mesh: box(), resolution: 2.5 })).toThrowCode({
      code: 'contact/value-out-of-range',
      field: 'meshes.resolution',
      element: 'the cup',
      values: [2.5],
    });
  });

  it('shapes of a removed body, or of a body in a scene without bodies', () => {
    const s = scene();
    const brick = s.add(Body, { mesh: box(), mass: 1 });
    s.add(ContactBox, { body: brick, size: [1, 1, 1], ke: 1 }, 'its hull');
    s.remove(brick);
    expect(() => buildModel(s)).toThrowCode({
      code: 'contact/unknown-body',
      field: 'boxes.body',
      element: 'its hull',
      values: [brick],
    });
    const without = createScene([particles(), contact()]);
    without.add(ContactSphere, { body: 0, radius: 1, ke: 1 }, 'the ball');
    expect(() => buildModel(without)).toThrowCode({
      code: 'contact/unknown-body',
      field: 'spheres.body',
      element: 'the ball',
      values: [0, 'gradsim/rigid', 'the ball: spheres'],
    });
  });

  it('a ContactBox in a scene without particles, where nothing would touch it', () => {
    const s = createScene([rigid(), contact()]);
    const ball = s.add(Body, { mesh: box(), mass: 1 });
    s.add(ContactSphere, { body: ball, radius: 1, ke: 1 });
    buildModel(s);
    s.add(ContactBox, { body: ball, size: [1, 1, 1], ke: 1 }, 'its hull');
    expect(() => buildModel(s)).toThrowCode({
      code: 'contact/nothing-offered',
      element: 'its hull',
      values: ['boxes'],
    });
  });
});
