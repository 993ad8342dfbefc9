import type { Device, Simulation, SimulationOptions } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import { describe, expect, it } from 'vitest';
import { REGISTERS } from '../../src/compile/layout/registers.ts';
import { compiledOf } from '../../src/tape/simulation.ts';
import { toyScene, wave } from '../toy.ts';

const PARAMETERS = [
  'world.strength',
  'motes.mass',
  'motes.position',
  'links.stiffness',
  'world.wind',
  'motes.gust',
  'world.tint',
];
const OUTPUTS = ['world.energy', 'motes.position'];
/** Number of frames of a run. */
const FRAMES = 5;
/** Number of substeps per frame. */
const SUBSTEPS = 7;

/** Creates a simulation of the toy model with its inputs over time set, ready to run. */
async function toy(options: Partial<SimulationOptions> = {}): Promise<Simulation> {
  const sim = await createSimulation(buildModel(toyScene().scene), {
    device: f64Device(),
    frames: FRAMES,
    frameRate: 10,
    substeps: SUBSTEPS,
    parameters: PARAMETERS,
    record: ['world.energy'],
    outputs: OUTPUTS,
    ...options,
  });
  const { frames, substeps } = sim;
  sim.set('world.wind', wave(3 * (frames - 1) * substeps));
  sim.set('motes.gust', wave(4 * frames, 2));
  sim.set('world.tint', wave(frames, 3));
  return sim;
}

const seedsFor = (sim: Simulation) => ({
  'world.energy': wave(sim.frames * sim.worlds, 4),
  'motes.position': wave(12 * sim.worlds, 5),
});

/** Runs forward and backward, and returns all outputs, then all gradients. */
async function results(sim: Simulation, seeds = seedsFor(sim)): Promise<Float64Array[]> {
  sim.forward();
  const outputs = [await sim.readFrames('world.energy'), await sim.read('motes.position')];
  sim.backward(seeds);
  return [...outputs, ...(await Promise.all(PARAMETERS.map((p) => sim.gradient(p))))];
}

describe.each([f64Device(), cpuDevice()])('worlds on $kind', (device) => {
  it('with values of their own give the same bits as single runs', async () => {
    const worlds = 3;
    const batch = await toy({ device, worlds });
    const strengths = [2, 0.5, 3.7];
    const masses = strengths.map((_, w) => wave(4, w).map((x) => 2 + x));
    strengths.forEach((s, w) => batch.set('world.strength', [s], w));
    // All worlds at once: [world][element][component].
    batch.set(
      'motes.mass',
      masses.flatMap((m) => [...m]),
    );
    const all = await results(batch);
    const seeds = seedsFor(batch);
    for (let w = 0; w < worlds; w++) {
      const single = await toy({ device });
      single.set('world.strength', [strengths[w]]);
      single.set('motes.mass', masses[w]);
      const own = await results(single, {
        'world.energy': Float64Array.from({ length: FRAMES }, (_, f) => seeds['world.energy'][f * worlds + w]),
        'motes.position': seeds['motes.position'].slice(12 * w, 12 * (w + 1)),
      });
      own.forEach((values, k) => {
        // What is over time is [frame or substep][world][element][component].
        const copies = k === 0 || k === 8 ? FRAMES : k === 6 ? (FRAMES - 1) * SUBSTEPS : k === 7 ? FRAMES : 1;
        const size = values.length / copies;
        const ofWorld = Float64Array.from(
          values,
          (_, i) => all[k][(Math.floor(i / size) * worlds + w) * size + (i % size)],
        );
        expect(ofWorld, `result ${k} of world ${w}`).toEqual(values);
      });
    }
  });

  it('take inputs over time for all of them at once, in the layout of reads', async () => {
    const worlds = 3;
    const [batch, one] = [await toy({ device, worlds }), await toy({ device, worlds })];
    // [substep][world][component], each of them another number.
    const all = wave(3 * worlds * (FRAMES - 1) * SUBSTEPS, 6);
    batch.set('world.wind', all);
    for (let w = 0; w < worlds; w++) {
      const own = all.filter((_, k) => Math.floor(k / 3) % worlds === w);
      one.set('world.wind', own, w);
    }
    expect(await batch.read('world.wind')).toEqual(await one.read('world.wind'));
    if (device.precision === 'f64') expect(await batch.read('world.wind')).toEqual(all);
    expect(await results(batch)).toEqual(await results(one));
  });

  it('refuse values for an unknown world or of a wrong count, and indices for one of them', async () => {
    const sim = await toy({ device, worlds: 2 });
    expect(() => sim.set('world.strength', [1], 2)).toThrowCode({
      code: 'core/no-such-world',
      field: 'world.strength',
      values: [2, 0, 1],
    });
    expect(() => sim.set('motes.mass', [1, 2])).toThrowCode({
      code: 'core/wrong-size',
      field: 'motes.mass',
      values: [4, 1, 2],
    });
    expect(() => sim.set('links.ends', [0, 1, 1, 2, 2, 3], 1)).toThrowCode({
      code: 'core/not-settable',
      field: 'links.ends',
    });
  });
});

