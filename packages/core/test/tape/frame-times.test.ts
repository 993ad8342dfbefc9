// Runs whose frames have times of their own, compared with the same steps computed one by one, with even runs bit for
// bit, and with differences.

import type { Device, Simulation, SimulationOptions } from '@gradsim/core';
import {
  cpuDevice,
  createSimulation,
  decodeState,
  encodeState,
  f32,
  f64Device,
  kernel,
  Model,
  timeOfFrame,
  vec2,
  webgpuDevice,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

import { describeWithAdapter } from '../../../kernel/test/webgpu-adapter.ts';

const SEED = seedOfRun('frame times');
const random = randomNumbers(SEED);
const SUBSTEPS = 5;
/** Frames of 0.01 to 0.07 s. */
const frameTimes = [0];
for (let k = 1; k < 9; k++) frameTimes.push(frameTimes[k - 1] + 0.01 + 0.06 * random());

/** An oscillator, with a sum in which the time of every substep counts. */
const move = kernel(
  'move',
  {
    domain: 'bobs',
    reads: { x: f32, v: f32, stiffness: f32, sum: f32 },
    writes: { x: f32, v: f32, sum: f32, end: f32 },
  },
  ({ x, v, stiffness, sum }, { dt, previousDt, longestDt, time, nextTime, substepOfFrame }) => {
    const next = v.sub(stiffness.mul(x).mul(dt.add(previousDt)).mul(0.5));
    return {
      v: next,
      x: x.add(next.mul(dt)),
      sum: sum.add(time.mul(dt)).add(longestDt).add(substepOfFrame.toF32().mul(0.1)),
      end: nextTime,
    };
  },
);
const watch = kernel(
  'watch',
  { domain: 'bobs', reads: { x: f32, sum: f32 }, writes: { shown: vec2 } },
  ({ x, sum }, { time, previousDt }) => ({ shown: vec2(x.add(sum), time.add(previousDt)) }),
);

const STARTS = [0.3, -1.1];
const STIFFNESS = [90, 40];
function bobs(): Model {
  const model = new Model();
  model.addDomain('bobs', 2);
  model.addField('bobs', 'x', f32, { values: STARTS });
  for (const name of ['v', 'sum', 'end']) model.addField('bobs', name, f32, { fill: 0 });
  model.addField('bobs', 'stiffness', f32, { values: STIFFNESS });
  model.addPass('integrate', move);
  model.addPass('observe', watch);
  return model;
}

/** The same steps in plain doubles: `shown` of all frames. */
function byHand(times: readonly number[], starts = STARTS): number[] {
  const durations = times.slice(1).map((time, k) => (time - times[k]) / SUBSTEPS);
  const longest = Math.max(...durations);
  const bob = starts.map((x) => ({ x, v: 0, sum: 0 }));
  const shown = bob.flatMap(({ x, sum }) => [x + sum, durations[0]]);
  durations.forEach((dt, frame) => {
    for (let n = 0; n < SUBSTEPS; n++) {
      const previous = n === 0 && frame > 0 ? durations[frame - 1] : dt;
      bob.forEach((one, k) => {
        one.v -= (STIFFNESS[k] * one.x * (dt + previous)) / 2;
        one.x += dt * one.v;
        one.sum += (times[frame] + n * dt) * dt + longest + 0.1 * n;
      });
    }
    shown.push(...bob.flatMap(({ x, sum }) => [x + sum, times[frame + 1] + dt]));
  });
  return shown;
}

const open = (device: Device, options: Partial<SimulationOptions> = {}): Promise<Simulation> =>
  createSimulation(bobs(), { device, substeps: SUBSTEPS, frameTimes, record: ['bobs.shown'], ...options });

function expectClose(got: ArrayLike<number>, right: readonly number[], tolerance: number): void {
  expect(got.length).toBe(right.length);
  const off = right.map((value, k) => Math.abs(got[k] - value));
  expect(Math.max(...off)).toBeLessThan(tolerance);
}

function checks(deviceOf: () => Device, tolerance: number): void {
  it('a run takes the durations of its frames', async () => {
    const simulation = await open(deviceOf());
    simulation.forward();
    expectClose(await simulation.readFrames('bobs.shown'), byHand(frameTimes), tolerance);
    expectClose(await simulation.read('bobs.end'), [frameTimes[8], frameTimes[8]], tolerance);
    expect(simulation.time).toBe(frameTimes[8]);
    simulation.forward({ frames: 3 });
    expectClose(await simulation.readFrames('bobs.shown'), byHand(frameTimes).slice(0, 12), tolerance);
    expect(simulation.time).toBe(frameTimes[2]);
    simulation.dispose();
  });

  it('so does every world', async () => {
    const simulation = await open(deviceOf(), { worlds: 2, frames: 4 });
    simulation.set('bobs.x', [0.7, 0.2], 1);
    simulation.forward();
    const right = [byHand(frameTimes.slice(0, 4)), byHand(frameTimes.slice(0, 4), [0.7, 0.2])];
    // The longest substep is that of the frames that are run.
    const both = [0, 1, 2, 3].flatMap((frame) => right.flatMap((world) => world.slice(4 * frame, 4 * frame + 4)));
    expectClose(await simulation.readFrames('bobs.shown'), both, tolerance);
    simulation.dispose();
  });

  // 1000 bytes keep the states of a part of the run.
  it.each([1000, 1e6])('its gradient is that of double precision, with %d bytes of memory', async (memory) => {
    const gradients: Float64Array[] = [];
    for (const device of [deviceOf(), f64Device()]) {
      const simulation = await open(device, { parameters: ['bobs.stiffness'], memory });
      simulation.forward();
      simulation.backward({ 'bobs.shown': Float64Array.from({ length: 36 }, (_, k) => Math.sin(k)) });
      gradients.push(await simulation.gradient('bobs.stiffness'));
      simulation.dispose();
    }
    expectClose(gradients[0], [...gradients[1]], tolerance);
  });

  it('a state continues at its time', async () => {
    const whole = await open(deviceOf());
    whole.forward({ frames: 4 });
    const state = decodeState(encodeState(await whole.state()));
    whole.forward();
    const rest = await open(deviceOf());
    rest.continueFrom(state);
    expect(rest.time).toBe(frameTimes[3]);
    rest.forward();
    const all = await whole.readFrames('bobs.shown');
    expect(await rest.readFrames('bobs.shown')).toEqual(all.slice(12));
    expect(() => rest.step()).toThrowCode('core/no-more-frames');
    rest.restart();
    for (let frame = 4; frame < 9; frame++) rest.step();
    expect(await rest.read('bobs.shown')).toEqual(all.slice(-4));
    expect(() => rest.forward({ frames: 7 })).toThrowCode({ code: 'core/option-out-of-range', values: ['6'] });
    const other = await open(deviceOf(), { frameTimes: frameTimes.map((time) => 1.5 * time) });
    expect(() => other.continueFrom(state)).toThrowCode('core/state-of-other-model');
    for (const simulation of [whole, rest, other]) simulation.dispose();
  });
}

describe('frames at times of their own', () => {
  describe('in double precision', () => {
    checks(() => f64Device(), 1e-12);

    it('have gradients that agree with tangents and differences', async () => {
      await checkGradients(bobs(), {
        seed: SEED,
        frames: 9,
        frameTimes,
        substeps: SUBSTEPS,
        parameters: ['bobs.x', 'bobs.stiffness'],
        outputs: ['bobs.shown', 'bobs.v'],
      });
    });
  });
  describe('on cpu', () => checks(() => cpuDevice(), 1e-5));
  describeWithAdapter('on webgpu', () => {
    let device: Device;
    beforeAll(async () => {
      device = await webgpuDevice({ allowSoftware: true });
    });
    afterAll(() => device?.dispose());
    checks(() => device, 1e-5);
  });

  it('are frames of one rate if they are even, bit for bit', async () => {
    const runs: Float64Array[] = [];
    for (const clock of [{ frameRate: 30 }, { frameTimes: Array.from({ length: 20 }, (_, k) => k / 30) }]) {
      const simulation = await open(cpuDevice(), { frameTimes: undefined, frames: 20, ...clock });
      simulation.forward();
      expect(simulation.options.frameTimes).toBeUndefined();
      runs.push(await simulation.readFrames('bobs.shown'));
      simulation.dispose();
    }
    expect(runs[1]).toEqual(runs[0]);
  });

  it('have a time each', () => {
    expect(timeOfFrame({ frameRate: 25 }, 5)).toBe(0.2);
    expect(timeOfFrame({ frameTimes: [0, 0.3, 0.4] }, 2)).toBe(0.4);
  });

  it.each([
    [{ frameTimes: [0, 0.1, 0.1] }, 'frame 2'],
    [{ frameTimes: [0, 0.1, Number.NaN] }, 'frame 2'],
    [{ frameTimes: [0.1, 0.2] }, 'begin with 0'],
    [{ frameTimes: [0] }, '2 frames'],
    [{ frameTimes: [0, 0.1], frames: 3 }, '3 frames'],
    [{ frameTimes: [0, 0.1], frameRate: 10 }, 'give one'],
    [{ frameTimes: undefined }, 'frameRate'],
  ])('are refused where they cannot be: %o', async (options, text) => {
    await expect(open(cpuDevice(), options)).rejects.toThrowCode({ code: 'core/option-out-of-range', values: [text] });
  });

  it('are refused for a kernel of setup that depends on a substep', async () => {
    const early = kernel('early', { domain: 'bobs', writes: { decay: f32 } }, (_, { dt }) => ({ decay: dt }));
    const model = bobs();
    model.addPass('setup', early);
    model.addPass(
      'observe',
      kernel('late', { domain: 'bobs', reads: { decay: f32 }, writes: { seen: f32 } }, ({ decay }) => ({
        seen: decay,
      })),
    );
    const options = { device: cpuDevice(), substeps: SUBSTEPS, record: ['bobs.seen'] };
    await expect(createSimulation(model, { ...options, frameTimes })).rejects.toThrowCode({
      code: 'core/steps-in-setup',
      values: ['early', 'dt'],
    });
    (await createSimulation(model, { ...options, frames: 2, frameRate: 10 })).dispose();
  });
});
