import { contact, HalfSpace, ParticleContact } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import type { TetMesh } from '@gradsim/fem';
import { addSoftBody, fem, outerSurface, Tet, tetGrid } from '@gradsim/fem';
import { Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const plugins = () => [particles(), fem()];
const material = { mu: 1000, lambda: 1500, density: 500 };

describe('mass', () => {
  // A node mass of rho V / 8 on grids (a defect of the research code) would be wrong at every resolution.
  it('is density times volume in all, exactly, at every resolution', async () => {
    for (const cells of [
      [1, 1, 1],
      [2, 3, 1],
      [4, 4, 5],
    ] as const) {
      const scene = createScene(plugins());
      addSoftBody(scene, tetGrid({ cells, size: [0.5, 0.4, 0.3] }), material);
      const simulation = await createSimulation(buildModel(scene), {
        device: f64Device(),
        frames: 2,
        frameRate: 1000,
        substeps: 1,
      });
      simulation.forward();
      const masses = await simulation.read('particles.totalMass');
      expect(masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(500 * 0.5 * 0.4 * 0.3, 11);
    }
  });
});

describe('values', () => {
  const two = tetGrid({ cells: [1, 1, 1], size: [1, 1, 1] });
  const [points, elements] = [two.positions.length / 3, two.tets.length / 4];
  const ramp = (count: number, from: number): number[] => Array.from({ length: count }, (_, k) => from + k);
  const all = { mu: 10, lambda: 20, damping: 30, actuation: 0.4, density: 50, mass: 60 };
  it('can be one for all, or one for each', () => {
    const scene = createScene(plugins());
    addSoftBody(scene, two, { ...all, velocity: [1, 2, 3], fixed: [2] });
    addSoftBody(scene, two, {
      mu: ramp(elements, 10),
      lambda: Float32Array.from(ramp(elements, 20)),
      damping: ramp(elements, 30),
      actuation: ramp(elements, 40),
      density: ramp(elements, 50),
      mass: ramp(points, 60),
      velocity: ramp(3 * points, 70),
    });
    const model = buildModel(scene);
    const values = (key: string): number[] => Array.from(model.field(key).values!);
    const same = (count: number, value: number): number[] => Array<number>(count).fill(value);
    const [mu, lambda] = [values('tets.mu'), values('tets.lambda')];
    expect(mu).toEqual([...same(elements, 10), ...ramp(elements, 10)]);
    expect(lambda).toEqual([...same(elements, 20), ...ramp(elements, 20)]);
    expect(values('tets.damping')).toEqual([...same(elements, 30), ...ramp(elements, 30)]);
    expect(values('tets.actuation').slice(elements)).toEqual(ramp(elements, 40));
    expect(values('tets.actuation')[0]).toBeCloseTo(0.4, 6);
    expect(values('tets.density')).toEqual([...same(elements, 50), ...ramp(elements, 50)]);
    expect(values('particles.mass')).toEqual([...same(points, 60), ...ramp(points, 60)]);
    const velocity = values('particles.velocity');
    expect(velocity.slice(0, 6)).toEqual([1, 2, 3, 1, 2, 3]);
    expect(velocity.slice(3 * points)).toEqual(ramp(3 * points, 70));
    expect(values('particles.fixed').indexOf(1)).toBe(2);
    expect(values('particles.fixed').lastIndexOf(1)).toBe(2);
  });
  it.each(['mu', 'lambda', 'damping', 'actuation', 'density', 'mass', 'velocity'] as const)(
    '%s of a wrong number are refused, with both numbers',
    (name) => {
      const scene = createScene(plugins());
      expect(() => addSoftBody(scene, two, { ...all, [name]: [1, 2] })).toThrow(
        new RegExp(`${name}: \\d+ entities need \\d+ x [13] values, got 2`),
      );
    },
  );
});

describe('the outer surface', () => {
  it('of a grid is closed, has its area, and points outwards', () => {
    const { positions, tets } = tetGrid({ cells: [3, 2, 2], size: [3, 1, 2], origin: [5, 5, 5] });
    const { vertices, ownTriangles, triangles } = outerSurface(tets);
    expect(Array.from(ownTriangles, (k) => vertices[k])).toEqual(Array.from(triangles));
    const edges = new Map<string, number>();
    let [area, volume] = [0, 0];
    const at = (k: number): number[] => [0, 1, 2].map((axis) => positions[3 * k + axis]);
    for (let t = 0; t < triangles.length; t += 3) {
      const corners = [...triangles.subarray(t, t + 3)];
      corners.forEach((c, k) => {
        const key = `${c} ${corners[(k + 1) % 3]}`;
        edges.set(key, (edges.get(key) ?? 0) + 1);
      });
      const [a, b, c] = corners.map(at);
      const [u, v] = [b.map((x, k) => x - a[k]), c.map((x, k) => x - a[k])];
      const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      area += Math.hypot(...n) / 2;
      volume += (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / 6;
    }
    for (const [key, count] of edges) {
      expect(count).toBe(1);
      expect(edges.has(key.split(' ').reverse().join(' '))).toBe(true);
    }
    expect(area).toBeCloseTo(22, 12);
    expect(volume).toBeCloseTo(6, 12);
    // 4 x 3 x 3 points, of which 2 lie inside.
    expect(vertices).toHaveLength(34);
  });
  it('is offered to renderers', () => {
    const scene = createScene(plugins());
    addSoftBody(scene, tetGrid({ cells: [1, 1, 1], size: [1, 1, 1] }), material);
    const [surface] = buildModel(scene).surfaces;
    expect(surface.domain).toBe('particles');
    expect(surface.triangles).toHaveLength(12 * 3);
  });
  it('refuses three elements at one face', () => {
    expect(() => outerSurface([0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5])).toThrow(
      'tetrahedron 2 is the third at the face of vertices 0, 1, 2',
    );
  });
});

describe('bad input is refused', () => {
  const unit: TetMesh = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], tets: [0, 1, 2, 3] };
  const build = (mesh: TetMesh, options: Partial<Parameters<typeof addSoftBody>[2]> = {}): Scene => {
    const scene = createScene(plugins());
    addSoftBody(scene, mesh, { ...material, ...options });
    buildModel(scene);
    return scene;
  };
  it('inverted and flat elements, by number', () => {
    expect(() => build({ ...unit, tets: [0, 1, 2, 3, 0, 2, 1, 3] })).toThrow(
      'element 1 of tets is inverted in its rest shape, with volume -0.167 m^3; swap two of its vertices.',
    );
    expect(() => build({ ...unit, positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0] })).toThrow(
      'element 0 of tets is flat in its rest shape',
    );
  });
  it('lambda = 0, lambda < 0 and mu < 0, naming the element', () => {
    const two = tetGrid({ cells: [1, 1, 1], size: [1, 1, 1] });
    expect(() => build(two, { lambda: [1, 1, 0, 1, 1] })).toThrow(
      'tets 2 of the 5 new ones: tets.lambda is 0; it must be above 0.',
    );
    expect(() => build(two, { mu: [1, 1, 1, 1, -3] })).toThrow(
      'tets 4 of the 5 new ones: tets.mu is -3; it must not be negative.',
    );
    expect(() => build(two, { lambda: -5 })).toThrow('tets.lambda is -5; it must be above 0.');
    const scene = createScene(plugins());
    const vertices = [0, 1, 2, 3].map((k) => scene.add(Particle, { position: [k, k * k, k ** 3], mass: 1 }));
    expect(() => scene.add(Tet, { vertices, mu: 1, lambda: 0 }, 'the wing tip')).toThrow(
      'the wing tip: tets.lambda is 0; it must be above 0.',
    );
  });
  it('vertices that are not there, and particles in no element', () => {
    expect(() => build({ ...unit, tets: [0, 1, 2, 4] })).toThrow(
      'addSoftBody: element 0 names vertex 4; the mesh has 4 vertices.',
    );
    expect(() => build({ ...unit, positions: [...(unit.positions as number[]), 5, 5, 5] })).toThrow(
      'addSoftBody: vertex 4 of the mesh is in no element; remove it, and count the others anew.',
    );
    expect(() => build(unit, { density: 0 })).toThrow(
      /no element with a density has this particle \(number 0\)/,
    );
    expect(() => build(unit, { fixed: [7] })).toThrow('fixed names vertex 7; the mesh has 4 vertices');
    expect(() => tetGrid({ cells: [1, 0, 1], size: [1, 1, 1] })).toThrow(
      'cells[1] is 0; it must be a whole number of at least 1',
    );
  });
});

