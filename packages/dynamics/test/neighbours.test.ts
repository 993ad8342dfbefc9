import type { F32, Model, Scene } from '@gradsim/core';
import {
  buildModel,
  column,
  cpuDevice,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  field,
  fieldOn,
  kernel,
  max,
  vec2,
  vec3,
} from '@gradsim/core';
import { checkPlugin } from '@gradsim/core/testing';
import { neighbours } from '@gradsim/dynamics';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

const WITHIN = 0.12;
const Drop = defineComponent('drops', {
  position: column(vec3, { unit: 'm' }),
  velocity: column(vec3, { default: 0, unit: 'm/s' }),
  mass: column(f32, { default: 1e-3, unit: 'kg', range: 'positive' }),
});
const { position, velocity, mass } = Drop;

/** (1 - q^2)^3 for q = distance / WITHIN below 1, which vanishes smoothly at 1. */
const weightOf = (q: number): number => Math.max(0, 1 - q * q) ** 3;
const weight = (distance: F32): F32 => {
  const q = distance.div(WITHIN);
  const left = max(f32(1).sub(q.mul(q)), 0);
  return left.mul(left).mul(left);
};

/** A fluid of drops that press each other apart, by their density. */
const fluid = (capacity = 120, maxSpeed = 4) =>
  definePlugin({
    name: 'fluid',
    contract: 1,
    components: [Drop],
    build: ({ model }) => {
      const near = neighbours(model, { points: Drop, distance: WITHIN, capacity, maxSpeed, refresh: 4 });
      const density = kernel(
        'density',
        { domain: Drop, reads: { ...near.reads, mass }, writes: { density: f32 } },
        ({ mass, ...fields }) => {
          const list = near.ofElement(fields);
          return { density: list.sum(f32, ({ index, distance }) => mass.at(index).mul(weight(distance))).add(mass) };
        },
      );
      // What a substep saw, as states, which read what they were.
      const crowd = kernel(
        'crowd',
        {
          domain: Drop,
          reads: { ...near.reads, count: f32, seen: f32, density: f32 },
          writes: { count: f32, seen: f32 },
        },
        ({ count, seen, density, ...fields }) => ({
          count: near
            .ofElement(fields)
            .sum(f32, () => f32(1))
            .add(count.mul(0)),
          seen: density.add(seen.mul(0)),
        }),
      );
      const pressure = kernel(
        'pressure',
        { domain: Drop, reads: { ...near.reads, density: f32 }, adds: { force: fieldOn('drops', vec3) } },
        ({ density, force, ...fields }, { element }) => {
          const push = near
            .ofElement(fields)
            .sum(vec3, ({ index, offset, distance }) =>
              offset.mul(density.add(density.at(index)).mul(weight(distance)).mul(-40)),
            );
          force.add(element, push);
        },
      );
      const move = kernel(
        'move',
        {
          domain: Drop,
          reads: { position, velocity, mass, force: vec3 },
          writes: { position, velocity },
        },
        ({ position, velocity, mass, force }, { dt }) => {
          const v = velocity.add(force.div(mass).mul(dt));
          return { velocity: v, position: position.add(v.mul(dt)) };
        },
      );
      model.addPass('force', density);
      model.addPass('force', pressure);
      for (const name of ['count', 'seen']) model.addField('drops', name, f32);
      model.addPass('integrate', crowd);
      model.addPass('integrate', move);
    },
  });

const SEED = seedOfRun('neighbours');
/** Drops at random in a box of which each holds some twenty neighbours. */
function pool(count: number, plugin = fluid()): Scene {
  const random = randomNumbers(SEED);
  const scene = createScene([plugin]);
  const side = (count / 2500) ** (1 / 3);
  for (let k = 0; k < count; k++)
    scene.add(Drop, {
      position: [side * random(), side * random(), side * random()],
      velocity: [random() - 0.5, random() - 0.5, random() - 0.5],
    });
  return scene;
}
const RUN = { frames: 3, frameRate: 60, substeps: 8 };

