import { ContactBox, ContactSphere, contact, contactOf, HalfSpace } from '@gradsim/contact';
import type { Plugin, Scene } from '@gradsim/core';
import { createScene, cross, definePlugin, dot, f32, field, kernel, vec3 } from '@gradsim/core';
import { addSoftBody, fem } from '@gradsim/fem';
import { implicitSteps } from '@gradsim/implicit';
import { tetBox } from '@gradsim/mesh';
import { Gravity, Particle, ParticleDrag, particles } from '@gradsim/particles';
import { Body, rigid } from '@gradsim/rigid';
import { Spring, springs } from '@gradsim/springs';
import { randomNumbers } from '../../../../scripts/vitest/draws.ts';
import type { Vec } from './vectors.ts';
import { length, minus, plus } from './vectors.ts';

export interface Material {
  readonly ke: number;
  readonly kd: number;
  readonly kf: number;
  readonly mu: number;
}
export interface Point {
  readonly position: Vec;
  readonly velocity: Vec;
  readonly mass: number;
  readonly fixed: number;
}
export interface Link {
  readonly ends: readonly [number, number];
  readonly stiffness: number;
  readonly damping: number;
  readonly restLength: number;
}
export interface Block {
  readonly size: Vec;
  readonly velocity: Vec;
  readonly mu: number;
  readonly lambda: number;
  readonly density: number;
  readonly damping: number;
  /** Indices of the mesh's vertices that are fixed; and the position of the block, m. */
  readonly fixed: readonly number[];
  readonly at: Vec;
}
export interface Ball {
  readonly position: Vec;
  readonly radius: number;
  readonly material: Material;
}

/** A scene in plain numbers: used to build the scene and the reference equation. */
export interface Drawn {
  /** Order of the steps. Default 1. */
  readonly order?: 1 | 2;
  readonly dt: number;
  readonly steps: number;
  readonly gravity: Vec;
  readonly points: readonly Point[];
  readonly links: readonly Link[];
  readonly blocks: readonly Block[];
  readonly touch?: Material & { readonly thickness: number };
  readonly ground?: { readonly offset: number };
  readonly sphere?: Ball;
  readonly box?: { readonly position: Vec; readonly size: Vec; readonly material: Material };
  /** A free body of equal moments of inertia, with a sphere beside its centre. */
  readonly body?: {
    readonly position: Vec;
    readonly velocity: Vec;
    readonly angularVelocity: Vec;
    readonly mass: number;
    readonly inertia: number;
    readonly sphere: Ball;
  };
  readonly drag?: { readonly quadraticDrag: number; readonly linearDrag: number };
  readonly swirl?: { readonly field: Vec; readonly pull: number };
}

