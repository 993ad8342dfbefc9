// A run of fewer frames than its simulation was created with, compared with a simulation of that length, bit for bit.
import type { Comparison, Device, Model, Simulation, SimulationOptions } from '@gradsim/core';
import { buildModel, cpuDevice, createSimulation, f64Device, webgpuDevice } from '@gradsim/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';
import { Mote, toyScene, wave } from '../toy.ts';

/** Number of frames of a whole run. */
const FRAMES = 9;
/** Number of substeps per frame. */
const SUBSTEPS = 6;
/** Number of elements of the domain `motes`. */
const MOTES = 4;
const TIMELINE = { frameRate: 30, substeps: SUBSTEPS };

const toy = (): Model => buildModel(toyScene().scene);

/** Returns the values of both inputs over time, for a run of `frames` frames. */
const inputs = (frames: number): Record<string, Float64Array> => ({
  'world.wind': wave(3 * (FRAMES - 1) * SUBSTEPS, 2).slice(0, 3 * (frames - 1) * SUBSTEPS),
  'motes.gust': wave(MOTES * FRAMES, 5).slice(0, MOTES * frames),
});

/**
 * Returns comparisons with targets for every second frame, or for every exposure of three frames, of a run of `frames`
 * frames.
 */
const comparisons = (frames: number): Comparison[] => [
  {
    field: 'motes.position',
    instants: 1,
    frames: [0, 2, 4, 6, 8]
      .filter((frame) => frame < frames)
      .map((frame) => ({
        frame,
        target: wave(3 * MOTES, frame),
        rootWeights: frame < 4 ? null : wave(3 * MOTES, frame + 1),
      })),
  },
  {
    field: 'world.energy',
    instants: 3,
    frames: [0, 1, 2]
      .filter((frame) => 3 * (frame + 1) <= frames)
      .map((frame) => ({ frame, target: [0.2 * frame], rootWeights: null })),
  },
];

const PARAMETERS = ['world.strength', 'world.wind', 'motes.gust', 'motes.position'];

async function open(device: Device, frames: number, options: Partial<SimulationOptions> = {}): Promise<Simulation> {
  const simulation = await createSimulation(toy(), {
    ...TIMELINE,
    device,
    frames,
    worlds: 2,
    record: [Mote.position, 'world.energy'],
    ...options,
  });
  for (const [key, values] of Object.entries(inputs(frames))) simulation.set(key, values);
  simulation.set('world.strength', [3], 1);
  return simulation;
}

const seedsOf = (frames: number, worlds: number) => ({
  'motes.position': wave(3 * MOTES * worlds * FRAMES, 3).slice(0, 3 * MOTES * worlds * frames),
  'world.energy': wave(worlds * FRAMES, 4).slice(0, worlds * frames),
});