describe('neighbours', () => {
  it('are all points within the distance, between searches too', async () => {
    const simulation = await createSimulation(buildModel(pool(300)), {
      device: cpuDevice(),
      ...RUN,
    });
    simulation.forward();
    // What the last substep saw: positions before it, with which a run of one substep less ends.
    const before = await createSimulation(buildModel(pool(300)), {
      device: cpuDevice(),
      frames: 16,
      frameRate: 480,
      substeps: 1,
    });
    before.forward();
    const x = await before.read(position);
    const [density, count] = [await simulation.read('drops.seen'), await simulation.read('drops.count')];
    let pairs = 0;
    for (let i = 0; i < 300; i++) {
      let [sum, many] = [1e-3, 0];
      for (let j = 0; j < 300; j++) {
        const distance = Math.hypot(...[0, 1, 2].map((c) => x[3 * i + c] - x[3 * j + c]));
        if (i === j || distance > WITHIN) continue;
        sum += 1e-3 * weightOf(distance / WITHIN);
        many++;
      }
      pairs += many;
      // Pairs at the very distance may count on one side only.
      expect(Math.abs(count[i] - many)).toBeLessThanOrEqual(1);
      expect(density[i]).toBeCloseTo(sum, 6);
    }
    expect(pairs / 300).toBeGreaterThan(5);
  });

  it('carry derivatives, on each device, resumed, and with little memory', () =>
    checkPlugin(pool(60), {
      ...RUN,
      parameters: [mass, position, velocity],
      outputs: [position, velocity],
      seed: SEED,
    }));

  it('raise an alarm where a list is too short, and where a point is too fast', async () => {
    const ended = async (plugin: ReturnType<typeof fluid>): Promise<unknown> => {
      const simulation = await createSimulation(buildModel(pool(300, plugin)), { device: cpuDevice(), ...RUN });
      simulation.forward();
      return simulation.read(position);
    };
    await expect(ended(fluid(3))).rejects.toThrow(/others within 0.12 m.*has room for 3; raise capacity/);
    await expect(ended(fluid(120, 0.05))).rejects.toThrow(/further than a maxSpeed of 0.05 m\/s allows for/);
    expect(() => buildModel(pool(10, fluid(0)))).toThrowCode({
      code: 'dynamics/option-out-of-range',
      values: ['capacity'],
    });
    expect(() => buildModel(pool(10, fluid(4, -1)))).toThrowCode({
      code: 'dynamics/option-out-of-range',
      values: ['maxSpeed'],
    });
  });
});

describe('what neighbours refuse, in the words of who wrote the loop', () => {
  type Lists = ReturnType<typeof neighbours<'drops'>>;
  const OPTIONS = { points: Drop, distance: WITHIN, capacity: 9, maxSpeed: 1 };
  const building = (build: (model: Model) => void) => () =>
    buildModel(
      pool(2, definePlugin({ name: 'fluid', contract: 1, components: [Drop], build: ({ model }) => build(model) })),
    );
  const traced = (body: (near: Lists, fields: never) => F32, reads = true) =>
    building((model) => {
      const near = neighbours(model, OPTIONS);
      kernel('sums', { domain: Drop, reads: reads ? near.reads : {}, writes: { y: f32 } }, (fields) => ({
        y: body(near, fields as never),
      }));
    });

  it.each([
    [
      'a loop that adds to nothing',
      traced((near, fields) => {
        near.ofElement(fields).forEach(() => {});
        return f32(0);
      }),
      'kernel/nothing-given',
      'forEach',
    ],
    [
      'a value of another type',
      traced((near, fields) => near.ofElement(fields).sum(vec3, (({ distance }: never) => distance) as never).x),
      'kernel/other-shape',
      'vec3',
    ],
    [
      'several types',
      traced((near, fields) => near.ofElement(fields).sum({ a: vec3 } as never, () => 0 as never)),
      'base/wrong-type',
      'sum',
    ],
    [
      'a kernel that does not read the lists',
      traced((near) => near.ofElement({} as never).sum(f32, ({ distance }) => distance), false),
      'base/wrong-type',
      'lists',
    ],
  ] as const)('%s', (_, trace, code, value) => {
    expect(trace).toThrowCode({ code, values: [value] });
  });

  it('points in a plane without z', () => {
    const flat = { domain: 'drops', position: field('drops', 'place', vec2), velocity };
    const build = building((model) => neighbours(model, { ...OPTIONS, points: flat as never }));
    expect(build).toThrowCode({ code: 'base/wrong-type', values: ['drops.place', 'vec2'] });
  });
});
