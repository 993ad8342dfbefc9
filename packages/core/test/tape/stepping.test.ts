// A run frame by frame compared with a run of all frames, bit for bit, for a model in which everything that a frame
// could lose matters: a rest shape from the first positions, a push at a certain time, results of a search some
// substeps ago, states of whole numbers.
import type { Device, Simulation, SimulationOptions, State } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  decodeState,
  encodeState,
  f32,
  f64Device,
  floor,
  kernel,
  Model,
  perWorld,
  select,
  u32,
  vec2,
} from '@gradsim/core';
import { describe, expect, it } from 'vitest';

/** Number of substeps per frame. */
const SUBSTEPS = 4;
/** Number of frames per second. */
const RATE = 10;

const rest = kernel('rest', { domain: 'bobs', reads: { x: f32 }, writes: { home: f32 } }, ({ x }) => ({
  home: x.mul(0.5),
}));
/** Kernel of the search, every 7 substeps: stores the positions of the bobs at that time, rounded to 1/8. */
const look = kernel('look', { domain: 'bobs', reads: { x: f32 }, writes: { seen: f32 } }, ({ x }) => ({
  seen: floor(x.mul(8)),
}));
const pull = kernel(
  'pull',
  { domain: 'bobs', reads: { x: f32, home: f32, seen: f32, stiffness: perWorld(f32) }, adds: { force: f32 } },
  ({ x, home, seen, stiffness, force }) => force.add(home.sub(x).mul(stiffness).add(seen.mul(0.3))),
);
/** Push over the time window from 0.45 s to 0.85 s. */
const push = kernel(
  'push',
  { domain: 'bobs', reads: { x: f32 }, adds: { force: f32 } },
  ({ x, force }, { substep, dt }) => {
    const t = substep.toF32().mul(dt);
    force.add(select(t.gt(0.45).and(t.lt(0.85)), f32(1).sub(x), f32(0)));
  },
);
const move = kernel(
  'move',
  {
    domain: 'bobs',
    reads: { x: f32, v: f32, force: f32, beats: u32 },
    writes: { x: f32, v: f32, beats: u32 },
  },
  ({ x, v, force, beats }, { dt, frame }) => {
    const next = v.add(force.mul(dt)).mul(0.99);
    return { v: next, x: x.add(next.mul(dt)), beats: beats.mul(3).add(frame) };
  },
);
const watch = kernel('watch', { domain: 'bobs', reads: { x: f32, v: f32 }, writes: { shown: vec2 } }, ({ x, v }) => ({
  shown: vec2(x, v),
}));

function bobs(): Model {
  const model = new Model();
  model.addDomain('bobs', 3);
  model.addField('bobs', 'x', f32, { values: [1, -0.7, 0.3] });
  model.addField('bobs', 'v', f32, { fill: 0 });
  model.addField('bobs', 'beats', u32, { values: [1, 2, 3] });
  model.addField('world', 'stiffness', f32, { fill: 9 });
  model.addPass('setup', rest);
  model.addPass('search', look);
  model.searchEvery(7);
  model.addPass('force', pull);
  model.addPass('force', push);
  model.addPass('integrate', move);
  model.addPass('observe', watch);
  return model;
}

const ALL = ['bobs.x', 'bobs.v', 'bobs.beats', 'bobs.home', 'bobs.shown'];
const open = (options: Partial<SimulationOptions> = {}, model = bobs()): Promise<Simulation> =>
  createSimulation(model, {
    device: f64Device(),
    frameRate: RATE,
    substeps: SUBSTEPS,
    record: ['bobs.shown'],
    ...options,
  });
const now = async (simulation: Simulation): Promise<number[][]> =>
  Promise.all(ALL.map(async (key) => [...(await simulation.read(key))]));
function steps(simulation: Simulation, count: number): void {
  for (let k = 0; k < count; k++) simulation.step();
}

const DEVICES: Device[] = [f64Device(), cpuDevice()];

