import { cloth, Hinge, Triangle } from '@gradsim/cloth';
import { ContactSphere, contact, contactOf } from '@gradsim/contact';
import type { Device, Entity, Model, Scene } from '@gradsim/core';
import { buildModel, createScene } from '@gradsim/core';
import { Gravity, Particle, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { caseFormat } from '../case-format.ts';
import type { CheckResult } from '../errors.ts';
import { array, constant, each, indices, number, optional, parameters, positive, text } from '../fields.ts';
import type { MoreOutputs, ParticleCase } from './particle-run.ts';
import { addParticles, checkParticles, numbers, PARTICLE_FIELDS, valuesOfAll } from './particle-run.ts';

interface ClothCase extends ParticleCase {
  triangles: number[][];
  hinges?: number[][];
}
interface ClothSphereCase extends ClothCase {
  sphere: { radius: number; center: number[] };
  contact_thickness: number;
  k: number[];
  expected: ParticleCase['expected'] & {
    sphere_center: number[];
    sphere_velocity: number[];
    sphere_spin: number[];
  };
}

/** Entries that every case of a sheet has: its triangles, and their material. */
const SHEET = {
  triangles: indices('particles', 'triangles', 3),
  ...parameters({ mu: each('triangles'), lam: each('triangles'), density: each('triangles') }),
};

const MEMBRANE: Record<string, string> = {
  mu: 'triangles.mu',
  lam: 'triangles.lambda',
  density: 'triangles.density',
};
const AIR: Record<string, string> = {
  ...MEMBRANE,
  kd: 'triangles.damping',
  act: 'triangles.actuation',
  bend_stiffness: 'hinges.stiffness',
  bend_damping: 'hinges.damping',
  rest_angle: 'hinges.restAngle',
  bend_actuation: 'hinges.actuation',
  lift: 'triangles.lift',
  drag: 'triangles.drag',
  wind: 'world.wind',
};

/** Format of cases of a sheet of cloth, with or without bending and air, simulated by the package cloth. */
export const clothSheet = caseFormat<ClothCase>({
  matches: (model) => /\bmembrane\b/.test(model) && !/\bsphere\b/.test(model),
  fields: {
    ...PARTICLE_FIELDS,
    ...SHEET,
    hinges: optional(indices('particles', 'hinges', 4)),
    ...parameters({
      kd: optional(each('triangles')),
      act: optional(each('triangles')),
      bend_stiffness: optional(each('hinges')),
      bend_damping: optional(each('hinges')),
      rest_angle: optional(each('hinges')),
      bend_actuation: optional(each('hinges')),
      lift: optional(each('triangles')),
      drag: optional(each('triangles')),
      wind: optional(array(3)),
    }),
  },
  check: (file, device) => {
    return checkParticles(file, sheetModel(file), device, AIR);
  },
});

/** Builds the model of a case without a sphere. */
function sheetModel(file: ClothCase): Model {
  const p = file.parameters;
  const [x, y, z] = numbers(p.wind ?? [0, 0, 0]);
  const scene = createScene([particles(), cloth({ wind: [x, y, z] })]);
  const entities = addParticles(scene, file);
  addTriangles(scene, file, entities, {
    damping: p.kd ?? 0,
    actuation: p.act ?? 0,
    drag: p.drag ?? 0,
    lift: p.lift ?? 0,
  });
  const hinges = file.hinges ?? [];
  scene.addMany(Hinge, hinges.length, {
    vertices: hinges.flat().map((k) => entities[k]),
    stiffness: valuesOfAll(p.bend_stiffness ?? 0, hinges.length),
    damping: valuesOfAll(p.bend_damping ?? 0, hinges.length),
    restAngle: valuesOfAll(p.rest_angle ?? 0, hinges.length),
    actuation: valuesOfAll(p.bend_actuation ?? 0, hinges.length),
  });
  scene.add(Gravity, { acceleration: file.gravity });
  return buildModel(scene);
}

type Given = ParticleCase['parameters'][string];

function addTriangles(
  scene: Scene,
  { triangles, parameters: p }: ClothCase,
  particles: readonly Entity[],
  more: { damping?: Given; actuation?: Given; drag?: Given; lift?: Given } = {},
): void {
  const count = triangles.length;
  const { damping = 0, actuation = 0, drag = 0, lift = 0 } = more;
  scene.addMany(Triangle, count, {
    vertices: triangles.flat().map((k) => particles[k]),
    mu: valuesOfAll(p.mu, count),
    lambda: valuesOfAll(p.lam, count),
    density: valuesOfAll(p.density, count),
    damping: valuesOfAll(damping, count),
    actuation: valuesOfAll(actuation, count),
    drag: valuesOfAll(drag, count),
    lift: valuesOfAll(lift, count),
  });
}

const SPHERE_LOSS =
  /^sum\(weights\*x_N\) \+ [\d.e-]+\*mean\(v_N\^2\) \+ k\.c \+ ([\d.e-]+) w\.w( \(c centre, w spin of the sphere\))?$/;

/** Format of cases of a sheet and a free sphere in contact, simulated by the packages cloth, rigid and contact. */
export const clothSphere = caseFormat<ClothSphereCase>({
  matches: (model) => /\bmembrane\b.*\bsphere\b/.test(model),
  fields: {
    ...PARTICLE_FIELDS,
    ...SHEET,
    contact_thickness: number,
    'sphere.radius': positive,
    'sphere.center': array(3),
    'sphere.inertia': optional(constant('2/5 m R^2')),
    ...parameters({
      sphere_mass: number,
      sphere_velocity: array(3),
      sphere_spin: array(3),
      ke: number,
      kd: number,
      kf: number,
      friction: number,
    }),
    loss: text(SPHERE_LOSS),
    k: array(3),
    'expected.sphere_center': array(3),
    'expected.sphere_velocity': array(3),
    'expected.sphere_spin': array(3),
  },
  check: checkSphere,
});

async function checkSphere(file: ClothSphereCase, device: Device): Promise<CheckResult> {
  const p = file.parameters;
  const { radius, center } = file.sphere;
  const scene = createScene([rigid(), particles(), cloth(), contact()]);
  const entities = addParticles(scene, file);
  addTriangles(scene, file, entities);
  const [mass] = numbers(p.sphere_mass);
  // Inertia 2/5 m R^2, so it contributes to the derivative with respect to the mass.
  const perMass = [0, 4, 8].map((at) => [at, 0.4 * radius * radius] as const);
  const inertia = new Array<number>(9).fill(0);
  for (const [at, share] of perMass) inertia[at] = share * mass;
  const sphere = scene.add(Body, {
    mass,
    inertia,
    position: center,
    velocity: numbers(p.sphere_velocity),
    angularVelocity: numbers(p.sphere_spin),
  });
  const [ke, kd, kf, mu] = [p.ke, p.kd, p.kf, p.friction].map((value) => numbers(value)[0]);
  // Equal materials on both sides equal that of their contact.
  scene.add(ContactSphere, { body: sphere, radius, ke, kd, kf, mu });
  for (const entity of entities) {
    scene.attach(entity, contactOf(Particle), { ke, kd, kf, mu, thickness: file.contact_thickness });
  }
  const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);
  const both = (name: string) => ({
    keys: [`particles.${name}`, `spheres.${name}`],
    of: (a: Float64Array, b: Float64Array) => [sum(a) + sum(b)],
  });
  const spin = Number(SPHERE_LOSS.exec(file.loss.trim())![1]);
  const more: MoreOutputs = {
    keys: ['bodies.position', 'bodies.angularVelocity', 'bodies.velocity'],
    loss: ([c, w, v]) => ({
      value: sum(c.map((x, k) => x * file.k[k])) + spin * sum(w.map((x) => x * x)),
      seeds: [file.k, Array.from(w, (x) => 2 * spin * x), Array.from(v, () => 0)],
    }),
    expected: [file.expected.sphere_center, file.expected.sphere_spin, file.expected.sphere_velocity],
  };
  scene.add(Gravity, { acceleration: file.gravity });
  return checkParticles(
    file,
    buildModel(scene),
    device,
    {
      ...MEMBRANE,
      sphere_mass: {
        keys: ['bodies.mass', 'bodies.inertia'],
        of: (m, I) => [perMass.reduce((g, [at, share]) => g + share * I[at], m[0])],
      },
      sphere_velocity: 'bodies.velocity',
      sphere_spin: 'bodies.angularVelocity',
      ke: both('ke'),
      kd: both('kd'),
      kf: both('kf'),
      friction: both('mu'),
    },
    more,
  );
}