describe('gradients through a run', () => {
  it('of every parameter, thrown onto the ground', async () => {
    const scene = createScene([...plugins(), contact()]);
    const body = addSoftBody(
      scene,
      tetGrid({ cells: [2, 1, 1], size: [0.4, 0.2, 0.2], origin: [0, 0.02, 0] }),
      {
        ...material,
        damping: 2,
        actuation: 0.02,
        mass: 0.1,
        velocity: [0.5, -1, 0.2],
        fixed: [0],
      },
    );
    for (const entity of body.particles)
      scene.attach(entity, ParticleContact, { ke: 5000, kd: 5, kf: 10, mu: 0.4, thickness: 0.01 });
    scene.add(HalfSpace, {});
    await checkGradients(buildModel(scene), {
      frames: 2,
      frameRate: 10,
      substeps: 100,
      parameters: [
        'tets.mu',
        'tets.lambda',
        'tets.damping',
        'tets.actuation',
        'tets.density',
        'particles.position',
        'particles.velocity',
        'particles.mass',
        'particles.load',
        'particles.ke',
        'particles.kd',
        'particles.kf',
        'particles.mu',
        'particles.thickness',
        'halfSpaces.normal',
        'halfSpaces.offset',
        'world.gravity',
      ],
      outputs: ['particles.position', 'particles.velocity'],
      seed: 5,
    });
  });
});
