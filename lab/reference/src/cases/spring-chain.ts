import type { Device, Plugin } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { implicitSteps } from '@gradsim/implicit';
import { Gravity, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { caseFormat } from '../case-format.ts';
import type { CheckResult } from '../errors.ts';
import { array, each, indices, parameters } from '../fields.ts';
import type { ParticleCase } from './particle-run.ts';
import {
  addParticles,
  BACKWARD_EULER,
  checkParticles,
  isImplicit,
  PARTICLE_FIELDS,
  valuesOfAll,
} from './particle-run.ts';

interface SpringCase extends ParticleCase {
  springs: number[][];
}

/** Format of cases of damped springs between particles, simulated by the packages particles and springs. */
export const springChain = caseFormat<SpringCase>({
  matches: (model) => /\bsprings?\b/.test(model),
  fields: {
    ...PARTICLE_FIELDS,
    springs: indices('particles', 'springs', 2),
    ...parameters({
      stiffness: each('springs'),
      damping: each('springs'),
      rest_length: each('springs'),
      mass: array('particles'),
    }),
  },
  check: (file, device) => checkSprings(file, device),
});

/** Format of spring cases integrated by backward Euler. */
export const implicitSprings = caseFormat<SpringCase>({
  matches: (model, content) => isImplicit(content) && springChain.matches(model, content),
  fields: { ...springChain.fields, integrator: BACKWARD_EULER },
  check: (file, device) => checkSprings(file, device, [implicitSteps()]),
});

const FIELDS: Record<string, string> = {
  stiffness: 'springs.stiffness',
  damping: 'springs.damping',
  rest_length: 'springs.restLength',
  mass: 'particles.mass',
};

async function checkSprings(file: SpringCase, device: Device, more: readonly Plugin[] = []): Promise<CheckResult> {
  const scene = createScene([particles(), springs(), ...more]);
  const entities = addParticles(scene, file);
  const count = file.springs.length;
  scene.addMany(Spring, count, {
    ends: file.springs.flat().map((k) => entities[k]),
    stiffness: valuesOfAll(file.parameters.stiffness, count),
    damping: valuesOfAll(file.parameters.damping, count),
    restLength: valuesOfAll(file.parameters.rest_length, count),
  });
  scene.add(Gravity, { acceleration: file.gravity });
  const model = buildModel(scene);
  return checkParticles(file, model, device, FIELDS);
}