describe.each(DEVICES)('step() on $kind', (device) => {
  it('ends where one run of as many frames ends', async () => {
    const [whole, stepped] = [await open({ device, frames: 14 }), await open({ device })];
    whole.forward();
    const shown = await whole.readFrames('bobs.shown');
    stepped.restart();
    for (let frame = 0; frame < 14; frame++) {
      expect(stepped.frame).toBe(frame);
      expect(stepped.time).toBeCloseTo(frame / RATE, 12);
      expect([...stepped.readSync('bobs.shown')]).toEqual([...shown.slice(6 * frame, 6 * frame + 6)]);
      if (frame < 13) stepped.step();
    }
    expect(await now(stepped)).toEqual(await now(whole));
  });

  it('continues from where forward() ended', async () => {
    const [whole, both] = [await open({ device, frames: 14 }), await open({ device, frames: 5 })];
    whole.forward();
    both.forward();
    steps(both, 9);
    expect(await now(both)).toEqual(await now(whole));
  });

  it('resumes in another simulation from encoded bytes, at every frame', async () => {
    const [whole, other] = [await open({ device, frames: 14 }), await open({ device })];
    whole.forward();
    const expected = await now(whole);
    const one = await open({ device });
    for (let frame = 0; frame < 13; frame++) {
      if (frame === 0) one.restart();
      else one.step();
      const bytes = encodeState(await one.state());
      other.continueFrom(decodeState(bytes));
      expect(other.frame).toBe(frame);
      expect(await now(other)).toEqual(await now(one));
      steps(other, 13 - frame);
      expect(await now(other)).toEqual(expected);
    }
  });

  it('is continued by forward() from its state, each time anew', async () => {
    const whole = await open({ device, frames: 14 });
    whole.forward();
    const one = await open({ device });
    steps(one, 5);
    const rest = await open({ device, frames: 9 });
    rest.continueFrom(one.stateSync());
    for (let time = 0; time < 2; time++) {
      rest.forward();
      expect(await now(rest)).toEqual(await now(whole));
      const shown = await whole.readFrames('bobs.shown');
      expect([...(await rest.readFrames('bobs.shown'))]).toEqual([...shown.slice(6 * 5)]);
    }
  });

  it('applies values set between steps: inputs from the next step, states at once', async () => {
    const simulation = await open({ device });
    steps(simulation, 3);
    const [x, , , home] = await now(simulation);
    simulation.set('bobs.x', [5, 6, 7]);
    expect([...simulation.readSync('bobs.x')]).toEqual([5, 6, 7]);
    simulation.set('bobs.x', x);
    simulation.set('world.stiffness', [0]);
    const twin = await open({ device });
    twin.continueFrom(await simulation.state());
    for (const one of [simulation, twin]) steps(one, 4);
    expect(await now(simulation)).toEqual(await now(twin));
    // The rest shape is that of the first positions still.
    expect([...simulation.readSync('bobs.home')]).toEqual(home);
    const stiff = await open({ device });
    steps(stiff, 7);
    expect([...stiff.readSync('bobs.x')]).not.toEqual([...simulation.readSync('bobs.x')]);
  });

  it('continues from the state of a run of one world in each of several worlds', async () => {
    const one = await open({ device });
    steps(one, 4);
    const three = await open({ device, worlds: 3 });
    three.continueFrom(await one.state());
    three.set('world.stiffness', [1], 1);
    steps(three, 5);
    steps(one, 5);
    const [all, own] = [[...three.readSync('bobs.x')], [...one.readSync('bobs.x')]];
    expect([all.slice(0, 3), all.slice(6)]).toEqual([own, own]);
    expect(all.slice(3, 6)).not.toEqual(own);
  });
});

describe('a gradient after stepping', () => {
  it('of a stepped run equals that of a run of as many frames, for 2 and for 6', async () => {
    const options = { frames: 6, parameters: ['world.stiffness', 'bobs.v'], outputs: ['bobs.x'] };
    const [whole, stepped] = [await open(options), await open(options)];
    for (const frames of [2, 6]) {
      whole.forward({ frames });
      steps(stepped, frames === 2 ? 1 : 4);
      for (const one of [whole, stepped]) one.backward({ 'bobs.x': [1, 2, 3] });
      for (const key of options.parameters) expect(stepped.gradientSync(key)).toEqual(await whole.gradient(key));
    }
    expect(() => stepped.step()).toThrowCode({ code: 'core/no-more-frames', values: [6] });
  });

  it('of a resumed run is with respect to the state where it resumed', async () => {
    const before = await open();
    steps(before, 5);
    const state = await before.state();
    const options = { frames: 5, parameters: ['world.stiffness', 'bobs.v'], outputs: ['bobs.x'] };
    const simulation = await open(options);
    simulation.continueFrom(state);
    simulation.forward();
    simulation.backward({ 'bobs.x': [1, 2, 3] });
    const [stiffness, velocity] = options.parameters.map((key) => simulation.gradientSync(key));
    const loss = async (change: (one: Simulation) => void): Promise<number> => {
      const one = await open();
      // Searches begin anew where a run with a gradient begins.
      one.continueFrom({ ...state, search: null, found: {} });
      change(one);
      steps(one, 4);
      return one.readSync('bobs.x').reduce((sum, x, k) => sum + (k + 1) * x, 0);
    };
    const difference = async (change: (one: Simulation, by: number) => void): Promise<number> => {
      const [above, below] = [1e-5, -1e-5].map((by) => loss((one) => change(one, by)));
      return ((await above) - (await below)) / 2e-5;
    };
    expect(stiffness[0]).toBeCloseTo(await difference((one, by) => one.set('world.stiffness', [9 + by])), 7);
    const v = [...before.readSync('bobs.v')];
    const ofSecond = await difference((one, by) => one.set('bobs.v', [v[0], v[1] + by, v[2]]));
    expect(velocity[1]).toBeCloseTo(ofSecond, 7);
  });

  it('with respect to a state that setup reads is refused in a resumed run', async () => {
    const before = await open();
    before.step();
    const simulation = await open({ frames: 3, parameters: ['bobs.x'], outputs: ['bobs.v'] });
    expect(() => simulation.continueFrom(before.stateSync())).toThrowCode({
      code: 'core/mixed-gradients',
      field: 'bobs.x',
    });
  });
});

