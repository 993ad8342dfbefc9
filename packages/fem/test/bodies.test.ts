import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device, Surfaces } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { addSoftBody, fem, Tet } from '@gradsim/fem';
import type { TetMesh } from '@gradsim/mesh';
import { massProperties, placeMesh, tetBox, tetrahedralise, torus } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const plugins = () => [particles(), fem()];
const material = { mu: 1000, lambda: 1500, density: 500 };

describe('the mass of a soft body', () => {
  // A node mass of rho V / 8 on grids (a defect of the research code) would be wrong at every resolution.
  it('is density times volume in total, exactly, at three resolutions', async () => {
    for (const cells of [
      [1, 1, 1],
      [2, 3, 1],
      [4, 4, 5],
    ] as const) {
      const scene = createScene(plugins());
      addSoftBody(scene, tetBox({ cells, size: [0.5, 0.4, 0.3] }), material);
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

describe('a soft body that fills a closed surface mesh', () => {
  it('has the mass of the solid, up to the volume error stated by the mesher, and offers its surface to renderers', async () => {
    const mesh = torus({ radius: 0.1, tube: 0.04 });
    const scene = createScene(plugins());
    const body = tetrahedralise(mesh, { cellSize: 0.02 });
    addSoftBody(scene, body, { mu: 1e4, lambda: 2e4, density: 1000 });
    const model = buildModel(scene);
    expect(model.offered(Surfaces)[0].triangles).toHaveLength(body.surface.triangles.length);
    const simulation = await createSimulation(model, {
      device: f64Device(),
      frames: 2,
      frameRate: 1e5,
      substeps: 1,
    });
    simulation.forward();
    const mass = (await simulation.read('particles.totalMass')).reduce((sum, m) => sum + m, 0);
    const solid = massProperties(mesh, { density: 1000 }).mass;
    expect(mass / solid - 1).toBeCloseTo(body.quality.volumeError, 10);
  });
});

describe('option values of a soft body', () => {
  const two = tetBox();
  const [points, elements] = [two.positions.length / 3, two.tets.length / 4];
  const ramp = (count: number, from: number): number[] => Array.from({ length: count }, (_, k) => from + k);
  const all = { mu: 10, lambda: 20, damping: 30, actuation: 0.4, density: 50, mass: 60 };
  it('can be one value for all, or one for each', () => {
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
    '%s of a wrong length are refused, with the expected and the given number',
    (name) => {
      const scene = createScene(plugins());
      expect(() => addSoftBody(scene, two, { ...all, [name]: [1, 2] })).toThrowCode({
        code: 'core/wrong-size',
        values: [name, /need \d+ x [13] values/, 2],
      });
    },
  );
});

describe('the surface of a soft body', () => {
  it('is offered to renderers', () => {
    const scene = createScene(plugins());
    addSoftBody(scene, tetBox(), material);
    const [surface] = buildModel(scene).offered(Surfaces);
    expect(surface.position).toBe(Particle.position);
    expect(surface.triangles).toHaveLength(12 * 3);
  });
});

describe('a soft body is refused for', () => {
  const unit: TetMesh = {
    positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    tets: Uint32Array.of(0, 1, 2, 3),
  };
  const build = (mesh: TetMesh, options: Partial<Parameters<typeof addSoftBody>[2]> = {}): Scene => {
    const scene = createScene(plugins());
    addSoftBody(scene, mesh, { ...material, ...options });
    buildModel(scene);
    return scene;
  };
  it('inverted and flat elements, with the number of the element', () => {
    expect(() => build({ ...unit, tets: Uint32Array.of(0, 1, 2, 3, 0, 2, 1, 3) })).toThrowCode({
      code: 'fem/inverted-element',
      element: 'tetrahedron 1 of soft body 0',
      values: [-0.167],
    });
    expect(() => build({ ...unit, positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0) })).toThrowCode({
      code: 'fem/inverted-element',
      element: 'tetrahedron 0 of soft body 0',
      values: ['flat'],
    });
  });
  it('lambda = 0, lambda < 0 and mu < 0, naming the element', () => {
    const two = tetBox();
    expect(() => build(two, { lambda: [1, 1, 0, 1, 1] })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'tets.lambda',
      element: 'tetrahedron 2 of soft body "tetBox"',
      values: [0, 'soft body "tetBox": tets.lambda'],
    });
    expect(() => build(two, { mu: [1, 1, 1, 1, -3] })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'tets.mu',
      element: 'tetrahedron 4 of soft body "tetBox"',
      values: [-3, 'soft body "tetBox": tets.mu'],
    });
    expect(() => build(two, { lambda: -5 })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'tets.lambda',
      values: [-5],
    });
    const scene = createScene(plugins());
    const vertices = [0, 1, 2, 3].map((k) => scene.add(Particle, { position: [k, k * k, k ** 3], mass: 1 }));
    expect(() => scene.add(Tet, { vertices, mu: 1, lambda: 0 }, 'the wing tip')).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'tets.lambda',
      element: 'the wing tip',
      values: [0],
    });
  });
  it('indices out of range, particles in no element, and zero density', () => {
    expect(() => build({ ...unit, tets: Uint32Array.of(0, 1, 2, 4) })).toThrowCode({
      code: 'mesh/no-such-vertex',
      values: [0, 4, 3, 'tetrahedron'],
    });
    expect(() => build({ ...unit, positions: Float64Array.of(...unit.positions, 5, 5, 5) })).toThrowCode({
      code: 'mesh/unused-vertex',
      values: [4, 'dropUnusedVertices', 'tetrahedron'],
    });
    expect(() => build(unit, { density: 0 })).toThrowCode({ code: 'particles/no-mass', values: [0] });
    expect(() => build(unit, { fixed: [7] })).toThrowCode({
      code: 'particles/no-such-particle',
      field: 'fixed',
      values: [7, 4, 0, 3],
    });
  });
});

describe('gradients of a soft body agree with differences', () => {
  it('by material, contact, ground, gravity and states, thrown onto the ground', async () => {
    const scene = createScene([...plugins(), contact()]);
    const body = addSoftBody(
      scene,
      placeMesh(tetBox({ cells: [2, 1, 1], size: [0.4, 0.2, 0.2] }), { translation: [0, 0.12, 0] }),
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
      scene.attach(entity, contactOf(Particle), { ke: 5000, kd: 5, kf: 10, mu: 0.4, thickness: 0.01 });
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

it('an unknown option is refused, with the nearest name', () => {
  const scene = createScene([particles(), fem()]);
  const mesh = tetBox({ cells: [1, 1, 1], size: [1, 1, 1] });
  expect(() => addSoftBody(scene, mesh, { mu: 1, lambda: 1, densty: 1 } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"densty"', '"density"', 'addSoftBody'],
  });
});

it.each([
  ['linear', 8, 'vertex 7 of soft body "jelly"'],
  ['quadratic', 8, 'vertex 7 of soft body "jelly"'],
  ['quadratic', 9, 'mid-edge node 8 of soft body "jelly"'],
] as const)('errors name the nodes of %s elements by the name of the body', (elements, from, element) => {
  const scene = createScene(plugins());
  const { particles: nodes, tets } = addSoftBody(scene, tetBox(), { ...material, elements, name: 'jelly' });
  expect(scene.describe(nodes[from - 1])).toBe(element);
  expect(scene.describe(tets[2])).toBe('tetrahedron 2 of soft body "jelly"');
});