/** Draws a random scene: the same one for the same seed. */
export function drawScene(seed: number): Drawn {
  const random = randomNumbers(seed);
  const within = (low: number, high: number): number => low + (high - low) * random();
  const decades = (low: number, high: number): number => 10 ** within(low, high);
  const whole = (low: number, high: number): number => Math.floor(within(low, high + 1));
  const maybe = <T>(chance: number, make: () => T): T | undefined => (random() < chance ? make() : undefined);
  const around = (size: number): Vec => [within(-size, size), within(-size, size), within(-size, size)];
  const material = (): Material => ({
    ke: decades(2, 5),
    kd: decades(-1, 1.5),
    kf: decades(-1, 2),
    mu: within(0.1, 0.8),
  });

  const points: Point[] = [];
  const links: Link[] = [];
  const blocks: Block[] = [];
  const pieces = whole(1, 3);
  for (let piece = 0; piece < pieces; piece++) {
    const centre: Vec = [0.6 * piece, within(0.2, 0.4), within(-0.1, 0.1)];
    const velocity = plus([0, -1, 0], around(1.5));
    const kind = random();
    if (kind < 0.35) {
      const size: Vec = [within(0.1, 0.3), within(0.1, 0.3), within(0.1, 0.3)];
      const mu = decades(3, 6.5);
      blocks.push({
        size,
        velocity,
        mu,
        lambda: mu * within(0.5, 5),
        density: decades(2, 3.3),
        damping: decades(0, 3),
        at: centre,
        fixed: [0, 1, 2, 3, 4, 5, 6, 7].filter(() => random() < 0.1),
      });
      continue;
    }
    const count = kind < 0.9 ? whole(2, 6) : whole(1, 3);
    const first = points.length;
    for (let k = 0; k < count; k++)
      points.push({
        position: plus(centre, around(0.15)),
        velocity: plus(velocity, around(0.1)),
        mass: decades(-2, 0.5),
        fixed: random() < 0.12 ? 1 : 0,
      });
    if (kind >= 0.9) continue;
    const [stiffness, damping] = [decades(1, 6), decades(-2, 1.5)];
    for (let j = 1; j < count; j++)
      for (let i = 0; i < j; i++) {
        // A chain, and some cross links.
        if (i !== j - 1 && random() < 0.5) continue;
        const [a, b] = [first + i, first + j];
        const apart = length(minus(points[a].position, points[b].position));
        links.push({
          ends: [a, b],
          stiffness: stiffness * decades(-0.5, 0.5),
          damping,
          // Stretched at the start: a chain compressed by a long step may buckle, where it has no derivative.
          restLength: apart * within(0.93, 1),
        });
      }
  }
  const touch = maybe(0.75, () => ({ ...material(), thickness: within(0.02, 0.06) }));
  const free = (position: Vec, reach: number): boolean =>
    points.every((p) => length(minus(p.position, position)) > reach) &&
    blocks.every((b) => length(minus(b.at, position)) > reach + length(b.size) / 2);
  const besides = (reach: number): Vec | undefined => {
    for (let tries = 0; tries < 20; tries++) {
      const at = plus([0.6 * whole(0, pieces - 1), 0.2, 0], around(0.3));
      if (free(at, reach)) return at;
    }
    return undefined;
  };
  const ballOf = (radius: number): Ball | undefined => {
    const position = besides(radius);
    return position && { position, radius, material: material() };
  };
  const lowest = Math.min(
    ...points.filter((p) => p.fixed === 0).map((p) => p.position[1]),
    ...blocks.map((b) => b.at[1] - b.size[1] / 2),
  );
  // Some are in contact at the start.
  const ground = Number.isFinite(lowest)
    ? touch && maybe(0.6, () => ({ offset: lowest - touch.thickness * within(0.5, 1.5) }))
    : undefined;
  const sphere = touch && maybe(0.4, () => ballOf(within(0.05, 0.2)));
  const box =
    touch &&
    maybe(0.4, () => {
      const size: Vec = [within(0.1, 0.4), within(0.1, 0.4), within(0.1, 0.4)];
      const position = besides(length(size) / 2);
      return position && { position, size, material: material() };
    });
  const body =
    touch &&
    maybe(0.5, () => {
      const radius = within(0.05, 0.15);
      const beside = around(0.05);
      const centre = besides(radius + 0.1);
      return (
        centre && {
          position: centre,
          velocity: around(1),
          angularVelocity: around(3),
          mass: decades(-1, 1),
          inertia: decades(-3, -1),
          sphere: { position: beside, radius, material: material() },
        }
      );
    });
  const drag = maybe(0.4, () => ({ quadraticDrag: decades(-2, 0.5), linearDrag: decades(-2, 0.5) }));
  const swirl = maybe(0.4, () => ({ field: around(3), pull: decades(-1, 2) }));
  return {
    dt: 1 / within(30, 240),
    steps: whole(3, 8),
    gravity: plus([0, -6, 0], around(4)),
    points,
    links,
    blocks,
    touch,
    ground,
    sphere,
    box,
    body,
    drag,
    swirl,
  };
}

/**
 * Plugin with the force f = m (v x B) - pull x / (1 + x.x): the sum of one force that does not derive from an energy,
 * and one that does.
 */
