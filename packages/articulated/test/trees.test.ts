import { articulated, Gravity, Link } from '@gradsim/articulated';
import type { Entity, Scene } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { seedOfRun } from '../../../scripts/vitest/draws.ts';
import type { LinkGiven, LinkState, Totals } from './support/kinematics.ts';
import { totals } from './support/kinematics.ts';

const INERTIA = [0.02, 0.001, 0, 0.001, 0.03, -0.002, 0, -0.002, 0.025];
const TILTED = [0.1, -0.2, 0.3, 0.9];
/** Branching tree with every kind of joint, on the given base link. */
const tree = (base: LinkGiven): LinkGiven[] => [
  base,
  {
    parent: 0,
    joint: 'revolute',
    anchor: [0.3, 0.1, 0],
    axis: [1, 0.5, 0.2],
    restOrientation: TILTED,
    mass: 0.5,
    centre: [0.1, 0.05, -0.1],
    inertia: INERTIA,
    coordinate: 0.4,
    rate: 1.5,
  },
  {
    parent: 0,
    joint: 'prismatic',
    anchor: [-0.2, 0, 0.1],
    axis: [0.2, 1, 0.1],
    mass: 0.4,
    centre: [0, 0.1, 0.1],
    inertia: INERTIA,
    coordinate: 0.1,
    rate: -0.4,
  },
  {
    parent: 1,
    joint: 'ball',
    anchor: [0.2, 0, 0],
    jointOrientation: [0.3, 0.1, -0.2, 1],
    mass: 0.3,
    centre: [0, -0.2, 0.05],
    inertia: INERTIA,
    angularVelocity: [1, -2, 0.5],
  },
  {
    parent: 2,
    joint: 'fixed',
    anchor: [0, 0.2, 0],
    restOrientation: [0.5, 0, 0, 1],
    mass: 0.2,
    centre: [0, 0.1, 0],
    inertia: INERTIA,
  },
  {
    parent: 3,
    joint: 'revolute',
    anchor: [0, -0.3, 0],
    axis: [0, 0, 1],
    mass: 0.25,
    centre: [0.2, 0, 0.02],
    coordinate: -0.3,
    rate: 2,
  },
  {
    parent: 2,
    joint: 'revolute',
    anchor: [0.1, 0, 0],
    axis: [0, 1, 1],
    mass: 0.35,
    centre: [0.1, 0.1, 0],
    inertia: INERTIA,
    coordinate: 0.7,
    rate: -1,
  },
];
const onWorld: LinkGiven = {
  joint: 'revolute',
  anchor: [0, 1, 0],
  axis: [0.3, 0.2, 1],
  coordinate: 0.2,
  rate: 0.5,
  mass: 0.6,
  centre: [0.1, -0.1, 0.05],
  inertia: INERTIA,
};
const floating: LinkGiven = {
  joint: 'free',
  anchor: [0, 1, 0],
  translation: [0.1, 0.2, 0],
  velocity: [0.3, 0.5, -0.2],
  jointOrientation: TILTED,
  angularVelocity: [0.4, 1, -0.7],
  mass: 0.6,
  centre: [0.1, -0.1, 0.05],
  inertia: INERTIA,
};

function sceneOf(links: readonly LinkGiven[], gravity: readonly number[]): Scene {
  const scene = createScene([articulated()]);
  scene.add(Gravity, { acceleration: gravity });
  const entities: Entity[] = [];
  for (const { parent, ...rest } of links)
    entities.push(scene.add(Link, { ...rest, ...(parent === undefined ? {} : { parent: entities[parent] }) }));
  return scene;
}

