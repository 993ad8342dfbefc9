import { articulated, fasten, Gravity, Link, Tie, ties } from '@gradsim/articulated';
import { addCloth, cloth, Triangle } from '@gradsim/cloth';
import { ContactCapsule, ContactSphere, contact, contactOf } from '@gradsim/contact';
import type { Entity, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { addSoftBody, fem, Tet } from '@gradsim/fem';
import { chain, plane, tetBox } from '@gradsim/mesh';
import { Particle, particles } from '@gradsim/particles';
import { addSprings, springs } from '@gradsim/springs';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('soft bodies and cloth on links');
const sphere = { mass: 2, centre: [0, 0, 0], inertia: [0.05, 0, 0, 0, 0.05, 0, 0, 0, 0.05] };

const positionsOf = (scene: Scene, points: readonly Entity[]): number[] =>
  points.flatMap((point) => [...scene.get(point, Particle, 'position')]);

/** Scene of a soft block, 0.4 m long, hung by its upper face. */
function hangBlock(scene: Scene, link: Entity, at: readonly number[], damping = 0): Entity[] {
  const block = tetBox({ cells: [1, 2, 1], size: [0.2, 0.4, 0.2] });
  const moved = { ...block, positions: block.positions.map((x, k) => x + at[k % 3]) };
  const { particles: points } = addSoftBody(scene, moved, { mu: 800, lambda: 800, mass: 0.08, damping });
  const top = points.filter((point) => scene.get(point, Particle, 'position')[1] > at[1] + 0.19);
  expect(top).toHaveLength(4);
  fasten(scene, {
    link,
    points: top,
    positions: positionsOf(scene, top),
    stiffness: 2000,
    damping: 2 * damping,
  });
  return points;
}

interface Moved {
  readonly momentum: readonly number[];
  readonly angular: readonly number[];
}
/**
 * Momentum and angular momentum about the origin of a free link of isotropic inertia together with its particles, at
 * the start and at the end.
 */
async function momenta(scene: Scene, points: readonly Entity[], substeps: number): Promise<[Moved, Moved]> {
  const simulation = await createSimulation(buildModel(scene), {
    device: f64Device(),
    frames: 2,
    frameRate: 2,
    substeps,
  });
  const fields = [Link.translation, Link.velocity, Link.jointOrientation, Link.angularVelocity];
  const own = async () =>
    Promise.all([...fields, Particle.position, Particle.velocity, Particle.mass].map((f) => simulation.read(f)));
  const totals = (values: readonly ArrayLike<number>[]): Moved => {
    const [x, v, q, w, positions, velocities, masses] = values;
    const momentum = [0, 0, 0];
    const angular = [0, 0, 0];
    const add = (mass: number, at: readonly number[], speed: readonly number[]): void => {
      for (let k = 0; k < 3; k++) {
        const [i, j] = [(k + 1) % 3, (k + 2) % 3];
        momentum[k] += mass * speed[k];
        angular[k] += mass * (at[i] * speed[j] - at[j] * speed[i]);
      }
    };
    add(sphere.mass, Array.from(x).slice(0, 3), Array.from(v).slice(0, 3));
    points.forEach((_, p) => {
      add(
        masses[p],
        [0, 1, 2].map((k) => positions[3 * p + k]),
        [0, 1, 2].map((k) => velocities[3 * p + k]),
      );
    });
    // I w in the world: I is isotropic, w in own axes.
    const [a, b, c, d] = Array.from(q);
    const u = [a, b, c];
    const cross = (m: readonly number[], n: readonly number[]) => [
      m[1] * n[2] - m[2] * n[1],
      m[2] * n[0] - m[0] * n[2],
      m[0] * n[1] - m[1] * n[0],
    ];
    const t = cross(u, Array.from(w)).map((s) => 2 * s);
    const tt = cross(u, t);
    for (let k = 0; k < 3; k++) angular[k] += sphere.inertia[0] * (w[k] + d * t[k] + tt[k]);
    return { momentum, angular };
  };
  const initial = async () => {
    const still = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 1,
      frameRate: 2,
      substeps,
    });
    still.forward();
    return Promise.all([...fields, Particle.position, Particle.velocity, Particle.mass].map((f) => still.read(f)));
  };
  const before = totals(await initial());
  simulation.forward();
  return [before, totals(await own())];
}

const furthest = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k])));

describe('a soft block hung on a link', () => {
  it('pulls at rest with its weight', async () => {
    // A slide on a spring: k q = -(m + M) g, however the block below moves.
    const scene = createScene([articulated(), particles(), fem(), ties()]);
    const slide = scene.add(Link, {
      joint: 'prismatic',
      axis: [0, 1, 0],
      mass: 1,
      stiffness: 500,
      damping: 30,
      anchor: [0, 2, 0],
    });
    const points = hangBlock(scene, slide, [0, 1.8, 0], 5);
    const weight = (1 + 0.08 * points.length) * 9.81;
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 0.1,
      substeps: 20_000,
    });
    simulation.forward();
    expect((await simulation.read(Link.coordinate))[0]).toBeCloseTo(-weight / 500, 9);
  });

  const floating = (): { scene: Scene; points: Entity[] } => {
    const scene = createScene([articulated(), particles(), fem(), ties()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const link = scene.add(Link, {
      joint: 'free',
      ...sphere,
      velocity: [0.5, 0, 0.2],
      angularVelocity: [0.3, -1, 2],
      jointOrientation: [0.2, 0.1, 0, 0.97],
    });
    return { scene, points: hangBlock(scene, link, [0, -0.3, 0], 1) };
  };

  it('conserves momentum and angular momentum to rounding with a floating base, even with damping', async () => {
    const { scene, points } = floating();
    // Forces in pairs, each pair at one point: neither is lost in a step of x' = x + dt v', of any length.
    const [before, after] = await momenta(scene, points, 1000);
    expect(furthest(before.momentum, after.momentum)).toBeLessThan(1e-12);
    expect(furthest(before.angular, after.angular)).toBeLessThan(1e-12);
  });

  it('has derivatives over the whole run that agree with central differences', async () => {
    await checkGradients(buildModel(floating().scene), {
      frames: 4,
      frameRate: 8,
      substeps: 100,
      seed: SEED,
      parameters: [Tet.mu, Tet.lambda, Particle.mass, Tie.stiffness, Link.mass, Link.inertia, Link.velocity],
      outputs: [Link.translation, Link.angularVelocity, Particle.position],
    });
  });
});

