import { addCloth, cloth } from '@gradsim/cloth';
import {
  ContactBox,
  ContactCapsule,
  ContactSphere,
  contact,
  contactOf,
  HalfSpace,
  HalfSpaceMaterial,
  surfaceContact,
} from '@gradsim/contact';
import { addSoftBody, fem } from '@gradsim/fem';
import type { LineMesh, Mesh, TetMesh, TriangleMesh } from '@gradsim/mesh';
import { box, chain, icosphere, placeMesh, plane, tetBox, torus } from '@gradsim/mesh';
import { Gravity, Particle, ParticlePush, particles } from '@gradsim/particles';
import { DirectionalLight, LookAtCamera, OrbitCamera, PinholeCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, BodyPush, rigid } from '@gradsim/rigid';
import { addSprings, Spring, springs } from '@gradsim/springs';
import type { Draw } from '../draw.ts';
import type { Draft, DraftEntity, Module, Sheet } from './draft.ts';
import { Ref } from './draft.ts';

/**
 * Draws a valid scene of soft objects in slow motion, in which single and double precision diverge only by rounding
 * within a few frames.
 */
export function drawnScene(random: Draw): Draft {
  const draft: Draft = { modules: [], things: [], sheets: [], removed: [], run: runOf(random) };
  const hasBodies = random.chance(0.6);
  const hasPoints = !hasBodies || random.chance(0.6);
  if (hasBodies) addBodies(draft, random);
  if (hasPoints) addPoints(draft, random);
  if (random.chance(0.7)) addContact(draft, random, { hasBodies, hasPoints });
  if (random.chance(0.3))
    draft.things.push(thing('the gravity', Gravity, { acceleration: [0, -random.whole(0, 9), 0] }));
  const isSeen = draft.sheets.some(({ name }) => name !== 'addSprings') || draft.things.some(hasMesh);
  if (isSeen && random.chance(0.3)) addPictures(draft, random);
  return draft;
}

export const hasMesh = ({ component, values }: DraftEntity): boolean => component === Body && values.mesh !== undefined;

const thing = (
  label: string,
  component: DraftEntity['component'],
  values: DraftEntity['values'],
  aspects: DraftEntity['aspects'] = [],
): DraftEntity => ({ label, component, values, aspects });

const module = (name: string, make: Module['make'], options: Module['options'] = {}): Module => ({
  name,
  make,
  options,
});

function runOf(random: Draw): Draft['run'] {
  return {
    frames: random.whole(1, 4),
    frameRate: random.pick([30, 60]),
    substeps: random.whole(4, 12),
    ...(random.chance(0.3) ? { worlds: random.whole(1, 3) } : {}),
  };
}

const vector = (random: Draw, size: number): number[] =>
  [0, 0, 0].map(() => Math.round((random.next() * 2 - 1) * size * 1000) / 1000);

function solid(random: Draw): TriangleMesh {
  const way = random.pick(['box', 'ball', 'ring'] as const);
  if (way === 'box') return box({ size: [0.2, 0.3, 0.25] });
  return way === 'ball' ? icosphere({ radius: 0.15, subdivisions: 1 }) : torus({ radius: 0.2, tube: 0.08 });
}

function addBodies({ modules, things }: Draft, random: Draw): void {
  modules.push(module('rigid', (options) => rigid(options)));
  for (let k = 0; k < random.whole(1, 3); k++) {
    const label = `body ${k}`;
    const place = { position: [k, 1 + random.next(), 0], velocity: vector(random, 1) };
    const turn = { angularVelocity: vector(random, 2), orientation: [0, 0, Math.sin(k), Math.cos(k)] };
    const shape = random.chance(0.8)
      ? { mesh: solid(random), ...(random.chance(0.5) ? { density: 300 } : { mass: 0.5 + random.next() }) }
      : { mass: 1, inertia: [0.1, 0, 0, 0, 0.2, 0, 0, 0, 0.15] };
    things.push(thing(label, Body, { ...shape, ...place, ...turn, drag: random.pick([0, 0.1]) }));
    if (random.chance(0.3))
      things.push(
        thing(`push of ${label}`, BodyPush, {
          body: new Ref(label),
          force: vector(random, 1),
          start: 0.01,
          end: 0.05,
        }),
      );
  }
}

function addPoints({ modules, things, sheets }: Draft, random: Draw): void {
  modules.push(module('particles', (options) => particles(options)));
  const count = random.whole(2, 5);
  for (let k = 0; k < count; k++)
    things.push(
      thing(`point ${k}`, Particle, {
        position: [k * 0.3, 1 + 0.1 * k, 1],
        mass: 0.1 + random.next(),
        velocity: vector(random, 1),
        fixed: k === 0 && random.chance(0.5) ? 1 : 0,
      }),
    );
  if (random.chance(0.3))
    things.push(thing('push of point 1', ParticlePush, { particle: new Ref('point 1'), force: vector(random, 1) }));
  if (random.chance(0.5)) {
    modules.push(module('springs', () => springs()));
    for (let k = 1; k < count; k++)
      things.push(
        thing(`spring ${k}`, Spring, {
          ends: [new Ref(`point ${k - 1}`), new Ref(`point ${k}`)],
          stiffness: 10 + 10 * random.next(),
          restLength: 0.3,
          damping: 0.05,
        }),
      );
    if (random.chance(0.5)) sheets.push(rope(random));
  }
  if (random.chance(0.4)) {
    modules.push(module('cloth', (options) => cloth(options), random.chance(0.3) ? { wind: [1, 0, 0] } : {}));
    sheets.push(sheet(random));
  }
  if (random.chance(0.4)) {
    modules.push(module('fem', () => fem()));
    sheets.push(block(random));
  }
}

