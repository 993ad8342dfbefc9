import type { Device } from '@gradsim/core';
import { cpuDevice, createSimulation, f64Device } from '@gradsim/core';
import { evaluatorDevice } from '@gradsim/core/testing';
import { createOperation } from '@gradsim/optim';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';
import { carts, rolled, SUBSTEPS, TRACK } from '../carts.ts';
import { motesModel, RUN } from '../motes.ts';

const random = randomNumbers(seedOfRun('operation', 12));
const drawn = (count: number) => Float64Array.from({ length: count }, () => random() - 0.5);
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, x, k) => sum + x * b[k], 0);

const fly = (device: Device = f64Device(), worlds?: number) =>
  createOperation(motesModel(), {
    device,
    ...RUN,
    worlds,
    inputs: { velocity: 'motes.velocity', drag: 'motes.drag', gravity: 'world.gravity' },
    outputs: { path: 'motes.seen', end: { field: 'motes.position', frames: 'last' } },
  });
const INPUTS = { velocity: drawn(6), drag: [0.3, 0.6], gravity: [0, -9, 1] };

describe('a simulation as an operation (values to outputs)', () => {
  it('returns the recorded fields of the simulation, and states shapes of inputs and outputs', async () => {
    const operation = await fly();
    expect(operation.shapes).toEqual({
      inputs: { velocity: [2, 3], drag: [2, 1], gravity: [1, 3] },
      outputs: { path: [24, 2, 3], end: [2, 3] },
    });
    const { value } = operation.at(INPUTS);
    const simulation = await createSimulation(motesModel(), {
      device: f64Device(),
      ...RUN,
      record: ['motes.seen', 'motes.position'],
    });
    simulation.set('motes.velocity', INPUTS.velocity);
    simulation.set('motes.drag', INPUTS.drag);
    simulation.set('world.gravity', INPUTS.gravity);
    simulation.forward();
    expect(value.path).toEqual(await simulation.readFrames('motes.seen'));
    expect(value.end).toEqual((await simulation.readFrames('motes.position')).slice(-6));
    simulation.dispose();
    operation.dispose();
  });

  it('has vector-Jacobian products that agree with central differences, for each output alone and for both', async () => {
    const operation = await fly();
    for (const weights of [{ path: drawn(144) }, { end: drawn(6) }, { path: drawn(144), end: drawn(6) }] as {
      path?: Float64Array;
      end?: Float64Array;
    }[]) {
      const loss = (inputs: typeof INPUTS) => {
        const { value } = operation.at(inputs);
        return dot(weights.path ?? [], value.path) + dot(weights.end ?? [], value.end);
      };
      const back = operation.at(INPUTS).pullback(weights);
      for (const name of ['velocity', 'drag', 'gravity'] as const) {
        const along = drawn(INPUTS[name].length);
        const h = 1e-5;
        const beside = (step: number) =>
          loss({ ...INPUTS, [name]: Array.from(INPUTS[name], (x, k) => x + step * along[k]) });
        expect(dot(back[name], along)).toBeCloseTo((beside(h) - beside(-h)) / (2 * h), 6);
      }
    }
    operation.dispose();
  });

  it('can be differentiated after a later application with other inputs, and twice', async () => {
    const operation = await fly();
    const weights = { end: drawn(6) };
    const first = operation.at(INPUTS);
    const expected = first.pullback(weights);
    const second = operation.at({ ...INPUTS, drag: [2, 3] });
    expect(first.pullback(weights)).toEqual(expected);
    expect(second.pullback(weights).drag).not.toEqual(expected.drag);
    expect(first.pullback({ end: weights.end.map((w) => 2 * w) }).drag).toEqual(expected.drag.map((d) => 2 * d));
    operation.dispose();
  });

  it('takes a batch of 3 worlds, whose outputs and gradients equal those of separate operations', async () => {
    const [batch, one] = [await fly(f64Device(), 3), await fly()];
    expect(batch.shapes.inputs.velocity).toEqual([3, 2, 3]);
    expect(batch.shapes.outputs).toEqual({ path: [3, 24, 2, 3], end: [3, 2, 3] });
    const inputs = { velocity: drawn(18), drag: drawn(6).map((x) => x + 1), gravity: drawn(9) };
    const weights = { path: drawn(3 * 144), end: drawn(18) };
    const { value, pullback } = batch.at(inputs);
    const back = pullback(weights);
    const part = (of: ArrayLike<number>, w: number) =>
      Array.from(of).slice((w * of.length) / 3, ((w + 1) * of.length) / 3);
    for (let w = 0; w < 3; w++) {
      const own = one.at({
        velocity: part(inputs.velocity, w),
        drag: part(inputs.drag, w),
        gravity: part(inputs.gravity, w),
      });
      expect([...own.value.path]).toEqual(part(value.path, w));
      expect([...own.value.end]).toEqual(part(value.end, w));
      const ownBack = own.pullback({ path: part(weights.path, w), end: part(weights.end, w) });
      for (const name of ['velocity', 'drag', 'gravity'] as const)
        expect([...ownBack[name]]).toEqual(part(back[name], w));
    }
    batch.dispose();
    one.dispose();
  });

  it('takes a push for every substep of two worlds, with positions and gradients of the closed form', async () => {
    const worlds = 2;
    const operation = await createOperation(carts(), {
      device: f64Device(),
      ...TRACK,
      worlds,
      inputs: { push: 'carts.push' },
      outputs: { position: { field: 'carts.position', frames: [1, 5] } },
    });
    expect(operation.shapes.inputs.push).toEqual([worlds, SUBSTEPS, 2, 1]);
    expect(operation.shapes.outputs.position).toEqual([worlds, 2, 2, 1]);
    const push = drawn(worlds * SUBSTEPS * 2);
    const { value, pullback } = operation.at({ push });
    for (let w = 0; w < worlds; w++) {
      const expected = rolled(2, (n, cart) => push[(w * SUBSTEPS + n) * 2 + cart]);
      [1, 5].forEach((frame, f) => {
        for (const cart of [0, 1])
          expect(value.position[(w * 2 + f) * 2 + cart]).toBeCloseTo(expected[frame * 2 + cart], 12);
      });
    }
    // Only the last frame of the second world's first cart: pushes count by the substeps that are left, of that world alone.
    const { push: back } = pullback({ position: [0, 0, 0, 0, 0, 0, 1, 0] });
    const [dt, mass] = [1 / (TRACK.frameRate * TRACK.substeps), 2];
    back.forEach((slope, k) => {
      const [w, n, cart] = [Math.floor(k / 2 / SUBSTEPS), Math.floor(k / 2) % SUBSTEPS, k % 2];
      expect(slope).toBeCloseTo(w === 1 && cart === 0 ? ((SUBSTEPS - n) * dt * dt) / mass : 0, 12);
    });
    operation.dispose();
  });

  it('gives the same numbers by atAsync as by at', async () => {
    const operation = await fly(cpuDevice({ threads: 1 }));
    const weights = { path: drawn(144) };
    const now = operation.at(INPUTS);
    const later = await operation.atAsync(INPUTS);
    expect(later.value).toEqual(now.value);
    expect(await later.pullback(weights)).toEqual(now.pullback(weights));
    operation.dispose();
  });
});

