import { ContactBox, ContactCapsule, ContactMesh, ContactSphere, contact } from '@gradsim/contact';
import { buildModel, createScene } from '@gradsim/core';
import { box, flipMesh, plane } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it } from 'vitest';

describe('invalid shapes are refused by entity, field and value', () => {
  const scene = () => createScene([rigid(), particles(), contact()]);
  it('sizes and materials', () => {
    const s = scene();
    expect(() => s.add(ContactBox, { size: [1, 0, 1], ke: 1 }, 'the step')).toThrow(
      'the step: boxes.size is 0. It must be above 0.',
    );
    expect(() => s.add(ContactCapsule, { length: -1, radius: 1, ke: 1 }, 'the rod')).toThrow(
      'the rod: capsules.length is -1. It must not be negative.',
    );
    expect(() => s.add(ContactCapsule, { length: 1, radius: -0.1, ke: 1 }, 'the rod')).toThrow(
      'the rod: capsules.radius is -0.1. It must be above 0.',
    );
    expect(() => s.add(ContactSphere, { radius: 0, ke: 1 }, 'the ball')).toThrow(
      'the ball: spheres.radius is 0. It must be above 0.',
    );
    expect(() => s.add(ContactBox, { size: [1, 1, 1], ke: 1, mu: -0.5 }, 'the step')).toThrow(
      'the step: boxes.mu is -0.5. It must not be negative.',
    );
    expect(() => s.add(ContactBox, { size: [1, 1, 1] }, 'the step')).toThrow('the step: boxes.ke is missing.');
  });

  it('zero orientations', () => {
    const s = scene();
    const add = () => s.add(ContactBox, { size: [1, 1, 1], ke: 1, orientation: [0, 0, 0, 0] }, 'the step');
    expect(add).toThrow('the step: boxes.orientation is (0, 0, 0, 0). It must be a rotation');
  });

  it('meshes that are open, inverted, missing, or of an invalid resolution', () => {
    const build = (values: object): void => {
      const s = scene();
      const ghost = s.add(Body, { mass: 1, inertia: [1, 0, 0, 0, 1, 0, 0, 0, 1] }, 'the ghost');
      s.add(ContactMesh, { ke: 1, ...('ghost' in values ? { body: ghost } : values) }, 'the cup');
      buildModel(s);
    };
    expect(() => build({ mesh: plane() })).toThrow(/^the cup: meshes\.mesh: .* is open, but a solid must be closed/);
    expect(() => build({ mesh: flipMesh(box()) })).toThrow(/^the cup: meshes\.mesh: .* is inside out/);
    expect(() => build({})).toThrow('the cup: meshes.mesh is missing, and there is no meshes.body to take it from.');
    expect(() => build({ ghost: true })).toThrow(
      'the cup: meshes.mesh is missing, and its body has no mesh to take it from.',
    );
    expect(() => build({ mesh: box(), resolution: 2.5 })).toThrow(
      'the cup: meshes.resolution is 2.5. It must be a whole number of cells from 4 to 128.',
    );
  });

  it('bodies that do not exist', () => {
    const s = scene();
    const brick = s.add(Body, { mesh: box(), mass: 1 });
    s.add(ContactBox, { body: brick, size: [1, 1, 1], ke: 1 }, 'its hull');
    s.remove(brick);
    expect(() => buildModel(s)).toThrow(`its hull: boxes.body is ${brick}, which is no body of the scene.`);
    const without = createScene([particles(), contact()]);
    without.add(ContactSphere, { body: 0, radius: 1, ke: 1 }, 'the ball');
    expect(() => buildModel(without)).toThrow(
      'the ball: spheres.body is 0, which is no body of the scene; no plugin has bodies, register @gradsim/rigid.',
    );
  });

  it('shapes that nothing would ever touch', () => {
    const s = createScene([rigid(), contact()]);
    const ball = s.add(Body, { mesh: box(), mass: 1 });
    s.add(ContactSphere, { body: ball, radius: 1, ke: 1 });
    buildModel(s);
    s.add(ContactBox, { body: ball, size: [1, 1, 1], ke: 1 }, 'its hull');
    expect(() => buildModel(s)).toThrow('its hull: only points touch boxes, and no plugin of this scene has any');
  });
});
