import type { Device } from '@gradsim/core';
import {
  buildModel,
  column,
  createScene,
  createSimulation,
  defineComponent,
  definePlugin,
  f32,
  f64Device,
  kernel,
  select,
  usualRate,
} from '@gradsim/core';
import type { Problem, Unseen } from '@gradsim/optim';
import { estimate } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { normalNumbers, randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { drag, gravity, motesModel, motesProblem, RUN, seenBy, TRUTH, vx } from '../motes.ts';

const device = f64Device();
const SEED = 7;
const normal = normalNumbers(randomNumbers(seedOfRun('clock', SEED)));
/** Initial velocities, which like drag and gravity scale with the frame rate. */
const speeds = [0, 1].flatMap((element) =>
  [0, 1].map((component) => ({
    ...vx,
    name: `velocity ${element} ${component}`,
    elements: [element],
    component,
    initial: 0.3 + element,
  })),
);

describe('a tolerance of the frame rate', () => {
  it('adds to the standard errors of what scales with it, and is named, as it makes most of them', async () => {
    const problem = motesProblem(await seenBy(motesModel(), 0.002, normal), { parameters: [gravity, drag, ...speeds] });
    const exact = await estimate(problem, { device });
    const { parameters, given, verdict } = await estimate({ ...problem, clockTolerance: 0.05 }, { device });
    // Gravity goes as the rate squared.
    const part = 2 * 0.05 * Math.abs(exact.parameters.gravity.estimate);
    const own = exact.parameters.gravity.standardError!;
    expect(parameters.gravity.ofGiven!['frame rate'] / part).toBeCloseTo(1, 1);
    expect(parameters.gravity.standardError! / Math.hypot(own, part)).toBeCloseTo(1, 1);
    expect(parameters.gravity.estimate).toBe(exact.parameters.gravity.estimate);
    expect(given['frame rate'].standardError! / given['frame rate'].tolerance).toBeCloseTo(1, 1);
    expect(verdict.trusted).toBe(true);
    expect(verdict.findings.find(({ kind }) => kind === 'tolerance')?.note).toContain('tolerance of frame rate');
  });

  it('tells the rate of the film where gravity is known', async () => {
    const target = await seenBy(motesModel(), 0.002, normal);
    const problem = { ...motesProblem(target, { parameters: speeds }), frameRate: 0.95 * RUN.frameRate };
    const { given, parameters, verdict } = await estimate({ ...problem, clockTolerance: 0.1 }, { device });
    expect(Math.abs(given['frame rate'].estimate / RUN.frameRate - 1)).toBeLessThan(0.02);
    expect(parameters['velocity 0 1'].ofGiven!['frame rate']).toBeGreaterThan(0);
    expect(verdict.findings.filter(({ kind }) => kind === 'against given')).toEqual([]);
  });

  it('compiles nothing more: refits at other rates run what the search compiled', async () => {
    const target = await seenBy(motesModel(), 0.002, normal);
    const compiled = async (clockTolerance: number): Promise<number> => {
      const specs = new Set<unknown>();
      const own = f64Device();
      const counting: Device = {
        ...own,
        createExecutor: (spec) => {
          specs.add(spec);
          return own.createExecutor(spec);
        },
      };
      await estimate({ ...motesProblem(target, { parameters: speeds }), clockTolerance }, { device: counting });
      return specs.size;
    };
    expect(await compiled(0.1)).toBe(await compiled(0));
  });

  it('makes a critical finding if the motion contradicts the given rate by more than the tolerance', async () => {
    const target = await seenBy(motesModel(), 0.002, normal);
    const problem = { ...motesProblem(target, { parameters: speeds }), frameRate: 0.95 * RUN.frameRate };
    const { verdict } = await estimate({ ...problem, clockTolerance: 0.005 }, { device });
    const { isCritical, note } = verdict.findings.find(({ kind }) => kind === 'against given')!;
    expect(isCritical).toBe(true);
    expect(note).toContain('The frame rate was given as 22.8');
    expect(verdict.trusted).toBe(false);
  });

  it('is asked for where there is none, an error would not show, and it matters', async () => {
    const target = await seenBy(motesModel(), 1e-4, normal);
    const problem = motesProblem(target, { parameters: [gravity, drag, ...speeds] });
    const unseen = async (more: Partial<Problem>): Promise<Unseen | undefined> => {
      const { verdict } = await estimate({ ...problem, ...more }, { device });
      return verdict.unseen.find(({ kind }) => kind === 'clock');
    };
    const { size, unknown } = (await unseen({}))!;
    // A tolerance of that size makes as much of the standard error as the noise does.
    const { parameters } = await estimate({ ...problem, clockTolerance: size }, { device });
    const { standardError, ofGiven } = parameters[unknown];
    expect((ofGiven!['frame rate'] / standardError!) * Math.SQRT2).toBeCloseTo(1, 1);
    expect(await unseen({ clockTolerance: 0 })).toBeUndefined();
    // Where gravity is known, another rate shows in the fall.
    expect(await unseen({ parameters: [vx] })).toBeUndefined();
  });

  it('refuses a tolerance below 0, and one beside an unknown that is found by values alone', async () => {
    const target = await seenBy(motesModel());
    const problem = motesProblem(target, { clockTolerance: -0.1 });
    await expect(estimate(problem, { device })).rejects.toThrow('clockTolerance is -0.1');
    const byValues = { ...gravity, derivative: 'none', range: [-20, -1] } as const;
    const other = motesProblem(target, { parameters: [byValues], clockTolerance: 0.01 });
    await expect(estimate(other, { device })).rejects.toThrow('`clockTolerance` goes by derivatives');
  });
});

const Cart = defineComponent('carts', { x: column(f32), v: column(f32), friction: column(f32) });
/** A load of 1 m/s^2 and dry friction, which holds for all of the substep in which a cart turns back or for none: derivatives jump. */
const slide = kernel(
  'slide',
  { domain: 'carts', reads: { x: f32, v: f32, friction: f32 }, writes: { x: f32, v: f32 } },
  ({ x, v, friction }, { dt }) => {
    const free = v.sub(dt);
    const hold = friction.mul(dt);
    const back = select(free.lt(hold.neg()), free.add(hold), f32(0));
    const next = select(free.gt(hold), free.sub(hold), back);
    return { v: next, x: x.add(next.mul(dt)) };
  },
);
const carts = definePlugin({
  name: 'carts',
  contract: 1,
  components: [Cart],
  build: ({ model }) => {
    model.addPass('integrate', slide);
  },
});

describe('a tolerance of the frame rate where derivatives jump from one rate to the next', () => {
  it('adds no more to standard errors than an estimate at another rate differs', async () => {
    const scene = createScene([carts]);
    scene.add(Cart, { x: 0, v: 1, friction: 0.3 });
    const model = buildModel(scene);
    const run = { frames: 60, frameRate: 30, substeps: 16 };
    const fine = await createSimulation(model, { ...run, substeps: 1024, device, record: ['carts.x'] });
    fine.forward();
    const ways = await fine.readFrames('carts.x');
    fine.dispose();
    for (let k = 0; k < 4; k++) {
      const problem: Problem = {
        model,
        ...run,
        parameters: [
          { name: 'speed', field: 'carts.v', initial: 0.9 + k / 20 },
          { name: 'friction', field: 'carts.friction', initial: 0.2, transform: 'log' },
        ],
        observations: [{ field: 'carts.x', target: ways.map((x) => x + 0.002 * normal()) }],
      };
      const { parameters } = await estimate({ ...problem, clockTolerance: 0.005 }, { device });
      const other = await estimate({ ...problem, frameRate: 1.005 * run.frameRate }, { device });
      for (const name of ['speed', 'friction']) {
        const { estimate: here, standardError, ofGiven } = parameters[name]!;
        const shift = Math.abs(other.parameters[name]!.estimate - here);
        const ofClock = ofGiven!['frame rate'];
        const own = Math.sqrt(standardError! ** 2 - ofClock ** 2);
        expect(ofClock, `${name}, seed ${SEED}`).toBeLessThan(shift + 2 * own);
      }
    }
  });
});

describe('frames at uneven times', () => {
  const times = [0];
  const random = randomNumbers(SEED);
  for (let k = 1; k < RUN.frames; k++) times.push(times[k - 1] + (0.5 + random()) / RUN.frameRate);
  const { frameRate: _, ...run } = RUN;
  const problemAt = async (frameTimes: readonly number[]): Promise<Problem> => {
    const simulation = await createSimulation(motesModel(), {
      ...run,
      frameTimes: times,
      device,
      record: ['motes.seen'],
    });
    simulation.forward();
    const seen = await simulation.readFrames('motes.seen');
    simulation.dispose();
    const target = seen.map((x) => x + 0.002 * normal());
    return { ...motesProblem(target, { parameters: [gravity, drag, ...speeds] }), frameRate: undefined, frameTimes };
  };

  it('are where the motion is read', async () => {
    const { parameters, verdict, given } = await estimate(
      { ...(await problemAt(times)), clockTolerance: 0.01 },
      { device },
    );
    const { gravity: g } = parameters;
    expect(verdict.trusted).toBe(true);
    expect(Math.abs(g.estimate - TRUTH.gravity)).toBeLessThan(3.5 * g.standardError!);
    expect(given['frame rate'].value).toBeCloseTo(usualRate({ frameTimes: times }), 9);
    expect(verdict.findings.filter(({ kind }) => kind === 'uneven times')).toEqual([]);
  });

  it('are named first where the result is not trusted', async () => {
    const wrong = times.map((time) => time + 0.06 * Math.sin(9 * time));
    const { verdict } = await estimate(await problemAt(wrong), { device });
    const [first, ...others] = verdict.findings.filter(({ isCritical }) => isCritical);
    expect(first.kind).toBe('uneven times');
    expect(first.note).toMatch(/uneven times: [\d.]+ to [\d.]+ ms apart/);
    expect(others.length).toBeGreaterThan(0);
    const told = await estimate({ ...(await problemAt(wrong)), unevenTimes: '30 then 20 a second' }, { device });
    expect(told.verdict.findings[0].note).toContain('30 then 20 a second');
  });
});