/** Fields of the states of joints: number of components, kinds of joint that have them, and the value for others. */
const STATES = [
  { field: Link.coordinate, size: 1, of: ['revolute', 'prismatic'], otherwise: [0] },
  { field: Link.rate, size: 1, of: ['revolute', 'prismatic'], otherwise: [0] },
  { field: Link.jointOrientation, size: 4, of: ['ball', 'free'], otherwise: [0, 0, 0, 1] },
  { field: Link.angularVelocity, size: 3, of: ['ball', 'free'], otherwise: [0, 0, 0] },
  { field: Link.translation, size: 3, of: ['free'], otherwise: [0, 0, 0] },
  { field: Link.velocity, size: 3, of: ['free'], otherwise: [0, 0, 0] },
];

/** Total energy and momenta at the start and at the end of a run. */
async function runTotals(
  links: readonly LinkGiven[],
  gravity: readonly number[],
  seconds: number,
  substeps: number,
): Promise<readonly [Totals, Totals]> {
  const there = STATES.filter(({ of }) => links.some(({ joint }) => of.includes(joint)));
  const simulation = await createSimulation(buildModel(sceneOf(links, gravity)), {
    device: f64Device(),
    frames: 2,
    frameRate: 1 / seconds,
    substeps,
    outputs: there.map(({ field }) => field),
  });
  const start = links.map(
    (link): LinkState => ({
      coordinate: link.coordinate ?? 0,
      rate: link.rate ?? 0,
      jointOrientation: link.jointOrientation ?? [0, 0, 0, 1],
      angularVelocity: link.angularVelocity ?? [0, 0, 0],
      translation: link.translation ?? [0, 0, 0],
      velocity: link.velocity ?? [0, 0, 0],
    }),
  );
  simulation.forward();
  const ends = await Promise.all(
    STATES.map((state) => (there.includes(state) ? simulation.read(state.field) : undefined)),
  );
  const end = links.map((_, k): LinkState => {
    const [q, v, r, w, x, u] = STATES.map(({ size, otherwise }, s) =>
      ends[s] ? [...ends[s].slice(size * k, size * k + size)] : otherwise,
    );
    return {
      coordinate: q[0],
      rate: v[0],
      jointOrientation: r,
      angularVelocity: w,
      translation: x,
      velocity: u,
    };
  });
  return [totals(links, start, gravity), totals(links, end, gravity)];
}

const furthest = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((x, k) => Math.abs(x - b[k])));

describe('a tree with all kinds of joint', () => {
  // Only the true equations of motion conserve all of these as the step goes to 0; the method is of first order.
  const errorsOf = async (links: LinkGiven[], gravity: number[], of: (a: Totals, b: Totals) => number) => {
    const errors: number[] = [];
    for (const substeps of [4000, 8000]) errors.push(of(...(await runTotals(links, gravity, 0.5, substeps))));
    return errors;
  };

  it('hinged to the world conserves its energy, up to an error in proportion to the step', async () => {
    const errors = await errorsOf(tree(onWorld), [0, -9.81, 0], (a, b) => Math.abs(a.energy - b.energy));
    expect(errors[0]).toBeLessThan(0.02);
    expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
  });

  it('with a floating base conserves energy, momentum and angular momentum, up to an error in proportion to the step', async () => {
    for (const of of [
      (a: Totals, b: Totals) => Math.abs(a.energy - b.energy),
      (a: Totals, b: Totals) => furthest(a.momentum, b.momentum),
      (a: Totals, b: Totals) => furthest(a.angularMomentum, b.angularMomentum),
    ]) {
      const errors = await errorsOf(tree(floating), [0, 0, 0], of);
      expect(errors[0]).toBeLessThan(0.02);
      expect(errors[0] / errors[1]).toBeCloseTo(2, 1);
    }
  });
});

