import { buildModel, createScene, createSimulation, f64Device, type Scene } from '@gradsim/core';
import { checkGradients, checkKernel } from '@gradsim/core/testing';
import {
  addParticles,
  Particle,
  ParticlePush,
  particles,
  perElement,
  RestPosition,
  restPositionOf,
} from '@gradsim/particles';
import { describe, expect, it } from 'vitest';
import { addConstantLoad, addOwnMass, moveParticle, restOfParticle, startParticle } from '../src/motion.ts';

const run = async (scene: Scene, seconds: number, substeps: number) => {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
  });
  simulation.forward();
  return simulation;
};

describe('a particle', () => {
  it('flies by v0 t + a t (t + dt) / 2, the exact sum of semi-implicit steps, with a = g + load / m', async () => {
    const scene = createScene([particles()]);
    scene.add(Particle, { position: [1, 2, 3], velocity: [1, 5, -2], mass: 0.5, load: [0.3, 0, -0.1] });
    const [T, n] = [1.5, 300];
    const x = await (await run(scene, T, n)).read('particles.position');
    const part = (T * (T + T / n)) / 2;
    const expected = [1 + T + 0.6 * part, 2 + 5 * T - 9.81 * part, 3 - 2 * T - 0.2 * part];
    x.forEach((c, k) => expect(c).toBeCloseTo(expected[k], 11));
  });

  it('that is fixed never moves, whatever its velocity, load and mass', async () => {
    const scene = createScene([particles()]);
    scene.add(Particle, { position: [1, 2, 3], velocity: [1, 5, -2], load: [9, 9, 9], fixed: 1 });
    scene.add(Particle, { position: [1, 2, 3], velocity: [1, 5, -2], mass: 2, fixed: 1 });
    const simulation = await run(scene, 1, 10);
    expect(await simulation.read('particles.position')).toEqual(Float64Array.of(1, 2, 3, 1, 2, 3));
    expect((await simulation.read('particles.velocity')).every((v) => v === 0)).toBe(true);
  });

  it('gets the impulse force times duration of every push, also if it starts or ends within a substep', async () => {
    const scene = createScene([particles()]);
    const mote = scene.add(Particle, { position: [0, 0, 0], mass: 0.5 });
    scene.add(ParticlePush, { particle: mote, force: [2, 9.81, 0], start: 0.213, end: 0.648 });
    scene.add(ParticlePush, { particle: mote, force: [0, 0, 3], end: 0.055 });
    const v = await (await run(scene, 1, 10)).read('particles.velocity');
    const expected = [(2 * 0.435) / 0.5, (9.81 * 0.435) / 0.5 - 9.81, (3 * 0.055) / 0.5];
    v.forEach((c, k) => expect(c).toBeCloseTo(expected[k], 12));
    scene.add(ParticlePush, { particle: mote, force: [1, 0, 0], start: 2, end: 1 }, 'the push');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'dynamics/end-before-start',
      field: 'particlePushes.end',
      element: 'the push',
      values: [1, 2, 'particlePushes.start', 'the push: particlePushes'],
    });
  });

  it('without mass is refused by name and number, and so is a `fixed` of 0.5', () => {
    const scene = createScene([particles()]);
    scene.add(Particle, { position: [0, 0, 0], mass: 1 });
    scene.add(Particle, { position: [0, 0, 0] }, 'the ghost');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'particles/no-mass',
      field: 'particles.mass',
      element: 'the ghost',
      values: [0, 1],
    });
    const half = createScene([particles()]);
    const add = () => half.add(Particle, { position: [0, 0, 0], mass: 1, fixed: 0.5 }, 'half');
    expect(add).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'particles.fixed',
      element: 'half',
      values: [0.5],
    });
  });
});

describe('gradient checks of particles', () => {
  it('every kernel', async () => {
    await checkKernel(addOwnMass);
    await checkKernel(addConstantLoad);
    // Compensations have no derivative: they are rounding errors.
    await checkKernel(restOfParticle, {
      values: { hasRest: [0, 1] },
      constants: ['hasRest', 'positionCarry', 'restCarry'],
    });
    await checkKernel(startParticle, {
      ranges: { totalMass: [0.5, 2] },
      values: { fixed: [0, 1] },
      constants: ['fixed', 'velocityCarry'],
    });
    await checkKernel(moveParticle, {
      values: { positionCarry: [0], velocityCarry: [0], fixed: [0, 1] },
      constants: ['positionCarry', 'velocityCarry', 'fixed'],
    });
  });

  it('hold over a run for derivatives with respect to position, velocity, mass, load and gravity', async () => {
    const scene = createScene([particles()]);
    const mote = scene.add(Particle, {
      position: [0, 1, 0],
      velocity: [1, 0, 2],
      mass: 0.7,
      load: [1, 2, 3],
    });
    scene.add(Particle, { position: [0, 1, 1], mass: 1, fixed: 1 });
    scene.attach(mote, RestPosition, { restPosition: [1, 1, 1] });
    await checkGradients(buildModel(scene), {
      frames: 2,
      frameRate: 2,
      substeps: 10,
      parameters: ['particles.position', 'particles.velocity', 'particles.mass', 'particles.load', 'world.gravity'],
      outputs: ['particles.position', 'particles.velocity'],
    });
  });
});

