import { ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { box, capsule, cone, cylinder, icosphere, placeMesh, torus, uvSphere } from '@gradsim/mesh';
import { Body, rigid } from '@gradsim/rigid';
import { describe, expect, it, vi } from 'vitest';

/** Returns the warnings for a body with this mesh that touches half-spaces with its vertices. */
async function warnings(mesh: TriangleMesh, withGround = true): Promise<string[]> {
  const scene = createScene([rigid(), contact()]);
  const body = scene.add(Body, { mesh, mass: 1, position: [0, 3, 0] }, 'the fruit');
  scene.attach(body, contactOf(Body), { ke: 100 });
  if (withGround) scene.add(HalfSpace, {});
  const onWarning = vi.fn<(text: string) => void>();
  const options = { device: f64Device(), frames: 2, frameRate: 30, substeps: 200, onWarning };
  (await createSimulation(buildModel(scene), options)).dispose();
  return onWarning.mock.calls.flat();
}
const stretched = (mesh: TriangleMesh, y: number): TriangleMesh => placeMesh(mesh, { scale: [1, y, 1] });

describe('a mesh that is nearly a ball', () => {
  it.each([
    ['an icosphere', icosphere({ radius: 0.1, subdivisions: 2 })],
    ['a coarse icosphere', icosphere({ radius: 0.1, subdivisions: 1 })],
    ['a sphere of rings', uvSphere({ radius: 0.2, segments: 16, rings: 8 })],
    ['one off its origin', placeMesh(icosphere({ radius: 0.1, subdivisions: 2 }), { translation: [1, 2, 3] })],
    ['an orange', stretched(icosphere({ radius: 0.1, subdivisions: 2 }), 0.95)],
  ])('causes a warning that advises ContactSphere or impacts: %s', async (_, mesh) => {
    const [text, ...others] = await warnings(mesh);
    expect(others).toEqual([]);
    expect(text).toMatch(/the fruit: the \d+ vertices of its mesh lie nearly at one distance from its centre of mass/);
    expect(text).toMatch(/ContactSphere instead, or impacts/);
  });

  it('causes no warning if it touches nothing, or touches as a sphere', async () => {
    expect(await warnings(icosphere({ radius: 0.1 }), false)).toEqual([]);
    const scene = createScene([rigid(), contact()]);
    const body = scene.add(Body, { mesh: icosphere({ radius: 0.1 }), mass: 1, position: [0, 1, 0] });
    scene.add(ContactSphere, { body, radius: 0.1, ke: 100 });
    scene.add(HalfSpace, {});
    expect(buildModel(scene).warnings).toEqual([]);
  });

  it.each([
    ['a box', box({ size: [0.2, 0.2, 0.2] })],
    ['a cylinder', cylinder({ radius: 0.1, height: 0.2 })],
    ['a flat cylinder', cylinder({ radius: 0.1, height: 0.05 })],
    ['a cone', cone({ radius: 0.1, height: 0.2 })],
    ['an ellipsoid of 1 : 2', stretched(icosphere({ radius: 0.1, subdivisions: 3 }), 2)],
    ['a lens', stretched(icosphere({ radius: 0.1, subdivisions: 3 }), 0.5)],
    ['a capsule', capsule({ radius: 0.1, height: 0.3 })],
    ['a torus', torus({ radius: 0.2, tube: 0.05 })],
    ['an icosahedron', icosphere({ radius: 0.1, subdivisions: 0 })],
  ])('is none of these, which cause no warning: %s', async (_, mesh) => {
    expect(await warnings(mesh)).toEqual([]);
  });
});