describe.each([f64Device(), cpuDevice()])('checkpoints on $kind', (device) => {
  // 28 substeps in 4 frames of 7: most segments line up with neither frames nor the end.
  it('with memory for 3 to 29 states give the gradient of a run that stores all states, bit for bit', async () => {
    const whole = await toy({ device });
    const expected = await results(whole);
    const stateBytes = compiledOf(whole).layout.stateBytes;
    const segments = new Set<string>();
    for (let states = 3; states <= 29; states += 2) {
      const sim = await toy({ device, memory: stateBytes * 2 * states });
      const { segment, checkpoints } = compiledOf(sim).history;
      segments.add(`${checkpoints} of ${segment}`);
      expect(await results(sim), `${states} states`).toEqual(expected);
      // A second run on the same buffers.
      expect(await results(sim)).toEqual(expected);
    }
    console.info(`checkpoints, and substeps of a segment: ${[...segments].join(', ')}`);
    expect(segments.size).toBeGreaterThan(5);
  });

  // Binomial checkpointing reverses l steps with s states kept, none run more than r times, where (s + r)! / (s! r!) is
  // at least l, in r l - (s + r)! / ((s + 1)! (r - 1)!) steps: with 3 of 5 states as checkpoints and 2 to alternate
  // from one to the next, 28 steps with r = 4 (7! / (3! 4!) = 35) in 4 * 28 - 7! / (4! 3!) = 77, and each once more for
  // the backward pass.
  it('with memory for 5 states run at most 105 substeps for the gradient of 28', async () => {
    let substeps = 0;
    const counting: Device = {
      ...device,
      createExecutor: async (spec) => {
        const executor = await device.createExecutor(spec);
        const run = executor.run.bind(executor);
        return Object.assign(executor, {
          run: (...[program, table, only]: Parameters<typeof run>) => {
            if (spec.programs[program].name === 'physics') substeps += table.length / REGISTERS.length;
            run(program, table, only);
          },
        });
      },
    };
    const stateBytes = compiledOf(await toy({ device })).layout.stateBytes;
    const sim = await toy({ device: counting, memory: stateBytes * 2 * 5 });
    await results(sim);
    expect(substeps).toBeLessThanOrEqual(77 + 28);
  });

  it('give the same gradient for 30, 2 and 3 frames of 1, 30 and 13 substeps', async () => {
    for (const [frames, substeps] of [
      [30, 1],
      [2, 30],
      [3, 13],
    ]) {
      const expected = await results(await toy({ device, frames, substeps }));
      const stateBytes = compiledOf(await toy({ device, frames, substeps })).layout.stateBytes;
      expect(await results(await toy({ device, frames, substeps, memory: stateBytes * 2 * 6 }))).toEqual(expected);
    }
  });

  it('work for a run of frame 0 only, with the gradient of the initial state', async () => {
    const sim = await toy({ device, frames: 1 });
    sim.forward();
    const [energy] = await sim.readFrames('world.energy');
    sim.backward({ 'world.energy': [1] });
    const mass = await sim.gradient('motes.mass');
    // The energy is linear in the masses, all 1.5 here.
    expect(mass.reduce((a, b) => a + b) * 1.5).toBeCloseTo(energy, 6);
  });
});

