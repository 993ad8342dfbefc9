import {
  buildModel,
  createScene,
  createSimulation,
  f64Device,
  GradsimError,
  isGradsimError,
  type SimulationOptions,
} from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { tetBox } from '@gradsim/mesh';
import { addParticles, particles } from '@gradsim/particles';
import { describe, expect, it } from 'vitest';

const model = () => {
  const scene = createScene([particles()]);
  addParticles(scene, [0, 0, 0, 1, 0, 0], { mass: 1 });
  return buildModel(scene);
};

/** Values of every type, of which none is one of an option below. */
const WRONG: readonly unknown[] = [
  ...[
    null,
    5,
    Number.NaN,
    10n,
    true,
    false,
    '',
    'x',
    'particles.position',
    {},
    { length: 1 },
    new Map([[1, 2]]),
    new Date(),
  ],
  ...[() => 1, Symbol('s'), /a/, Promise.resolve([])],
];

describe('createSimulation names a value of another type, with the option and the value', () => {
  const good: SimulationOptions = { device: f64Device(), frames: 2, frameRate: 10, substeps: 1 };
  const built = model();
  for (const name of ['device', 'parameters', 'record', 'outputs', 'comparisons', 'onWarning'] as const)
    it(name, async () => {
      for (const value of [
        ...WRONG,
        ...(name === 'device' || name === 'comparisons' || name === 'onWarning' ? [[], [5]] : []),
      ]) {
        if (name === 'onWarning' && typeof value === 'function') continue;
        const error = await createSimulation(built, { ...good, [name]: value } as never).catch(
          (thrown: unknown) => thrown,
        );
        expect(isGradsimError(error), `${String(value)}: ${String((error as Error).stack)}`).toBe(true);
        expect(error).toMatchObject({ code: 'base/wrong-type', field: name });
        expect((error as GradsimError).message).toMatch(new RegExp(`^createSimulation: ${name} is .*, and must be `));
      }
    });
  for (const name of ['frames', 'frameRate', 'substeps', 'worlds', 'tangents', 'memory', 'derivative'] as const)
    it(name, async () => {
      for (const value of WRONG.filter((each) => each !== 5)) {
        const error = await createSimulation(built, { ...good, [name]: value } as never).catch(
          (thrown: unknown) => thrown,
        );
        expect(isGradsimError(error), `${String(value)}: ${String((error as Error).stack)}`).toBe(true);
        expect((error as GradsimError).message).toContain(name);
      }
    });
  it('and takes lists with fields alone', async () => {
    for (const name of ['parameters', 'record', 'outputs'] as const)
      for (const value of WRONG.filter((each) => each !== 'particles.position'))
        await expect(createSimulation(built, { ...good, [name]: [value] } as never)).rejects.toThrow(GradsimError);
  });
});

it('fixed of particles and soft bodies names a value of another type, and a number that there is none of', () => {
  const mesh = tetBox({ size: [1, 1, 1], cells: [1, 1, 1] });
  const makers = {
    addParticles: (fixed: unknown) =>
      addParticles(createScene([particles()]), [0, 0, 0, 1, 0, 0], { mass: 1, fixed } as never),
    'addSoftBody, linear': (fixed: unknown) =>
      addSoftBody(createScene([particles(), fem()]), mesh, {
        mu: 1,
        lambda: 1,
        density: 1,
        elements: 'linear',
        fixed,
      } as never),
    'addSoftBody, quadratic': (fixed: unknown) =>
      addSoftBody(createScene([particles(), fem()]), mesh, {
        mu: 1,
        lambda: 1,
        density: 1,
        elements: 'quadratic',
        fixed,
      } as never),
  };
  for (const [name, make] of Object.entries(makers)) {
    for (const value of WRONG.filter((each) => !(each instanceof Map))) {
      let error: unknown;
      try {
        make(value);
      } catch (thrown) {
        error = thrown;
      }
      expect(isGradsimError(error), `${name}, ${String(value)}: ${String((error as Error)?.stack)}`).toBe(true);
      expect((error as GradsimError).message).toMatch(/fixed is /);
    }
    for (const value of [-1, 1.5, 1e9, Number.NaN, '0', 'length', 'constructor', null, Symbol('s'), 1n, {}])
      expect(() => make([value]), `${name}, [${String(value)}]`).toThrow(/fixed names/);
  }
});
