import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addCloth, cloth, Hinge } from '@gradsim/cloth';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import {
  cornersOf,
  dropUnusedVertices,
  findHinges,
  icosphere,
  plane,
  readMesh,
  torus,
  triangleArea,
  triangleCount,
} from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const sheet = plane({ size: [2, 1], segments: [2, 1] });

describe('sheets', () => {
  // A closed surface has 3/2 edges per triangle, each a hinge; its mass is density times area, here exactly.
  it.each<[string, TriangleMesh]>([
    ['ball', icosphere({ radius: 0.5, subdivisions: 2 })],
    ['torus', torus({ radius: 0.5, tube: 0.2 })],
  ])('may be made of a closed mesh, with a hinge on every edge: %s', async (_, mesh) => {
    const scene = createScene([particles(), cloth()]);
    const added = addCloth(scene, mesh, {
      mu: 30,
      lambda: 40,
      density: 0.2,
      bendStiffness: 1e-3,
    });
    expect(added.hinges).toHaveLength(mesh.triangles.length / 2);
    expect(Math.abs(scene.get(added.hinges[0], Hinge, 'restAngle')[0])).toBeGreaterThan(0);
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 1e5,
      substeps: 1,
    });
    simulation.forward();
    const mass = (await simulation.read('particles.totalMass')).reduce((sum, m) => sum + m, 0);
    let area = 0;
    for (let t = 0; t < triangleCount(mesh); t++) area += triangleArea(cornersOf(mesh, t));
    expect(mass / (0.2 * area)).toBeCloseTo(1, 12);
  });

  const walker = fileURLToPath(new URL('../../../../shared/data/gradsim/meshes/walker.obj', import.meta.url));
  if (!existsSync(walker)) console.log('walker.obj: skipped, ../shared/data is not there');
  it.skipIf(!existsSync(walker))('can be built from walker.obj, of 104 triangles', async () => {
    const made = dropUnusedVertices(await readMesh(walker));
    expect(made.triangles).toHaveLength(3 * 104);
    const scene = createScene([particles(), cloth()]);
    const added = addCloth(scene, made, { mu: 1e4, lambda: 1e4, density: 1, bendStiffness: 1 });
    expect(added.hinges).toHaveLength(findHinges(made).length / 4);
    buildModel(scene);
  });
});

describe('option values of a sheet', () => {
  const [points, elements, hinges] = [6, 4, findHinges(sheet).length / 4];
  const names = {
    triangles: ['mu', 'lambda', 'damping', 'actuation', 'density', 'drag', 'lift'],
    hinges: ['bendStiffness', 'bendDamping', 'restAngle', 'bendActuation'],
  };
  const counts = new Map<string, number>([
    ...names.triangles.map((name) => [name, elements] as const),
    ...names.hinges.map((name) => [name, hinges] as const),
    ['mass', points],
    ['velocity', 3 * points],
  ]);
  const fieldOf = (name: string): string =>
    names.triangles.includes(name)
      ? `triangles.${name}`
      : names.hinges.includes(name)
        ? `hinges.${name.replace(/^bend(.)/, (_, first: string) => first.toLowerCase())}`
        : `particles.${name}`;
  const base = { mu: 1, lambda: 1, density: 1, bendStiffness: 1 };
  const built = (options: object): ((key: string) => number[]) => {
    const scene = createScene([particles(), cloth()]);
    addCloth(scene, sheet, { ...base, ...options });
    const model = buildModel(scene);
    return (key) => Array.from(model.field(key).values!);
  };
  it.each([...counts])('%s can be one value for all, or one for each; a list of two is refused', (name, count) => {
    const each = Array.from({ length: count }, (_, k) => k + 2);
    expect(built({ [name]: each })(fieldOf(name))).toEqual(each);
    if (name === 'velocity') expect(built({ velocity: [1, 2, 3] })(fieldOf(name)).slice(3, 6)).toEqual([1, 2, 3]);
    else expect(built({ [name]: 7 })(fieldOf(name))).toEqual(Array(count).fill(7));
    expect(() => built({ [name]: [1, 2] })).toThrowCode({ code: 'core/wrong-size', values: [2] });
  });
  it('`fixed` lists the indices of the fixed particles', () => {
    expect(built({ fixed: [1, 4] })('particles.fixed')).toEqual([0, 1, 0, 0, 1, 0]);
  });
});

it('an unknown option is refused, with the nearest name', () => {
  const scene = createScene([particles(), cloth()]);
  const mesh = plane({ size: [1, 1], segments: [1, 1] });
  expect(() => addCloth(scene, mesh, { mu: 1, lambda: 1, density: 1, bendStifness: 1 } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"bendStifness"', '"bendStiffness"', 'addCloth'],
  });
});