describe('runs', () => {
  it.each([f64Device(), cpuDevice()])('repeat bit for bit, gradients included, on $kind', async (device) => {
    const sim = await toy({ device, worlds: 2 });
    const first = await results(sim);
    expect(await results(sim)).toEqual(first);
    expect(await results(await toy({ device, worlds: 2 }))).toEqual(first);
  });

  it('record every frame, the initial state as frame 0', async () => {
    const sim = await toy();
    sim.forward();
    const frames = await sim.readFrames('world.energy');
    expect(frames).toHaveLength(FRAMES);
    // Four motes of 1.5 kg with |v|^2 = 0.1.
    expect(frames[0]).toBeCloseTo(4 * 0.5 * 1.5 * 0.1 * wave(FRAMES, 3)[0], 14);
    for (let f = 1; f < FRAMES; f++) {
      const short = await toy({ frames: f + 1, record: ['world.energy'] });
      short.set('world.wind', wave(3 * (FRAMES - 1) * SUBSTEPS).subarray(0, 3 * f * SUBSTEPS));
      short.set('motes.gust', wave(4 * FRAMES, 2).subarray(0, 4 * (f + 1)));
      short.set('world.tint', wave(FRAMES, 3).subarray(0, f + 1));
      short.forward();
      expect((await short.readFrames('world.energy'))[f]).toBe(frames[f]);
    }
  });

  it('have gradients that are sums over their seeds, where a missing seed counts as zero', async () => {
    const sim = await toy();
    const seeds = seedsFor(sim);
    sim.forward();
    const gradientOf = async (given: Parameters<Simulation['backward']>[0]) => {
      sim.backward(given);
      return sim.gradient('motes.mass');
    };
    const [both, energy, position] = [
      await gradientOf(seeds),
      await gradientOf({ 'world.energy': seeds['world.energy'] }),
      await gradientOf({ 'motes.position': seeds['motes.position'] }),
    ];
    both.forEach((g, k) => expect(g).toBeCloseTo(energy[k] + position[k], 12));
    expect(await gradientOf({})).toEqual(new Float64Array(4));
  });

  it('refuse calls in the wrong order, and values of wrong size or name', async () => {
    const sim = await toy();
    expect(() => sim.backward({})).toThrowCode('core/no-forward-yet');
    await expect(sim.read('motes.position')).rejects.toThrowCode({
      code: 'core/no-forward-yet',
      values: ['Reading motes.position'],
    });
    sim.forward();
    await expect(sim.gradient('motes.mass')).rejects.toThrowCode('core/no-backward-yet');
    expect(() => sim.backward({ 'motes.velocity': [1] })).toThrowCode({
      code: 'core/unknown-output',
      field: 'motes.velocity',
      values: ['world.energy, motes.position'],
    });
    expect(() => sim.backward({ 'world.energy': [1, 2] })).toThrowCode({
      code: 'core/wrong-size',
      field: 'world.energy',
      values: [2, '5 frames x 1'],
    });
    sim.backward({});
    await expect(sim.gradient('world.drag')).rejects.toThrowCode({
      code: 'core/unknown-parameter',
      field: 'world.drag',
    });
    await expect(sim.readFrames('motes.position')).rejects.toThrowCode({
      code: 'core/not-recorded',
      field: 'motes.position',
    });
    await expect(sim.read('motes.force')).rejects.toThrowCode({ code: 'core/not-recorded', field: 'motes.force' });
    expect(() => sim.set('motes.force', [0])).toThrowCode({ code: 'core/not-settable', field: 'motes.force' });
    expect(() => sim.set('world.wind', [1, 2])).toThrowCode({
      code: 'core/wrong-size',
      field: 'world.wind',
      values: [28, '1 x 3'],
    });
    const plain = await createSimulation(buildModel(toyScene().scene), {
      device: f64Device(),
      frames: 2,
      frameRate: 1,
      substeps: 1,
    });
    plain.forward();
    expect(() => plain.backward({})).toThrowCode('core/no-gradient');
  });

  it('have no gradient once an input was changed', async () => {
    const sim = await toy();
    sim.forward();
    sim.set('world.strength', [3]);
    expect(() => sim.backward({})).toThrowCode('core/input-set-since');
  });

  it('take a single value of an input over time for all times', async () => {
    const [once, always] = [await toy(), await toy()];
    once.set('world.wind', [0.1, 0.2, 0.3]);
    always.set(
      'world.wind',
      Float64Array.from({ length: 3 * 28 }, (_, k) => [0.1, 0.2, 0.3][k % 3]),
    );
    expect(await results(once)).toEqual(await results(always));
  });
});

describe('interrupting a run', () => {
  it('reports progress frame by frame, forward and backward', async () => {
    const sim = await toy();
    const done: number[] = [];
    await sim.run({ onProgress: (d, of) => done.push(d, of) });
    expect(done).toEqual([2, 5, 3, 5, 4, 5, 5, 5]);
    done.length = 0;
    await sim.runBack(seedsFor(sim), { onProgress: (d, of) => done.push(d, of) });
    expect(done).toEqual([2, 5, 3, 5, 4, 5, 5, 5]);
    expect(await sim.gradient('motes.mass')).toEqual((await results(await toy()))[3]);
  });

  it('stops between frames, and the simulation can be run again', async () => {
    const sim = await toy();
    const stop = new AbortController();
    const run = sim.run({ signal: stop.signal, onProgress: (d) => d === 3 && stop.abort() });
    await expect(run).rejects.toThrow(/aborted/);
    expect(() => sim.backward({})).toThrowCode('core/no-forward-yet');
    sim.forward();
    const back = new AbortController();
    await expect(sim.runBack(seedsFor(sim), { signal: back.signal, onProgress: () => back.abort() })).rejects.toThrow(
      /aborted/,
    );
    await expect(sim.gradient('motes.mass')).rejects.toThrowCode('core/no-backward-yet');
    expect(await results(sim)).toEqual(await results(await toy()));
  });

  it('lets timers run, so that they can abort a long run', async () => {
    const sim = await toy({ frames: 4000, derivative: 'none', parameters: [], outputs: [], record: [] });
    // A millisecond a frame, on a machine of any speed: the timer is due long before the end.
    let framesDone = 0;
    const onProgress = (done: number): void => {
      framesDone = done;
      for (const from = performance.now(); performance.now() - from < 1; );
    };
    const run = sim.run({ signal: AbortSignal.timeout(50), onProgress });
    await expect(run).rejects.toThrow(/timeout/);
    expect(framesDone).toBeLessThan(2000);
  });
});