function checks(deviceOf: () => Device): void {
  it('a run up to a frame has its frames and no more', async () => {
    const [whole, short] = [await open(deviceOf(), FRAMES), await open(deviceOf(), 4)];
    expect(whole.framesTaken).toBe(0);
    whole.forward({ frames: 4 });
    short.forward();
    expect(whole.framesTaken).toBe(4);
    expect(whole.frame).toBe(3);
    for (const key of ['motes.position', 'world.energy']) {
      expect(await whole.readFrames(key)).toEqual(await short.readFrames(key));
      expect(await whole.read(key)).toEqual(await short.read(key));
    }
    const said: [number, number][] = [];
    await whole.run({ frames: 3, onProgress: (done, of) => said.push([done, of]) });
    expect(said).toEqual([
      [2, 3],
      [3, 3],
    ]);
    expect((await whole.readFrames('world.energy')).length).toBe(2 * 3);
    for (const one of [whole, short]) one.dispose();
  });

  it('a run up to a frame continues by steps to the end of a full run', async () => {
    const [whole, stepped] = [await open(deviceOf(), FRAMES), await open(deviceOf(), FRAMES)];
    whole.forward();
    stepped.forward({ frames: 4 });
    for (let frame = 4; frame < FRAMES; frame++) stepped.step();
    expect(await stepped.readFrames(Mote.position)).toEqual(await whole.readFrames(Mote.position));
    for (const one of [whole, stepped]) one.dispose();
  });

  // In 3000 bytes a gradient keeps states of a part of the run, in 1e6 those of all substeps.
  it.each([3000, 1e6])(
    'a run up to a frame has the gradients of a shorter run, with %d bytes of memory',
    async (memory) => {
      const whole = await open(deviceOf(), FRAMES, {
        memory,
        parameters: PARAMETERS,
        comparisons: { list: comparisons(FRAMES) },
      });
      for (const frames of [6, FRAMES, 3, 1]) {
        const of = comparisons(frames).filter((comparison) => comparison.frames.length > 0);
        const short = await open(deviceOf(), frames, {
          memory,
          parameters: PARAMETERS,
          comparisons: { list: of },
        });
        for (const one of [whole, short]) {
          one.forward({ frames });
          one.backward(seedsOf(frames, 2), [0.7, -0.3]);
        }
        for (const key of PARAMETERS) {
          const [long, own] = [await whole.gradient(key), await short.gradient(key)];
          expect(long.subarray(0, own.length)).toEqual(own);
          expect(long.subarray(own.length).every((value) => value === 0)).toBe(true);
        }
        expect(await whole.read(Mote.position)).toEqual(await short.read(Mote.position));
        short.dispose();
      }
      whole.dispose();
    },
  );

  it('a run up to a frame has the tangents and comparisons of a shorter run', async () => {
    const options = (frames: number): Partial<SimulationOptions> => ({
      parameters: PARAMETERS,
      derivative: 'tangent',
      tangents: 2,
      comparisons: { list: comparisons(frames), columns: 4, worldsOfRun: 2 },
    });
    const along = (simulation: Simulation): void => {
      simulation.setTangent('world.strength', [1], 0, 0);
      simulation.setTangent('motes.position', wave(3 * MOTES, 8), 1, 1);
    };
    const whole = await open(deviceOf(), FRAMES, options(FRAMES));
    along(whole);
    for (const frames of [6, FRAMES, 3]) {
      const short = await open(deviceOf(), frames, options(frames));
      along(short);
      for (const one of [whole, short]) one.forward({ frames });
      expect(await whole.readComparisons()).toEqual(await short.readComparisons());
      for (const tangent of [0, 1])
        expect(await whole.readTangentFrames('world.energy', tangent)).toEqual(
          await short.readTangentFrames('world.energy', tangent),
        );
      short.dispose();
    }
    whole.forward({ frames: 2 });
    const [position, energy] = await whole.readComparisons();
    expect([position.frames, energy.frames]).toEqual([1, 0]);
    expect(energy.squares.length).toBe(0);
    whole.dispose();
  });
}

describe.each([f64Device(), cpuDevice()])('a run up to a frame on $kind', (device) => {
  checks(() => device);

  it('has the same states with checkpoints as without, in steps and after restart()', async () => {
    const options = { memory: 3000, parameters: PARAMETERS };
    const [stepped, free] = [await open(device, FRAMES, options), await open(device, FRAMES)];
    for (let frame = 1; frame < 4; frame++) {
      for (const one of [stepped, free]) one.step();
      expect(await stepped.read(Mote.position)).toEqual(await free.read(Mote.position));
    }
    stepped.restart();
    free.restart();
    expect(await stepped.read(Mote.position)).toEqual(await free.read(Mote.position));
  });

  it('is refused for more frames than the simulation has, and for unknown options', async () => {
    const simulation = await open(device, FRAMES);
    for (const frames of [0, 10, 2.5])
      expect(() => simulation.forward({ frames })).toThrowCode({
        code: 'core/option-out-of-range',
        field: 'frames',
        values: [1, 9],
      });
    await expect(simulation.run({ frames: 10 })).rejects.toThrowCode({
      code: 'core/option-out-of-range',
      field: 'frames',
      values: [1, 9, 'run()'],
    });
    const mistyped = { frame: 3 } as { readonly frames?: number };
    expect(() => simulation.forward(mistyped)).toThrowCode({ code: 'base/unknown-option', values: ['frame'] });
  });
});

describe('a run up to a frame', () => {
  it('reports values and adjoints that became infinite within its frames, and no later ones', async () => {
    const simulation = await open(cpuDevice(), FRAMES, { parameters: ['world.strength'] });
    // From frame 4 on speeds are such that their squares overflow.
    const storm = inputs(FRAMES)['world.wind'].map((w, k) => (k >= 3 * 4 * SUBSTEPS ? 1e38 : w));
    simulation.set('world.wind', storm);
    simulation.forward({ frames: 6 });
    await expect(simulation.readFrames('world.energy')).rejects.toThrowCode({
      code: 'core/not-finite',
      values: ['in substep 25'],
    });
    simulation.forward({ frames: 5 });
    expect((await simulation.readFrames('world.energy')).every(Number.isFinite)).toBe(true);
    simulation.backward({ 'motes.position': new Float64Array(5 * 2 * 3 * MOTES).fill(3e38) });
    await expect(simulation.gradient('world.strength')).rejects.toThrowCode('core/derivative-not-finite');
  });
});

describeWithAdapter('a run up to a frame on webgpu', () => {
  let device: Device;
  beforeAll(async () => {
    device = await webgpuDevice({ allowSoftware: true });
  });
  afterAll(() => device.dispose());
  checks(() => device);
});
