import { contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Device, Entity, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { fem, Tet } from '@gradsim/fem';
import { implicitSteps } from '@gradsim/implicit';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { caseFormat } from '../case-format.ts';
import type { CheckResult } from '../errors.ts';
import { each, indices, number, parameters } from '../fields.ts';
import type { ParticleCase } from './particle-run.ts';
import {
  addParticles,
  BACKWARD_EULER,
  checkParticles,
  isImplicit,
  numbers,
  PARTICLE_FIELDS,
  valuesOfAll,
} from './particle-run.ts';

interface SoftBlockCase extends ParticleCase {
  tets: number[][];
  contact_thickness: number;
}

/** Format of cases of tetrahedra on the ground y = 0, simulated by the packages fem and contact. */
export const softBlock = caseFormat<SoftBlockCase>({
  matches: (model) => /\btet(s|rahedra)\b/.test(model),
  fields: {
    ...PARTICLE_FIELDS,
    tets: indices('particles', 'tets', 4),
    contact_thickness: number,
    ...parameters({
      mu: each('tets'),
      lam: each('tets'),
      kd: each('tets'),
      act: each('tets'),
      density: each('tets'),
      ke: number,
      kdc: number,
      kf: number,
      muc: number,
    }),
  },
  check: checkSoftBlock,
});

/** Format of cases of tetrahedra in free space, integrated by backward Euler. */
export const implicitBlock = caseFormat<Omit<SoftBlockCase, 'contact_thickness'>>({
  matches: (model, content) => isImplicit(content) && softBlock.matches(model, content),
  fields: {
    ...PARTICLE_FIELDS,
    tets: indices('particles', 'tets', 4),
    integrator: BACKWARD_EULER,
    ...parameters({ mu: each('tets'), lam: each('tets'), kd: each('tets'), density: each('tets') }),
  },
  check: (file, device) => {
    const scene = createScene([particles(), fem(), implicitSteps()]);
    addTets(scene, file, addParticles(scene, file));
    scene.add(Gravity, { acceleration: file.gravity });
    return checkParticles(file, buildModel(scene), device, FIELDS);
  },
});

const FIELDS: Record<string, string> = {
  mu: 'tets.mu',
  lam: 'tets.lambda',
  kd: 'tets.damping',
  act: 'tets.actuation',
  density: 'tets.density',
  ke: 'particles.ke',
  kdc: 'particles.kd',
  kf: 'particles.kf',
  muc: 'particles.mu',
};

async function checkSoftBlock(file: SoftBlockCase, device: Device): Promise<CheckResult> {
  const p = file.parameters;
  const scene = createScene([particles(), fem(), contact()]);
  const entities = addParticles(scene, file);
  addTets(scene, file, entities);
  const [ke, kd, kf, mu] = [p.ke, p.kdc, p.kf, p.muc].map((value) => numbers(value)[0]);
  for (const entity of entities) {
    scene.attach(entity, contactOf(Particle), { ke, kd, kf, mu, thickness: file.contact_thickness });
  }
  scene.add(HalfSpace, {});
  scene.add(Gravity, { acceleration: file.gravity });
  return checkParticles(file, buildModel(scene), device, FIELDS);
}

function addTets(
  scene: Scene,
  { tets, parameters: p }: Pick<SoftBlockCase, 'tets' | 'parameters'>,
  entities: readonly Entity[],
): void {
  const count = tets.length;
  scene.addMany(Tet, count, {
    vertices: tets.flat().map((k) => entities[k]),
    mu: valuesOfAll(p.mu, count),
    lambda: valuesOfAll(p.lam, count),
    damping: valuesOfAll(p.kd, count),
    actuation: valuesOfAll(p.act ?? 0, count),
    density: valuesOfAll(p.density, count),
  });
}
