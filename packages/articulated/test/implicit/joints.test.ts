import { addUniversal, articulated, Gravity, Link } from '@gradsim/articulated';
import type { Entity, Model, Scene } from '@gradsim/core';
import { buildModel, cpuDevice, createScene, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { checkDevices, checkGradients } from '@gradsim/core/testing';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import type { LinkGiven, LinkState } from '../support/kinematics.ts';
import { totals } from '../support/kinematics.ts';

const SEED = seedOfRun('implicit joints');

const INERTIA = [0.02, 0.001, 0, 0.001, 0.03, -0.002, 0, -0.002, 0.025];
const WEIGHTLESS = [0, 0, 0];

interface Dragged extends LinkGiven {
  readonly damping?: number;
  readonly dryFriction?: number;
  readonly frictionWidth?: number;
  readonly drive?: number;
  readonly ballDrive?: readonly number[];
}

/**
 * Builds a random tree of strongly coupled joints of all kinds but free ones: masses over two decades, joints near each
 * other.
 */
function randomTree(seed: number, links: number): Dragged[] {
  const random = randomNumbers(seed);
  const vector = (size: number): number[] => [0, 1, 2].map(() => size * (2 * random() - 1));
  return Array.from({ length: links }, (_, k) => {
    const joint = (['revolute', 'revolute', 'prismatic', 'ball'] as const)[Math.floor(4 * random())];
    const mass = 10 ** (2 * random() - 1.5);
    const moving = joint === 'ball' ? { angularVelocity: vector(3) } : { rate: 6 * random() - 3 };
    return {
      ...(k > 0 ? { parent: Math.floor(random() * k) } : {}),
      ...moving,
      joint,
      anchor: vector(0.2),
      mass,
      centre: vector(0.2),
      ...(joint === 'ball' ? {} : { axis: vector(1) }),
      inertia: INERTIA.map((x) => x * mass),
    };
  });
}

function sceneOf(links: readonly Dragged[], gravity: readonly number[], implicitJoints = true): Scene {
  const scene = createScene([articulated({ implicitJoints })]);
  scene.add(Gravity, { acceleration: gravity });
  const entities: Entity[] = [];
  for (const { parent, ...rest } of links)
    entities.push(scene.add(Link, { ...rest, ...(parent === undefined ? {} : { parent: entities[parent] }) }));
  return scene;
}

const dragged = (links: readonly LinkGiven[], drag: (k: number) => Partial<Dragged>): Dragged[] =>
  links.map((link, k) => ({ ...link, ...drag(k) }));

const STATES = [Link.coordinate, Link.rate, Link.jointOrientation, Link.angularVelocity] as const;

/** Returns the states of all links after a number of substeps. */
async function runTree(scene: Scene, dt: number, substeps: number, device = f64Device()): Promise<LinkState[]> {
  const model = buildModel(scene);
  const simulation = await createSimulation(model, {
    device,
    frames: 2,
    frameRate: 1 / (dt * substeps),
    substeps,
    onWarning: () => {},
    outputs: STATES.filter(({ key }) => isUsed(model, key)),
  });
  simulation.forward();
  const read = async (k: number): Promise<ArrayLike<number>> =>
    isUsed(model, STATES[k].key) ? await simulation.read(STATES[k]) : [];
  const [q, v, r, w] = [await read(0), await read(1), await read(2), await read(3)];
  simulation.dispose();
  return Array.from({ length: model.domain('links').size }, (_, k) => ({
    coordinate: q[k] ?? 0,
    rate: v[k] ?? 0,
    jointOrientation: r.length > 0 ? Array.from(r).slice(4 * k, 4 * k + 4) : [0, 0, 0, 1],
    angularVelocity: w.length > 0 ? Array.from(w).slice(3 * k, 3 * k + 3) : [0, 0, 0],
    translation: [0, 0, 0],
    velocity: [0, 0, 0],
  }));
}
const isUsed = (model: Model, key: string): boolean =>
  model.kernels().some(({ kernel }) => kernel.form.ports.some((p) => p.access === 'write' && p.field?.key === key));

describe('one sliding joint with implicit friction', () => {
  it('slows down by m / (m + dt d) in each substep, m mass, d damping up to 1e6 N s/m', async () => {
    for (const damping of [1, 1e3, 1e6]) {
      const scene = sceneOf(
        [{ joint: 'prismatic', axis: [1, 0, 0], mass: 2, centre: [0, 0, 0], rate: 3, damping }],
        WEIGHTLESS,
      );
      const [{ rate }] = await runTree(scene, 1 / 40, 4);
      const factor = 2 / (2 + damping / 40);
      expect(rate / (3 * factor ** 4)).toBeCloseTo(1, 11);
    }
  });

  it('is stopped by dry friction, and then creeps under a load F at F dt / (100 m)', async () => {
    const scene = createScene([articulated({ implicitJoints: true })]);
    scene.add(Gravity, { acceleration: WEIGHTLESS });
    scene.add(Link, { joint: 'prismatic', axis: [1, 0, 0], mass: 2, rate: 3, dryFriction: 4, drive: 1 });
    const simulation = await createSimulation(buildModel(scene), {
      device: f64Device(),
      frames: 4,
      frameRate: 1,
      substeps: 50,
      record: [Link.rate],
    });
    simulation.forward();
    const [, first, , last] = await simulation.readFrames(Link.rate);
    // m v' = drive - friction = -3 N until it stops after 2 s; then kf v = drive, with kf = 100 m / dt.
    expect(first).toBeCloseTo(1.5, 12);
    expect(last).toBeCloseTo(1 / 50 / 200, 12);
    simulation.dispose();
  });
});

describe('random trees of strongly coupled implicit joints', () => {
  it('end a substep as if friction and damping at its final rates were applied as drives', async () => {
    const dt = 1 / 100;
    for (let k = 0; k < 2; k++) {
      const random = randomNumbers(SEED + k);
      const tree = randomTree(SEED + k, 6);
      // Some joints are sure to stick.
      const law = tree.map((_, i) => ({
        dryFriction: 10 ** (4 * random() - 2),
        frictionWidth: i % 3 === 0 ? 1000 : 10 ** (3 * random() - 3),
        damping: 10 ** (3 * random() - 3),
      }));
      const end = await runTree(
        sceneOf(
          dragged(tree, (i) => law[i]),
          [0, -9.81, 0],
        ),
        dt,
        1,
      );
      // The same torques as drives of a tree without drag lead there too.
      let holding = 0;
      const drives = dragged(tree, (i) => {
        const { dryFriction, frictionWidth, damping } = law[i];
        const torqueAt = (w: readonly number[]): number[] => {
          const speed = Math.hypot(...w);
          if (speed < frictionWidth) holding++;
          const friction = dryFriction * Math.min(1 / frictionWidth, 1 / speed);
          return w.map((x) => -(damping + friction) * x);
        };
        return tree[i].joint === 'ball'
          ? { ballDrive: torqueAt(end[i].angularVelocity) }
          : { drive: torqueAt([end[i].rate])[0] };
      });
      const other = await runTree(sceneOf(drives, [0, -9.81, 0], false), dt, 1);
      const size = Math.max(...end.flatMap(({ rate, angularVelocity }) => [rate, ...angularVelocity].map(Math.abs)));
      end.forEach(({ rate, angularVelocity }, i) => {
        expect(Math.abs(rate - other[i].rate) / size, `seed ${SEED + k}`).toBeLessThan(1e-9);
        angularVelocity.forEach((w, c) => {
          expect(Math.abs(w - other[i].angularVelocity[c]) / size, `seed ${SEED + k}`).toBeLessThan(1e-9);
        });
      });
      expect(holding).toBeGreaterThan(0);
    }
  });

  it('have in single precision the rates of doubles to 2e-3', async () => {
    const tree = dragged(randomTree(SEED, 5), (k) => ({ damping: 0.01, dryFriction: 10 ** (k / 4 - 1) }));
    const [double, single] = await Promise.all(
      [f64Device(), cpuDevice()].map((device) => runTree(sceneOf(tree, [0, -9.81, 0]), 1 / 400, 40, device)),
    );
    double.forEach(({ rate, angularVelocity }, k) => {
      expect(Math.abs(rate - single[k].rate)).toBeLessThan(2e-3);
      angularVelocity.forEach((w, c) => {
        expect(Math.abs(w - single[k].angularVelocity[c])).toBeLessThan(2e-3);
      });
    });
  });
});

describe('trees of implicit joints with damping and dry friction only', () => {
  const dt = 1e-3;
  const tree = randomTree(SEED + 20, 5);
  const model = (): Model =>
    buildModel(
      sceneOf(
        dragged(tree, () => ({ damping: 1, dryFriction: 0.2 })),
        WEIGHTLESS,
      ),
    );
  const moving = (simulation: { set: (field: typeof Link.damping, values: number[]) => void }, ratio: number): void =>
    simulation.set(
      Link.damping,
      tree.map(() => ratio / dt),
    );

  it('never gain kinetic energy, for dt d up to 1e6, d the damping', async () => {
    const states = STATES.filter(({ key }) => isUsed(model(), key));
    const frames = 21;
    const simulation = await createSimulation(model(), {
      device: f64Device(),
      frames,
      frameRate: 1 / dt,
      substeps: 1,
      onWarning: () => {},
      record: states,
    });
    for (const ratio of [1e-2, 1, 1e3, 1e6])
      for (const friction of [0, 0.2]) {
        moving(simulation, ratio);
        simulation.set(
          Link.dryFriction,
          tree.map(() => friction),
        );
        simulation.forward();
        const read = new Map<string, ArrayLike<number>>();
        for (const field of states) read.set(field.key, await simulation.readFrames(field));
        const energies = Array.from({ length: frames }, (_, frame) => {
          const of = (field: (typeof STATES)[number], k: number, size: number, none: number[]): number[] => {
            const all = read.get(field.key);
            const from = size * (tree.length * frame + k);
            return all ? Array.from(all).slice(from, from + size) : none;
          };
          const at = tree.map(
            ({ joint }, k): LinkState => ({
              coordinate: of(Link.coordinate, k, 1, [0])[0],
              rate: joint === 'ball' ? 0 : of(Link.rate, k, 1, [0])[0],
              jointOrientation: of(Link.jointOrientation, k, 4, [0, 0, 0, 1]),
              angularVelocity: of(Link.angularVelocity, k, 3, [0, 0, 0]),
              translation: [0, 0, 0],
              velocity: [0, 0, 0],
            }),
          );
          return totals(tree, at, WEIGHTLESS).energy;
        });
        expect(energies[0]).toBeGreaterThan(0.01);
        energies.slice(1).forEach((energy, k) => {
          expect(energy, `dt d = ${ratio}, friction ${friction}, seed ${SEED}`).toBeLessThanOrEqual(energies[k]);
        });
      }
    simulation.dispose();
  });

  it('have an adjoint that grows by less than 1 % over 1000 substeps', async () => {
    const simulation = await createSimulation(model(), {
      device: f64Device(),
      frames: 11,
      frameRate: 1 / (100 * dt),
      substeps: 100,
      onWarning: () => {},
      parameters: [Link.coordinate, Link.rate],
      outputs: [Link.coordinate, Link.rate],
    });
    for (const ratio of [1, 1e3, 1e6]) {
      moving(simulation, ratio);
      simulation.forward();
      const random = randomNumbers(SEED);
      const seeds = tree.map(({ joint }) => (joint === 'ball' ? 0 : random() - 0.5));
      simulation.backward({ [Link.coordinate.key]: seeds, [Link.rate.key]: seeds });
      const gradients = [await simulation.gradient(Link.coordinate), await simulation.gradient(Link.rate)];
      const size = Math.hypot(...gradients.flatMap((of) => Array.from(of)));
      expect(size / (Math.SQRT2 * Math.hypot(...seeds)), `dt d = ${ratio}, seed ${SEED}`).toBeLessThan(1.01);
    }
    simulation.dispose();
  });
});

describe('implicit joints that slide, then stick', () => {
  it('converge at first order in the substep', async () => {
    // A pendulum that dry friction stops away from rest, on a slide that it stops as well.
    const links: Dragged[] = [
      {
        joint: 'prismatic',
        axis: [1, 0, 0],
        mass: 1,
        centre: [0, 0, 0],
        rate: 1,
        damping: 0.3,
        dryFriction: 0.5,
      },
      {
        parent: 0,
        joint: 'revolute',
        axis: [0, 0, 1],
        mass: 0.5,
        centre: [0, -0.3, 0],
        inertia: INERTIA,
        coordinate: 1,
        damping: 0.05,
        dryFriction: 0.3,
      },
    ];
    const angleWith = async (substeps: number): Promise<number[]> => {
      const end = await runTree(sceneOf(links, [0, -9.81, 0]), 2 / substeps, substeps);
      return end.map(({ coordinate }) => coordinate);
    };
    const [coarse, middle, fine, finest] = await Promise.all([200, 400, 800, 51_200].map(angleWith));
    const errorOf = (of: number[]): number => Math.hypot(...of.map((x, k) => x - finest[k]));
    const errors = [coarse, middle, fine].map(errorOf);
    for (const [k, error] of errors.slice(1).entries()) {
      expect(errors[k] / error).toBeGreaterThan(1.7);
      expect(errors[k] / error).toBeLessThan(2.4);
    }
  });
});

/** Scene of joints of all kinds with damping and friction, some of which stick and some slide. */
function everything(): Scene {
  const scene = createScene([articulated({ implicitJoints: true })]);
  const body = { mass: 0.5, centre: [0.1, 0.05, -0.1], inertia: INERTIA };
  const drag = { damping: 0.1, dryFriction: 0.05, armature: 0.01 };
  const root = scene.add(Link, {
    ...body,
    joint: 'free',
    anchor: [0, 1, 0],
    angularVelocity: [0.5, -1, 0.3],
  });
  const arm = scene.add(Link, {
    ...body,
    ...drag,
    parent: root,
    joint: 'revolute',
    axis: [1, 0.5, 0],
    anchor: [0.2, 0, 0],
    coordinate: 0.4,
    rate: 4,
    stiffness: 0.3,
  });
  scene.add(Link, {
    ...body,
    ...drag,
    parent: arm,
    joint: 'ball',
    anchor: [0.2, 0.1, 0],
    angularVelocity: [3, 1.5, -4],
  });
  const ball = { joint: 'ball', ...body, ...drag, dryFriction: 0.06, frictionWidth: 5 } as const;
  scene.add(Link, { ...ball, angularVelocity: [0.1, 0.2, 0.1] });
  scene.add(Link, {
    ...body,
    ...drag,
    dryFriction: 0.08,
    parent: root,
    joint: 'prismatic',
    axis: [0, 1, 0.3],
    drive: 0.03,
  });
  addUniversal(scene, {
    ...body,
    parent: arm,
    anchor: [0, 0.2, 0.1],
    first: { ...drag, axis: [1, 0, 0], rate: 3 },
    second: { ...drag, axis: [0, 0, 1], rate: -4, frictionStiffness: 0.5 },
  });
  // Explicit, so that both kinds are in one model.
  scene.add(Link, {
    ...body,
    ...drag,
    joint: 'revolute',
    rate: 2,
    frictionStiffness: 0.2,
    implicitJoint: false,
  });
  return scene;
}

const rollout = {
  frames: 3,
  frameRate: 20,
  substeps: 8,
  seed: SEED,
  parameters: [
    ...[Link.mass, Link.centre, Link.inertia, Link.armature, Link.damping, Link.dryFriction],
    ...[Link.drive, Link.coordinate, Link.rate, Link.angularVelocity],
  ],
  outputs: [Link.coordinate, Link.rate, Link.jointOrientation, Link.angularVelocity],
};

describe('derivatives of runs with implicit joints', () => {
  it('by masses, armature, damping and friction agree with central differences', async () => {
    const { parameters } = await checkGradients(buildModel(everything()), rollout);
    for (const key of ['links.damping', 'links.dryFriction', 'links.armature'])
      expect(Math.abs(parameters[key].adjoint), key).toBeGreaterThan(1e-6);
  });
  it('by friction width and friction stiffness agree with central differences', async () => {
    for (const [field, value] of [
      [Link.frictionWidth, 0.4],
      [Link.frictionStiffness, 1.5],
    ] as const) {
      const links: LinkGiven[] = [
        { joint: 'revolute', mass: 0.5, centre: [0, -0.3, 0], rate: 0.2 },
        { parent: 0, joint: 'revolute', anchor: [0, -0.4, 0], mass: 0.2, centre: [0, -0.2, 0], rate: 3 },
      ];
      const scene = sceneOf(
        dragged(links, () => ({ dryFriction: 0.6, [field.name]: value })),
        [1, -9.81, 0],
      );
      const { parameters } = await checkGradients(buildModel(scene), {
        frames: 3,
        frameRate: 20,
        substeps: 8,
        seed: SEED,
        parameters: [field],
        outputs: [Link.coordinate, Link.rate],
      });
      expect(Math.abs(parameters[field.key].adjoint)).toBeGreaterThan(1e-6);
    }
  });
  it('through a turn under load are those of the closed form, wherever in its substep the joint turns back', async () => {
    const [load, seconds, substeps] = [1, 2, 1920];
    for (const friction of [0.01, 0.3, 0.9])
      for (let k = 0; k < 8; k++) {
        const rate = 1 + (k / 8) * (((load + friction) * seconds) / substeps);
        const scene = createScene([articulated({ implicitJoints: true })]);
        const link = {
          joint: 'prismatic',
          axis: [1, 0, 0],
          mass: 1,
          drive: -load,
          dryFriction: friction,
          rate,
        } as const;
        scene.add(Link, link);
        const parameters = [Link.rate, Link.dryFriction];
        const timeline = { frames: 2, frameRate: 1 / seconds, substeps, parameters, record: [Link.coordinate] };
        const simulation = await createSimulation(buildModel(scene), { device: cpuDevice(), ...timeline });
        simulation.forward();
        simulation.backward({ [Link.coordinate.key]: [0, 1] });
        const [byRate] = await simulation.gradient(Link.rate);
        const [byFriction] = await simulation.gradient(Link.dryFriction);
        simulation.dispose();
        const turn = rate / (load + friction);
        const back = seconds - turn;
        const ratio = (load - friction) / (load + friction);
        expect(Math.abs(byRate - (turn + ratio * back))).toBeLessThan(0.002);
        expect(Math.abs(byFriction - (back ** 2 / 2 - turn ** 2 / 2 - ratio * back * turn))).toBeLessThan(0.002);
      }
  });
  it('through turns of coupled joints and of a ball joint agree with differences of finer runs', async () => {
    const seconds = 2;
    const bob = { mass: 1, centre: [0, -0.5, 0], inertia: [0.02, 0, 0, 0, 0.02, 0, 0, 0, 0.02] };
    const double = (rate: number, friction: number): Dragged[] => [
      { ...bob, joint: 'revolute', rate, dryFriction: friction },
      {
        ...bob,
        parent: 0,
        joint: 'revolute',
        anchor: [0, -1, 0],
        mass: 0.5,
        centre: [0, -0.3, 0],
        rate: -rate,
        dryFriction: friction / 3,
      },
    ];
    const ball = (rate: number, friction: number): Dragged[] => [
      { ...bob, joint: 'ball', angularVelocity: [0, 0, rate], dryFriction: friction },
    ];
    const cases = [
      {
        linksOf: double,
        rate: 2,
        friction: 0.4,
        of: Link.rate,
        output: Link.coordinate,
        signs: [1, -1],
        ratios: [1, 1 / 3],
      },
      {
        linksOf: ball,
        rate: 3,
        friction: 0.15,
        of: Link.angularVelocity,
        output: Link.angularVelocity,
        signs: [0, 0, 1],
        ratios: [1],
      },
    ];
    for (const { linksOf, friction, of, output, signs, ratios, ...given } of cases)
      for (let k = 0; k < 4; k++) {
        const rate = given.rate + k / 500;
        const at = async (dRate: number, dFriction: number): Promise<number> => {
          const scene = sceneOf(linksOf(rate + dRate, friction + dFriction), [0, -9.81, 0]);
          const [end] = await runTree(scene, seconds / 16_000, 16_000);
          return output === Link.coordinate ? end.coordinate : end.angularVelocity[2];
        };
        const simulation = await createSimulation(buildModel(sceneOf(linksOf(rate, friction), [0, -9.81, 0])), {
          device: f64Device(),
          frames: 2,
          frameRate: 1 / seconds,
          substeps: 2000,
          parameters: [of, Link.dryFriction],
          outputs: [output],
        });
        simulation.forward();
        simulation.backward({ [output.key]: output === Link.coordinate ? [1, 0] : [0, 0, 1] });
        const [byRates, byFrictions] = [await simulation.gradient(of), await simulation.gradient(Link.dryFriction)];
        simulation.dispose();
        const sum = (values: ArrayLike<number>, weights: readonly number[]): number =>
          weights.reduce((total, weight, i) => total + weight * values[i], 0);
        const h = 0.001;
        const expected = [(await at(h, 0)) - (await at(-h, 0)), (await at(0, h)) - (await at(0, -h))].map(
          (d) => d / (2 * h),
        );
        const found = [sum(byRates, signs), sum(byFrictions, ratios)];
        expect(Math.abs(found[0] - expected[0]) / Math.abs(expected[0]), of.key).toBeLessThan(0.03);
        expect(Math.abs(found[1] - expected[1]) / Math.abs(expected[1]), of.key).toBeLessThan(0.03);
      }
  });
  it('agree on cpu with doubles, and so do the states', async () => {
    await checkDevices(buildModel(everything()), { ...rollout, devices: [cpuDevice()] });
  });
});

describe('with implicit joints a model or run is refused', () => {
  it('if another plugin moves the joints', () => {
    const scene = createScene([articulated({ integrator: 'none', implicitJoints: true })]);
    scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -1, 0] }, 'rod');
    expect(() => buildModel(scene)).toThrowCode({ code: 'articulated/implicit-joint-unused', element: 'rod' });
  });
  it('if friction width and friction stiffness are both given, or a friction width on an explicit joint', () => {
    const link = {
      joint: 'revolute',
      mass: 1,
      centre: [0, -1, 0],
      dryFriction: 1,
      frictionWidth: 0.1,
    } as const;
    const both = createScene([articulated({ implicitJoints: true })]);
    both.add(Link, { ...link, frictionStiffness: 3 });
    expect(() => buildModel(both)).toThrowCode({
      code: 'articulated/two-ways-given',
      field: 'links.frictionWidth',
      values: [0.1, 3, 'links.frictionStiffness'],
    });
    const explicit = createScene([articulated()]);
    explicit.add(Link, link);
    expect(() => buildModel(explicit)).toThrowCode({
      code: 'articulated/idle-value',
      field: 'links.frictionWidth',
      values: [0.1],
    });
  });
  it('if an explicit joint has dry friction without a slope, which would be none', () => {
    const scene = createScene([articulated()]);
    scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -1, 0], dryFriction: 0.3 }, 'the arm');
    expect(() => buildModel(scene)).toThrowCode({
      code: 'articulated/idle-value',
      field: 'links.dryFriction',
      element: 'the arm',
      values: [0.3],
    });
  });
  it('if dry friction is a parameter in a scene where no joint has any', async () => {
    const scene = createScene([articulated({ implicitJoints: true })]);
    scene.add(Link, { joint: 'revolute', mass: 1, centre: [0, -1, 0], damping: 1 });
    const given = { device: f64Device(), frames: 2, frameRate: 10, substeps: 2, outputs: [Link.rate] };
    await expect(createSimulation(buildModel(scene), { ...given, parameters: [Link.dryFriction] })).rejects.toThrowCode(
      { code: 'core/idle-parameter', field: 'links.dryFriction' },
    );
  });
});

describeWithAdapter('on the device webgpu', () => {
  it('a random tree of implicit joints has states to 2e-3 and derivatives to 1e-2 of doubles', async () => {
    const tree = dragged(randomTree(588530, 3), (k) => ({ damping: 0.01, dryFriction: 10 ** (k / 3 - 1) }));
    const device = await webgpuDevice({ allowSoftware: true });
    const model = buildModel(sceneOf(tree, [0, -9.81, 0]));
    await checkDevices(model, {
      devices: [device],
      frames: 3,
      frameRate: 100,
      substeps: 4,
      parameters: [Link.damping, Link.dryFriction, Link.mass],
      outputs: STATES.filter(({ key }) => isUsed(model, key)),
      seed: 588530,
      stateTolerance: 2e-3,
      gradientTolerance: 1e-2,
    });
    device.dispose();
  });
});