describe('reading into an array of the caller', () => {
  it('obeys stride and offset, and converts values in [0, 1] to bytes', async () => {
    const simulation = await open();
    steps(simulation, 2);
    const shown = [...simulation.readSync('bobs.shown')];
    const vertices = new Float32Array(11).fill(9);
    expect(simulation.readSync('bobs.shown', { into: vertices, stride: 4, offset: 1 })).toBe(vertices);
    const f = Math.fround;
    expect([...vertices]).toEqual([
      ...[9, f(shown[0]), f(shown[1]), 9, 9, f(shown[2]), f(shown[3]), 9, 9, f(shown[4]), f(shown[5])],
    ]);
    simulation.set('bobs.x', [0.5, -1, 2]);
    const bytes = await simulation.read('bobs.x', { into: new Uint8Array(3) });
    expect([...bytes]).toEqual([128, 0, 255]);
    expect([...simulation.readSync('bobs.beats', { into: new Uint32Array(3) })]).toEqual([
      ...simulation.readSync('bobs.beats'),
    ]);
  });
  it('refuses arrays that are too short, with what is needed', async () => {
    const simulation = await open();
    simulation.step();
    const into = new Float32Array(5);
    expect(() => simulation.readSync('bobs.shown', { into })).toThrowCode({
      code: 'core/wrong-size',
      values: ['`into`', 3, 2, 6, 5, 'bobs.shown'],
    });
    await expect(simulation.read('bobs.shown', { into, stride: 3 })).rejects.toThrowCode({
      code: 'core/wrong-size',
      values: [3, 8],
    });
    expect(() => simulation.readSync('bobs.shown', { into, stride: 1 })).toThrowCode({
      code: 'core/option-out-of-range',
      values: [2, 1, 'stride'],
    });
  });
});