const rope = (random: Draw): Sheet => ({
  name: 'addSprings',
  mesh: chain({ from: [0, 2, 2], to: [1, 2, 2], segments: random.whole(2, 5) }),
  options: { mass: 0.1, stiffness: 20, damping: 0.05, fixed: [0] },
  add: (scene, mesh, options) => addSprings(scene, mesh as LineMesh, options as never),
  aspects: [],
});

const sheet = (random: Draw): Sheet => ({
  name: 'addCloth',
  mesh: at(plane({ size: [0.6, 0.6], segments: [random.whole(2, 4), 3] }), [0, 1.5, -1]),
  options: {
    mu: 10,
    lambda: 10,
    density: 0.5,
    damping: 0.02,
    fixed: [0],
    ...(random.chance(0.5) ? { bendStiffness: 1e-3, drag: 0.1 } : {}),
  },
  add: (scene, mesh, options) => addCloth(scene, mesh as TriangleMesh, options as never),
  aspects: [],
});

const block = (random: Draw): Sheet => ({
  name: 'addSoftBody',
  mesh: at(tetBox({ cells: [random.whole(1, 2), 1, 1], size: [0.4, 0.3, 0.3] }), [-1, 1, 0]),
  options: { mu: 500, lambda: 1000, density: 200, damping: 1 },
  add: (scene, mesh, options) => addSoftBody(scene, mesh as TetMesh, options as never),
  aspects: [],
});

const at = <M extends Mesh>(mesh: M, translation: [number, number, number]): M => placeMesh(mesh, { translation });

function addContact(draft: Draft, random: Draw, has: { hasBodies: boolean; hasPoints: boolean }): void {
  const { modules, things, sheets } = draft;
  modules.push(module('contact', () => contact()));
  const material = { ke: 50 + 50 * random.next(), kd: 0.5, kf: 0.2, mu: 0.3 };
  things.push(
    thing(
      'the ground',
      HalfSpace,
      { normal: [0, 2, 0.1], offset: -0.5 },
      random.chance(0.3) ? [{ component: HalfSpaceMaterial, values: { ...material } }] : [],
    ),
  );
  for (const one of things) {
    if (one.component === Particle || hasMesh(one))
      one.aspects.push({ component: contactOf(one.component), values: { ...material, thickness: 0.01 } });
  }
  if (has.hasBodies && random.chance(0.4))
    things.push(thing('the bumper', ContactSphere, { body: new Ref('body 0'), radius: 0.2, ...material }));
  if (!has.hasPoints) return;
  if (random.chance(0.4))
    things.push(thing('the step', ContactBox, { size: [1, 0.2, 1], ...material, position: [0, -0.3, 0] }));
  if (random.chance(0.3))
    things.push(thing('the pole', ContactCapsule, { length: 1, radius: 0.1, ...material, position: [3, 0, 0] }));
  for (const one of sheets) {
    one.aspects.push({ component: contactOf(Particle), values: { ke: 20, kd: 0.05, thickness: 0.01 } });
  }
  if (sheets.some(({ name }) => name !== 'addSprings') && random.chance(0.4))
    modules.push(module('surfaceContact', (options) => surfaceContact(options as never), { maxSpeed: 20, refresh: 4 }));
}

const CAMERAS = [
  [OrbitCamera, { distance: 5, elevation: 0.3, azimuth: 1 }],
  [LookAtCamera, { eye: [0, 5, 0.1], target: [0, 1, 0] }],
  [LookAtCamera, { eye: [0, 5, 0], target: [0, 1, 0] }],
  [PinholeCamera, { translation: [0, 0, 5], focalLength: [20, 20], principalPoint: [7.5, 7.5] }],
] as const;

function addPictures({ modules, things, run }: Draft, random: Draw): void {
  const [camera, values] = random.pick(CAMERAS);
  modules.push(
    module('render', (options) => render(options as never), {
      width: 16,
      height: random.pick([8, 16]),
      camera,
      colors: random.pick(['face', 'corner']),
    }),
    module('softRas', (options) => softRas(options), { sigma: 1e-3, backgroundColor: [0.1, 0.2, 0.3] }),
  );
  things.push(thing('the camera', camera, { ...values }));
  if (random.chance(0.5)) things.push(thing('the sun', DirectionalLight, { direction: [1, 2, 1] }));
  Object.assign(run, { record: ['pixels.rgba'] });
}