const swirlOf = ({ field: B, pull }: NonNullable<Drawn['swirl']>): Plugin =>
  definePlugin({
    name: 'swirl',
    contract: 1,
    requires: ['@gradsim/particles'],
    build: ({ model }) => {
      const strength = field('world', 'swirl', vec3);
      model.addField(strength, { values: B });
      const { position, velocity, totalMass, force } = Particle;
      model.addPass(
        'force',
        kernel(
          'swirl',
          { domain: Particle, reads: { position, velocity, totalMass, strength }, adds: { force } },
          ({ position, velocity, totalMass, strength, force }) => {
            force.add(cross(velocity, strength).mul(totalMass));
            force.add(position.mul(f32(-pull).div(dot(position, position).add(1))));
          },
        ),
      );
    },
  });

/** Returns the mesh of a block at its start. */
export function blockMesh({ size, at }: Block) {
  const mesh = tetBox({ size: [...size], cells: [1, 1, 1] });
  return { ...mesh, positions: mesh.positions.map((x, k) => x + at[k % 3]) };
}

/** Builds the drawn scene, its particles in the order of `points`, then those of `blocks`. */
export function sceneOf(drawn: Drawn): Scene {
  const { order, gravity, points, links, blocks, touch, ground, sphere, box, body, drag, swirl } = drawn;
  const scene = createScene([
    ...[particles(), implicitSteps({ order })],
    ...(links.length > 0 ? [springs()] : []),
    ...(blocks.length > 0 ? [fem()] : []),
    ...(body ? [rigid()] : []),
    ...(touch ? [contact()] : []),
    ...(swirl ? [swirlOf(swirl)] : []),
  ]);
  scene.add(Gravity, { acceleration: gravity });
  const all = points.map((point) => scene.add(Particle, { ...point }));
  for (const link of links) scene.add(Spring, { ...link, ends: [all[link.ends[0]], all[link.ends[1]]] });
  for (const block of blocks) {
    const { velocity, mu, lambda, density, damping, fixed } = block;
    all.push(...addSoftBody(scene, blockMesh(block), { velocity, mu, lambda, density, damping, fixed }).particles);
  }
  for (const particle of all) {
    if (touch) scene.attach(particle, contactOf(Particle), { ...touch });
    if (drag) scene.attach(particle, ParticleDrag, { ...drag });
  }
  if (ground) scene.add(HalfSpace, { offset: ground.offset });
  if (sphere) scene.add(ContactSphere, { position: sphere.position, radius: sphere.radius, ...sphere.material });
  if (box) scene.add(ContactBox, { position: box.position, size: box.size, ...box.material });
  if (body) {
    const { position, velocity, angularVelocity, mass, inertia: i, sphere: ball } = body;
    const inertia = [i, 0, 0, 0, i, 0, 0, 0, i];
    const moving = scene.add(Body, { position, velocity, angularVelocity, mass, inertia });
    const { position: at, radius } = ball;
    scene.add(ContactSphere, { body: moving, position: at, radius, ...ball.material });
  }
  return scene;
}

/** Returns the parameters of a scene on which a loss can depend. */
export function parametersOf({ links, blocks, touch, sphere, box, body, drag, swirl }: Drawn): string[] {
  return [
    ...['particles.position', 'particles.velocity', 'particles.mass', 'world.gravity'],
    ...(links.length > 0 ? ['springs.stiffness', 'springs.damping', 'springs.restLength'] : []),
    ...(blocks.length > 0 ? ['tets.mu', 'tets.lambda', 'tets.damping', 'tets.density'] : []),
    ...(touch && (sphere || box || body) ? ['particles.ke', 'particles.mu'] : []),
    ...(touch && (sphere || body) ? ['spheres.radius', 'spheres.kd'] : []),
    ...(touch && box ? ['boxes.position', 'boxes.kf'] : []),
    ...(touch && body ? ['bodies.velocity', 'bodies.mass'] : []),
    ...(drag ? ['particles.quadraticDrag'] : []),
    ...(swirl ? ['world.swirl'] : []),
  ];
}