describe('a stepped simulation refuses', () => {
  it('forward() if created without `frames`, and a step beyond inputs over time', async () => {
    const simulation = await open();
    expect(() => simulation.forward()).toThrowCode('core/no-frames');
    const model = bobs();
    model.addField('world', 'wind', f32, { variesBy: 'frame', fill: 1 });
    const blow = kernel(
      'blow',
      { domain: 'bobs', reads: { wind: perWorld(f32) }, adds: { force: f32 } },
      ({ wind, force }) => force.add(wind),
    );
    model.addPass('force', blow);
    const windy = await open({ frames: 3 }, model);
    steps(windy, 2);
    expect(() => windy.step()).toThrowCode({ code: 'core/no-more-frames', field: 'world.wind', values: [3] });
  });
  it('a step after an input was set for the next run, or within a run kept for a gradient', async () => {
    const simulation = await open({ frames: 3 });
    simulation.forward();
    simulation.set('bobs.x', [1, 2, 3]);
    expect(() => simulation.step()).toThrowCode({
      code: 'core/input-set-since',
      values: ['set since forward(), for the run that begins next'],
    });
    simulation.restart();
    simulation.step();
    const gradient = await open({ frames: 3, parameters: ['bobs.v'], outputs: ['bobs.x'] });
    gradient.step();
    gradient.set('bobs.v', [0, 0, 1]);
    expect(() => gradient.step()).toThrowCode({
      code: 'core/input-set-since',
      values: ['in the midst of a run that is kept for a gradient'],
    });
  });
  it('reading all frames of a run that has taken more than are kept', async () => {
    const simulation = await open({ frames: 3 });
    simulation.step();
    expect((await simulation.readFrames('bobs.shown')).length).toBe(2 * 6);
    steps(simulation, 2);
    await expect(simulation.readFrames('bobs.shown')).rejects.toThrowCode({
      code: 'core/not-recorded',
      values: [3, 4],
    });
  });
  it('a step after dispose()', async () => {
    const simulation = await open();
    simulation.step();
    simulation.dispose();
    expect(() => simulation.step()).toThrowCode({ code: 'core/disposed', values: ['step()'] });
    await expect(simulation.state()).rejects.toThrowCode('core/disposed');
  });
  it('a value that is not finite, naming the step where it arose, until the run restarts', async () => {
    const simulation = await open({ device: cpuDevice() });
    steps(simulation, 3);
    simulation.set('world.stiffness', [3e38]);
    steps(simulation, 1);
    const said = {
      code: 'core/not-finite',
      field: 'bobs.force',
      element: 'element 0 of bobs',
      values: ['bobs.x', 'pull', 'in substep 13'],
    };
    await expect(simulation.read('bobs.x')).rejects.toThrowCode(said);
    await expect(simulation.read('bobs.v')).rejects.toThrowCode(said);
    expect(() => simulation.step()).toThrowCode('core/not-finite');
    simulation.set('world.stiffness', [9]);
    simulation.restart();
    simulation.step();
    expect(simulation.readSync('bobs.x').every(Number.isFinite)).toBe(true);
  });
});

describe('a state of another model is refused, naming the difference', () => {
  const state = async (): Promise<State> => {
    const simulation = await open();
    simulation.step();
    return simulation.state();
  };
  const refused = async (change: (state: State) => unknown, model = bobs()): Promise<string> => {
    const other = await open({}, model);
    try {
      other.continueFrom(change(await state()) as State);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('It was taken.');
  };
  it.each<[string, (state: State) => unknown, string]>([
    ['nothing', () => undefined, 'it is none; use what `simulation.state()` gives'],
    ['another format', (s) => ({ ...s, format: 2 }), 'it has format 2'],
    ['worlds', (s) => ({ ...s, worlds: 4 }), 'it has 4 worlds, and this simulation 1'],
    [
      'a field that is not there',
      (s) => ({ ...s, states: { ...s.states, 'bobs.y': s.states['bobs.x'] } }),
      'it has the state bobs.y, which this model has not',
    ],
    [
      'a field that is missing',
      ({ states: { 'bobs.v': _, ...states }, ...s }) => ({ ...s, states }),
      'it lacks the state bobs.v',
    ],
    ['another time', (s) => ({ ...s, substep: 3 }), 'which is not where a frame of 0.1000 s ends'],
  ])('%s', async (_, change, message) => expect(await refused(change)).toContain(message));

  it('sizes and topology', async () => {
    const linked = (values: number[]): Model => {
      const model = bobs();
      model.addDomain('links', 1);
      model.addIndex('links', 'ends', 'bobs', 2, values);
      return model;
    };
    const one = await open({}, linked([0, 1]));
    one.step();
    const taken = await one.state();
    expect(await refused(() => taken)).toContain('with links.ends, which this one has not');
    expect(await refused(() => taken, linked([0, 2]))).toContain('its links.ends are others');
    expect(await refused((s) => s, linked([0, 1]))).toContain('of a model without links.ends');
    const values = { ...taken.states['bobs.x'], elements: 4 };
    expect(
      await refused(() => ({ ...taken, states: { ...taken.states, 'bobs.x': values } }), linked([0, 1])),
    ).toContain('its bobs.x has 4 x 1 values, and this model 3 x 1');
  });

  it('damaged bytes', async () => {
    const bytes = encodeState(await state());
    expect(() => decodeState(new Uint8Array(5))).toThrowCode('core/state-format');
    expect(() => decodeState(bytes.subarray(0, bytes.length - 1))).toThrowCode({
      code: 'core/state-damaged',
      values: ['This state is cut off'],
    });
    const other = bytes.slice();
    other[14] = '2'.charCodeAt(0);
    expect(() => decodeState(other)).toThrowCode({ code: 'core/state-format', values: ['"gradsim state 2"'] });
    for (const at of [24, 30, bytes.length - 9]) {
      const changed = bytes.slice();
      changed[at] ^= 4;
      expect(() => decodeState(changed)).toThrowCode('core/state-damaged');
    }
  });
});