describe('an operation refuses', () => {
  const options = {
    device: f64Device(),
    ...RUN,
    inputs: { velocity: 'motes.velocity' },
    outputs: { end: { field: 'motes.position', frames: 'last' } },
  } as const;
  it('unknown fields, inputs that nothing reads, outputs that cannot be recorded, a frame after the run, no inputs, and one output twice', async () => {
    const refused = (rest: object) => expect(createOperation(motesModel(), { ...options, ...rest })).rejects;
    await refused({ inputs: { v: 'motes.velocty' } }).toThrowCode({
      code: 'core/unknown-field',
      field: 'motes.velocty',
    });
    await refused({ inputs: { seen: 'motes.seen' } }).toThrowCode({ code: 'core/idle-parameter', field: 'motes.seen' });
    await refused({ outputs: { drag: 'motes.drag' } }).toThrowCode({
      code: 'core/not-recordable',
      field: 'motes.drag',
    });
    await refused({ outputs: { end: { field: 'motes.seen', frames: [24] } } }).toThrowCode({
      code: 'optim/no-such-frame',
      values: [24],
    });
    await refused({ inputs: {} }).toThrowCode({ code: 'optim/no-ports', values: ['inputs'] });
    await refused({ outputs: { a: 'motes.seen', b: 'motes.seen' } }).toThrowCode({
      code: 'optim/named-twice',
      field: 'motes.seen',
      values: ['outputs'],
    });
  });
  it('inputs and cotangents of another size or unknown name, missing inputs, NaN, and calls after dispose', async () => {
    const operation = await createOperation(motesModel(), { ...options, worlds: 4 });
    const at = (inputs: object) => () => operation.at(inputs as { velocity: number[] });
    expect(at({ velocity: [1, 2, 3] })).toThrowCode({
      code: 'optim/wrong-size',
      field: 'motes.velocity',
      values: [3, 24, 'input'],
    });
    expect(at({})).toThrowCode({ code: 'optim/input-missing', field: 'motes.velocity' });
    expect(at({ velocity: new Float64Array(24), mass: [1] })).toThrowCode({
      code: 'optim/unknown-name',
      values: ['"mass"', 'input', 'velocity'],
    });
    expect(at({ velocity: new Float64Array(24).fill(Number.NaN) })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'motes.velocity',
      values: ['NaN'],
    });
    const { pullback } = operation.at({ velocity: new Float64Array(24) });
    expect(() => pullback({ end: [1] })).toThrowCode({
      code: 'optim/wrong-size',
      field: 'motes.position',
      values: [1, 3, 24, 'cotangent', 'of the output end'],
    });
    expect(() => pullback({ path: [1] } as object)).toThrowCode({
      code: 'optim/unknown-name',
      values: ['"path"', 'output', 'end'],
    });
    operation.dispose();
    expect(at({ velocity: new Float64Array(24) })).toThrowCode('core/disposed');
  });
  it('synchronous calls on an asynchronous device, where atAsync works', async () => {
    const inner = evaluatorDevice();
    const recording: Device = {
      ...inner,
      createExecutor: async (spec) => {
        const { peekF32: _, peekU32: __, ...executor } = await inner.createExecutor(spec);
        return executor;
      },
    };
    const operation = await fly(recording);
    expect(() => operation.at(INPUTS)).toThrowCode({
      code: 'optim/device-only-records',
      values: ['operation.atAsync'],
    });
    const { value, pullback } = await operation.atAsync(INPUTS);
    const expected = (await fly()).at(INPUTS);
    expect(value).toEqual(expected.value);
    expect(await pullback({ end: INPUTS.velocity })).toEqual(expected.pullback({ end: INPUTS.velocity }));
  });
});

it('an operation with an unknown option, inputs null or infinitely many frames is refused', async () => {
  const right = {
    ...RUN,
    device: f64Device(),
    inputs: { v: 'motes.velocity' },
    outputs: { x: 'motes.seen' },
  };
  const refused = (change: object) =>
    expect(createOperation(motesModel(), { ...right, ...change } as typeof right)).rejects;
  await refused({ inpust: {} }).toThrowCode({
    code: 'base/unknown-option',
    values: ['"inpust"', '"inputs"', 'createOperation'],
  });
  await refused({ inputs: null }).toThrowCode({
    code: 'optim/wrong-type',
    field: 'inputs',
    values: ['createOperation'],
  });
  await refused({ frames: Number.POSITIVE_INFINITY }).toThrowCode({
    code: 'optim/option-out-of-range',
    field: 'frames',
    values: [1],
  });
});
