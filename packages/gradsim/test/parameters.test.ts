import { readFileSync } from 'node:fs';
import { addCloth, cloth } from '@gradsim/cloth';
import { contact, contactOf, HalfSpace, HalfSpaceMaterial } from '@gradsim/contact';
import type { Entity, Model, Plugin, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { checkGradients, type GradientCheck } from '@gradsim/core/testing';
import { addSoftBody, fem } from '@gradsim/fem';
import { box, lattice, placeMesh, plane, tetBox } from '@gradsim/mesh';
import { Particle, ParticlePush, particles, RestPosition } from '@gradsim/particles';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { addSprings, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';

/**
 * Estimable parameters of each model: one row per kind of parameter, with the fields that hold it.
 * `docs/reference/parameters.md` shows this table.
 */
const TABLE: Record<string, Partial<Record<ModelName, readonly string[]>>> = {
  'initial positions': {
    springs: ['particles.position'],
    'soft bodies': ['particles.position'],
    cloth: ['particles.position'],
    'rigid bodies': ['bodies.position', 'bodies.orientation'],
  },
  'initial velocities': {
    springs: ['particles.velocity'],
    'soft bodies': ['particles.velocity'],
    cloth: ['particles.velocity'],
    'rigid bodies': ['bodies.velocity', 'bodies.angularVelocity'],
  },
  mass: {
    springs: ['particles.mass'],
    'soft bodies': ['particles.mass', 'tets.density'],
    cloth: ['particles.mass', 'triangles.density'],
    'rigid bodies': ['bodies.mass', 'bodies.density', 'bodies.inertia'],
  },
  'rest lengths and shapes': {
    springs: ['springs.restLength'],
    'soft bodies': ['particles.restPosition'],
    cloth: ['particles.restPosition', 'hinges.restAngle'],
    'rigid bodies': ['bodyVertices.local'],
  },
  stiffness: {
    springs: ['springs.stiffness'],
    'soft bodies': ['tets.mu', 'tets.lambda'],
    cloth: ['triangles.mu', 'triangles.lambda', 'hinges.stiffness'],
  },
  damping: {
    springs: ['springs.damping'],
    'soft bodies': ['tets.damping'],
    cloth: ['triangles.damping', 'hinges.damping'],
  },
  actuation: {
    springs: ['springs.actuation'],
    'soft bodies': ['tets.actuation'],
    cloth: ['triangles.actuation', 'hinges.actuation'],
  },
  gravity: all(['world.gravity']),
  friction: {
    ...particleModels(['particles.kf', 'particles.mu', 'halfSpaces.kf', 'halfSpaces.mu']),
    'rigid bodies': ['bodies.kf', 'bodies.mu', 'halfSpaces.kf', 'halfSpaces.mu'],
  },
  elasticity: {
    ...particleModels(['particles.ke', 'particles.kd', 'halfSpaces.ke', 'halfSpaces.kd']),
    'rigid bodies': ['bodies.ke', 'bodies.kd', 'halfSpaces.ke', 'halfSpaces.kd'],
  },
  'contact geometry': {
    ...particleModels(['particles.thickness', 'halfSpaces.normal', 'halfSpaces.offset']),
    'rigid bodies': ['bodies.thickness', 'halfSpaces.normal', 'halfSpaces.offset'],
  },
  'external forces': {
    ...particleModels(['particles.load', 'particlePushes.force', 'particlePushes.start', 'particlePushes.end']),
    'rigid bodies': ['bodyPushes.force', 'bodyPushes.point', 'bodyPushes.start', 'bodyPushes.end'],
  },
  'drag, lift, wind': {
    cloth: ['triangles.drag', 'triangles.lift', 'world.wind'],
    'rigid bodies': ['bodies.drag'],
  },
};

const MODELS = ['springs', 'soft bodies', 'cloth', 'rigid bodies'] as const;
type ModelName = (typeof MODELS)[number];
function all(fields: readonly string[]) {
  return { ...particleModels(fields), 'rigid bodies': fields };
}
function particleModels(fields: readonly string[]) {
  return { springs: fields, 'soft bodies': fields, cloth: fields };
}

const material = { ke: 400, kd: 2, kf: 6, mu: 0.4, thickness: 0.02 };
const ground = { ke: 300, kd: 1, kf: 4, mu: 0.6 };

/**
 * Scene of a body of particles that slides on a tilted ground, and is pushed for a while, so that every parameter has
 * an effect.
 */
function particleScene(plugin: Plugin, add: (scene: Scene) => Entity[]): Scene {
  const scene = createScene([particles(), plugin, contact()]);
  const added = add(scene);
  added.forEach((particle, k) => {
    scene.attach(particle, contactOf(Particle), material);
    const position = Array.from(scene.get(particle, Particle, 'position'));
    scene.attach(particle, RestPosition, {
      restPosition: position.map((x, axis) => x * (1 + 0.01 * ((k + axis) % 3))),
    });
  });
  scene.add(ParticlePush, { particle: added[1], force: [1, 2, -1], start: 0.0213, end: 0.0791 });
  tiltedGround(scene);
  return scene;
}

function tiltedGround(scene: Scene): void {
  const halfSpace = scene.add(HalfSpace, { normal: [0.1, 1, 0.05], offset: 0.005 });
  scene.attach(halfSpace, HalfSpaceMaterial, ground);
}

/** Velocities of a sliding and falling body, slightly different for each particle, m/s. */
const velocities = (points: number): number[] =>
  Array.from({ length: 3 * points }, (_, k) => [1.2, -0.4, 0.3][k % 3] + 0.1 * Math.sin(7 * k));

const SCENES: Record<ModelName, () => Scene> = {
  springs: () =>
    particleScene(springs(), (scene) => {
      const mesh = placeMesh(lattice({ size: [0.3, 0.3, 0.3] }), { translation: [0.15, 0.15, 0.15] });
      const options = { stiffness: 200, damping: 0.5, restLength: 0.35, actuation: 0.02, mass: 0.1 };
      return addSprings(scene, mesh, { ...options, velocity: velocities(8) }).particles;
    }),
  'soft bodies': () =>
    particleScene(fem(), (scene) => {
      const mesh = placeMesh(tetBox({ size: [0.3, 0.3, 0.3] }), { translation: [0.15, 0.15, 0.15] });
      const options = { mu: 400, lambda: 600, damping: 1, actuation: 0.05, density: 20, mass: 0.02 };
      return addSoftBody(scene, mesh, { ...options, velocity: velocities(8) }).particles;
    }),
  cloth: () =>
    particleScene(cloth({ wind: [0.5, 0.2, -0.3] }), (scene) => {
      const sheet = plane({ size: [0.3, 0.3], segments: [2, 2] });
      const mesh = placeMesh(sheet, { translation: [0.15, 0, 0.15] });
      return addCloth(scene, mesh, {
        mu: 30,
        lambda: 40,
        damping: 0.1,
        actuation: 0.03,
        density: 0.5,
        drag: 0.4,
        lift: 0.6,
        bendStiffness: 0.02,
        bendDamping: 0.001,
        restAngle: 0.2,
        bendActuation: 0.1,
        mass: 0.01,
        velocity: velocities(9),
      }).particles;
    }),
  'rigid bodies': () => {
    const scene = createScene([rigid(), contact()]);
    const mesh = box({ size: [0.3, 0.2, 0.25] });
    const pose = { orientation: [0.1, 0.2, 0.05, 0.97], angularVelocity: [1, -2, 0.5] };
    const bodies = [
      { density: 30, position: [0, 0.12, 0] },
      { mass: 0.7, position: [1, 0.12, 0] },
      { mass: 0.6, inertia: [0.01, 0.001, 0, 0.001, 0.02, 0, 0, 0, 0.015], position: [2, 0.12, 0] },
    ].map((own) => scene.add(Body, { mesh, velocity: [1.2, -0.4, 0.3], drag: 0.3, ...pose, ...own }));
    for (const body of bodies) scene.attach(body, contactOf(Body), material);
    scene.add(BodyPush, {
      body: bodies[1],
      force: [1, 3, 0],
      point: [0.1, 0, 0.05],
      start: 0.0213,
      end: 0.0791,
    });
    tiltedGround(scene);
    return scene;
  },
};

describe.each(MODELS)('the gradient of a run of %s', (name) => {
  const rows = Object.values(TABLE).map((row) => row[name] ?? []);
  const model: Model = buildModel(SCENES[name]());
  const output = name === 'rigid bodies' ? 'bodies' : 'particles';
  /** Gradient checks by row of the table: one simulation checks all fields of a row, each along its own direction. */
  const checks = new Map<readonly string[], Promise<GradientCheck>>();
  const checkOf = (row: readonly string[]): Promise<GradientCheck> => {
    const known = checks.get(row);
    if (known) return known;
    const check = checkGradients(model, {
      frames: 4,
      frameRate: 30,
      substeps: 16,
      parameters: row,
      outputs: [`${output}.position`, `${output}.velocity`],
    });
    checks.set(row, check);
    return check;
  };
  it.each(rows.flatMap((row) => row.map((field) => ({ field, row }))))(
    'by $field is not 0, and agrees with tangents and central differences',
    async ({ field, row }) => {
      const { parameters } = await checkOf(row);
      // It has an effect: a derivative of zero would prove nothing.
      expect(Math.abs(parameters[field].adjoint)).toBeGreaterThan(0);
    },
  );
});

describe('docs/reference/parameters.md', () => {
  it('lists exactly the parameters that are tested here', () => {
    const cell = (fields: readonly string[] = []): string => fields.map((f) => `\`${f}\``).join(', ') || 'none';
    const rows = Object.entries(TABLE).map(
      ([kind, row]) => `| ${kind} | ${MODELS.map((name) => cell(row[name])).join(' | ')} |`,
    );
    const page = readFileSync(new URL('../../../docs/reference/parameters.md', import.meta.url), 'utf8');
    expect(page).toContain([`| | ${MODELS.join(' | ')} |`, '| --- | --- | --- | --- | --- |', ...rows].join('\n'));
  });
});