describe('a spring between a link and a fixed point', () => {
  it('holds a motor-driven lever where torques balance', async () => {
    // A motor turns a lever of 0.5 m; a spring holds its end to a place 1 m below: at rest, motor = arm x pull.
    const scene = createScene([articulated(), particles(), springs(), ties()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const lever = scene.add(Link, {
      joint: 'revolute',
      axis: [0, 0, 1],
      mass: 1,
      centre: [0.2, 0, 0],
      damping: 2,
      drive: 3,
    });
    const { particles: ends } = addSprings(scene, chain({ from: [0.5, 0, 0], to: [0.5, -1, 0], segments: 1 }), {
      mass: 0.1,
      stiffness: 50,
      damping: 5,
      fixed: [1],
    });
    fasten(scene, { link: lever, points: [ends[0]], positions: [0.5, 0, 0], stiffness: 1e4, damping: 10 });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 0.1,
      substeps: 40_000,
    });
    simulation.forward();
    const [q] = await simulation.read(Link.coordinate);
    const at = Array.from(await simulation.read(Particle.position)).slice(0, 3);
    // The pull of the spring along the line from its end to the ground, its arm about the hinge.
    const [dx, dy] = [0.5 - at[0], -1 - at[1]];
    const length = Math.hypot(dx, dy);
    const pull = 50 * (length - 1);
    const [fx, fy] = [(pull * dx) / length, (pull * dy) / length];
    // The anchor pulls at the lever's end as the spring does at the particle.
    expect(3 + 0.5 * (Math.cos(q) * fy - Math.sin(q) * fx)).toBeCloseTo(0, 8);
    expect(q).toBeGreaterThan(0.05);
  });
});

describe('a deformable body thrown onto a free link', () => {
  const material = { ke: 3000, kd: 4, kf: 20, mu: 0.5 };
  const thrown = (kind: 'cloth' | 'block'): { scene: Scene; points: Entity[] } => {
    const scene = createScene([articulated(), particles(), fem(), cloth(), contact()]);
    scene.add(Gravity, { acceleration: [0, 0, 0] });
    const link = scene.add(Link, { joint: 'free', ...sphere, angularVelocity: [0, 0, 1] });
    if (kind === 'cloth') scene.add(ContactCapsule, { body: link, ...material, length: 0.4, radius: 0.15 });
    else scene.add(ContactSphere, { body: link, ...material, radius: 0.2 });
    const fall = { velocity: [0.2, -2, 0], mass: 0.02 } as const;
    const placed = <M extends { positions: ArrayLike<number> }>(mesh: M): M => ({
      ...mesh,
      positions: Float64Array.from(mesh.positions, (x, k) => x + [0.03, 0.5, 0.02][k % 3]),
    });
    const { particles: points } =
      kind === 'cloth'
        ? addCloth(scene, placed(plane({ size: [0.6, 0.6], segments: [4, 4] })), {
            ...fall,
            mu: 50,
            lambda: 50,
            bendStiffness: 0.01,
            damping: 0.1,
          })
        : addSoftBody(scene, placed(tetBox({ cells: [2, 2, 2], size: [0.3, 0.3, 0.3] })), {
            ...fall,
            mu: 500,
            lambda: 500,
            damping: 1,
          });
    for (const point of points) scene.attach(point, contactOf(Particle), material);
    return { scene, points };
  };

  it.each(['cloth', 'block'] as const)('%s: transfers momentum, conserving it and angular momentum', async (kind) => {
    const { scene, points } = thrown(kind);
    const [before, after] = await momenta(scene, points, 600);
    expect(furthest(before.momentum, after.momentum)).toBeLessThan(1e-12);
    expect(furthest(before.angular, after.angular)).toBeLessThan(1e-12);
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 2,
      substeps: 600,
    });
    simulation.forward();
    expect((await simulation.read(Link.velocity))[1]).toBeLessThan(-0.1);
  });

  it.each(['cloth', 'block'] as const)(
    '%s: has derivatives over the whole run that agree with central differences',
    async (kind) => {
      await checkGradients(buildModel(thrown(kind).scene), {
        frames: 4,
        frameRate: 8,
        substeps: 90,
        seed: SEED,
        parameters: [
          ...[Link.mass, Link.inertia, Particle.velocity, Particle.mass, contactOf(Particle).ke],
          ...(kind === 'cloth' ? [Triangle.mu, ContactCapsule.radius] : [Tet.mu, ContactSphere.radius]),
        ],
        outputs: [Link.translation, Link.velocity, Link.angularVelocity, Particle.position],
      });
    },
  );
});
