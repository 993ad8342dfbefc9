import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addCloth, cloth, findHinges, Hinge, sheetFromMesh, sheetGrid } from '@gradsim/cloth';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import type { TriangleMesh } from '@gradsim/mesh';
import { icosphere, parseObj, torus } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const sheet = sheetGrid({ columns: 2, rows: 1, size: [2, 1] });

describe('sheets of meshes', () => {
  it('leave unused vertices out, and say which are left', () => {
    const positions = [9, 9, 9, ...Array.from(sheet.positions), 8, 8, Number.NaN];
    const made = sheetFromMesh({ positions, triangles: Array.from(sheet.triangles, (v) => v + 1) });
    expect(made.positions).toEqual(Float64Array.from(sheet.positions));
    expect(made.triangles).toEqual(Uint32Array.from(sheet.triangles));
    expect([...made.vertices]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  // A closed surface has 3/2 edges a triangle, each a hinge; its mass is density times area, here exactly.
  it.each<[string, TriangleMesh]>([
    ['ball', icosphere({ radius: 0.5, subdivisions: 2 })],
    ['torus', torus({ radius: 0.5, tube: 0.2 })],
  ])('of a closed mesh are cloth: %s', async (_, mesh) => {
    const scene = createScene([particles(), cloth()]);
    const added = addCloth(scene, sheetFromMesh(mesh), {
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
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((k) =>
        mesh.positions.subarray(3 * mesh.triangles[t + k], 3 * mesh.triangles[t + k] + 3),
      );
      const [u, v] = [b, c].map((p) => [0, 1, 2].map((k) => p[k] - a[k]));
      area += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
    }
    expect(mass / (0.2 * area)).toBeCloseTo(1, 12);
  });

  it('are refused by number when they are none', () => {
    const { positions } = sheet;
    const of =
      (triangles: number[], points: ArrayLike<number> = positions) =>
      () =>
        sheetFromMesh({ positions: points, triangles, name: 'flag' });
    expect(of([])).toThrow('sheetFromMesh: flag has no triangles.');
    expect(of([0, 1])).toThrow('flag has 18 coordinates and 2 corners; both must be multiples of 3.');
    expect(of([0, 1, 6])).toThrow('flag has 6 vertices, but triangle 0 names vertex 6.');
    expect(of([0, 1, -1])).toThrow('triangle 0 names vertex -1');
    expect(of([0, 3, 1, 2, 2, 1])).toThrow('flag has triangle 1 with vertex 2 twice');
    expect(of([0, 1, 3, 1, 3, 4])).toThrow(
      'flag is no sheet: triangles 0 and 1 turn opposite ways at the edge of vertices 1 and 3',
    );
    expect(of([0, 1, 3, 3, 1, 4, 1, 3, 5])).toThrow(
      'flag is no sheet: triangle 2 is the third at the edge of vertices 1 and 3, after 0 and 1; an edge has at most two.',
    );
    expect(of([0, 1, 3], [0, 0, 0, 1, 0, Number.NaN, 2, 0, 0, 0, 0, 1])).toThrow(
      'flag has NaN as z of vertex 1',
    );
  });

  const walker = fileURLToPath(new URL('../../../../shared/data/gradsim/meshes/walker.obj', import.meta.url));
  if (!existsSync(walker)) console.log('walker.obj: skipped, ../shared/data is not there');
  it.skipIf(!existsSync(walker))('of walker.obj: 104 triangles', () => {
    const made = sheetFromMesh(parseObj(readFileSync(walker, 'utf8'), 'walker.obj'));
    expect(made.triangles).toHaveLength(3 * 104);
    const scene = createScene([particles(), cloth()]);
    const added = addCloth(scene, made, { mu: 1e4, lambda: 1e4, density: 1, bendStiffness: 1 });
    expect(added.hinges).toHaveLength(findHinges(made.triangles).length / 4);
    buildModel(scene);
  });
});

describe('values', () => {
  const [points, elements, hinges] = [6, 4, findHinges(sheet.triangles).length / 4];
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
  it.each([...counts])(
    '%s can be one for all, or one for each, and no other number of them',
    (name, count) => {
      const each = Array.from({ length: count }, (_, k) => k + 2);
      expect(built({ [name]: each })(fieldOf(name))).toEqual(each);
      if (name === 'velocity')
        expect(built({ velocity: [1, 2, 3] })(fieldOf(name)).slice(3, 6)).toEqual([1, 2, 3]);
      else expect(built({ [name]: 7 })(fieldOf(name))).toEqual(Array(count).fill(7));
      expect(() => built({ [name]: [1, 2] })).toThrow(/\d+ entities need \d+ x [13] values, got 2/);
    },
  );
  it('fixed names particles', () => {
    expect(built({ fixed: [1, 4] })('particles.fixed')).toEqual([0, 1, 0, 0, 1, 0]);
  });
});