describe('many particles', () => {
  const positions = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  it('take one value for all, or one for each', () => {
    const scene = createScene([particles()]);
    const first = addParticles(scene, positions, { mass: 2, velocity: [1, 2, 3], fixed: [0, 2] });
    const all = [...first, ...addParticles(scene, positions, { mass: [4, 5, 6], velocity: positions })];
    const values = (name: 'position' | 'velocity' | 'mass' | 'fixed'): number[] =>
      all.flatMap((entity) => [...scene.get(entity, Particle, name)]);
    expect(values('position')).toEqual([...positions, ...positions]);
    expect(values('mass')).toEqual([2, 2, 2, 4, 5, 6]);
    expect(values('velocity')).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3, ...positions]);
    expect(values('fixed')).toEqual([1, 0, 1, 0, 0, 0]);
  });
  it('are at rest, free and without mass of their own by default', () => {
    const scene = createScene([particles()]);
    const [entity] = addParticles(scene, [1, 2, 3]);
    expect(['velocity', 'mass', 'fixed'].flatMap((name) => [...scene.get(entity, Particle, name)])).toEqual([
      0, 0, 0, 0, 0,
    ]);
  });
  it('refuse arrays of another length, and indices out of range', () => {
    const scene = createScene([particles()]);
    expect(() => addParticles(scene, positions, { mass: [1, 2] })).toThrowCode({
      code: 'core/wrong-size',
      values: [3, 1, 2, 'particles.mass'],
    });
    expect(() => addParticles(scene, positions, { velocity: [1, 2] })).toThrowCode({
      code: 'core/wrong-size',
      values: [3],
    });
    expect(() => addParticles(scene, [0, 1])).toThrowCode('core/wrong-size');
    for (const fixed of [3, -1, 0.5])
      expect(() => addParticles(scene, positions, { fixed: [fixed] })).toThrowCode({
        code: 'particles/no-such-particle',
        values: ['fixed', fixed, 3],
      });
  });
  it('rest at their RestPosition, or where they start', () => {
    const scene = createScene([particles()]);
    const [a, b] = addParticles(scene, positions);
    scene.attach(b, RestPosition, { restPosition: [7, 7, 7] });
    expect([...Array.from(restPositionOf(scene, a)), ...Array.from(restPositionOf(scene, b))]).toEqual([
      0, 1, 2, 7, 7, 7,
    ]);
  });
});

describe('values per element', () => {
  it('may be one for all, one for each, or the default of the column', () => {
    expect(perElement(3, 2)).toEqual(Float64Array.of(3, 3));
    const each = [4, 5];
    expect(perElement(each, 2)).toBe(each);
    expect(perElement(undefined, 2)).toBeUndefined();
  });
});

it('unknown options are refused, with the nearest name', () => {
  const scene = createScene([particles()]);
  expect(() => addParticles(scene, [0, 0, 0], { mas: 1 } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"mas"', '"mass"', 'addParticles'],
  });
  expect(() => particles({ integrater: 'none' } as never)).toThrowCode({
    code: 'base/unknown-option',
    values: ['"integrator"'],
  });
  expect(() => particles({ integrator: 'nothing' as never })).toThrowCode({
    code: 'base/unknown-choice',
    values: ['"nothing"'],
  });
});

it('errors name particles added together by their common name, or by number', () => {
  const scene = createScene([particles()]);
  const named = addParticles(scene, [0, 1, 0, 0, 2, 0], { mass: 1, name: 'drops' });
  const other = addParticles(scene, [0, 1, 0, 0, 2, 0], { mass: 1 });
  const single = scene.add(Particle, { position: [0, 0, 0], mass: 1 });
  expect([named[1], other[1], single].map((particle) => scene.describe(particle))).toEqual([
    'particle 1 of particles "drops"',
    'particle 1 of particles 0',
    'particle 4',
  ]);
});