describe('free links', () => {
  it('of isotropic inertia conserve their angular momentum to rounding, and so do those on ball joints', async () => {
    const ball: LinkGiven = {
      joint: 'free',
      mass: 2,
      centre: [0, 0, 0],
      inertia: [0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3],
      jointOrientation: TILTED,
      angularVelocity: [3, -5, 2],
      velocity: [1, 0, 0],
    };
    const [before, after] = await runTotals([ball], [0, 0, 0], 5, 5000);
    expect(furthest(before.angularMomentum, after.angularMomentum)).toBeLessThan(1e-12);
    const hung = { ...ball, joint: 'ball' as const, velocity: undefined };
    const [start, end] = await runTotals([hung], [0, 0, 0], 5, 5000);
    expect(furthest(start.angularMomentum, end.angularMomentum)).toBeLessThan(1e-12);
  });

  it('fall by g dt^2 n (n + 1) / 2 in n substeps, and reach the velocity g n dt', async () => {
    // v_n = -g n dt, x_n = -g dt^2 n (n + 1) / 2, whatever is attached to the link at its centre of mass.
    const [n, dt] = [500, 1 / 500];
    const simulation = await createSimulation(
      buildModel(sceneOf([{ joint: 'free', mass: 2, centre: [0, 0, 0], inertia: INERTIA }], [0, -10, 0])),
      {
        device: f64Device(),
        frames: 2,
        frameRate: 1,
        substeps: n,
        outputs: [Link.translation, Link.velocity],
      },
    );
    simulation.forward();
    expect((await simulation.read(Link.velocity))[1]).toBeCloseTo(-10, 12);
    expect((await simulation.read(Link.translation))[1]).toBeCloseTo((-10 * dt * dt * n * (n + 1)) / 2, 12);
  });
});

describe('trees side by side', () => {
  it('move as each does in a scene of its own, in whatever order their links are added', async () => {
    // Drawn at random: which link is the parent of which, and the kind of joint.
    let state = seedOfRun('trees side by side') % 1_000_000;
    const draw = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const drawn = (count: number): LinkGiven[] =>
      Array.from({ length: count }, (_, k): LinkGiven => {
        const joint = (['revolute', 'prismatic', 'revolute', 'ball', 'fixed'] as const)[draw(5)];
        const hasAxis = joint === 'revolute' || joint === 'prismatic';
        return {
          ...(k === 0 || draw(5) === 0 ? {} : { parent: draw(k) }),
          joint,
          anchor: [0.1 * draw(5), -0.2, 0.1],
          axis: [1, draw(3), draw(2)],
          mass: 0.2 + 0.1 * draw(5),
          centre: [0.1, -0.1 * draw(3), 0.02],
          inertia: INERTIA,
          ...(hasAxis ? { coordinate: 0.1 * draw(9), rate: draw(3) - 1 } : {}),
          ...(joint === 'ball' ? { angularVelocity: [draw(3), 1, draw(2)] } : {}),
        };
      });
    const forests = [drawn(7), drawn(4), drawn(9)];
    const ends = async (links: readonly LinkGiven[]): Promise<number[]> => {
      const simulation = await createSimulation(buildModel(sceneOf(links, [0, -9.81, 0])), {
        device: f64Device(),
        frames: 2,
        frameRate: 5,
        substeps: 100,
        record: [Link.position],
      });
      simulation.forward();
      return Array.from(await simulation.readFrames(Link.position)).slice(3 * links.length);
    };
    const alone = (await Promise.all(forests.map(ends))).flat();
    let first = 0;
    const together = forests.flatMap((links) => {
      const from = first;
      first += links.length;
      return links.map((link) => (link.parent === undefined ? link : { ...link, parent: link.parent + from }));
    });
    expect(furthest(await ends(together), alone)).toBeLessThan(1e-12);
    // The same links in an order drawn at random, in which a parent still comes before its children.
    const order: number[] = [];
    while (order.length < together.length) {
      const next = together.flatMap(({ parent }, k) =>
        order.includes(k) || (parent !== undefined && !order.includes(parent)) ? [] : [k],
      );
      order.push(next[draw(next.length)]);
    }
    const mixed = order.map((k): LinkGiven => {
      const { parent, ...link } = together[k];
      return parent === undefined ? link : { ...link, parent: order.indexOf(parent) };
    });
    const expected = order.flatMap((k) => alone.slice(3 * k, 3 * k + 3));
    expect(furthest(await ends(mixed), expected)).toBeLessThan(1e-12);
  });
});
