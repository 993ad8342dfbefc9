import type { Device } from '@gradsim/core';
import { cpuDevice, f64Device } from '@gradsim/core';
import { evaluatorDevice } from '@gradsim/core/testing';
import { tensorOperation } from '@gradsim/tensorflow';
import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import { FRAMES, thrown } from './throw.ts';

/** Number of worlds run together. */
const WORLDS = 3;
/** Seed of the random inputs and weights; the environment variable `GRADSIM_SEED` sets another. */
const SEED = Math.trunc(Number(process.env.GRADSIM_SEED ?? 7));
console.log(`tensorflow: seed ${SEED}`);
const random = randomNumbers(SEED);
const drawn = (count: number, low = -2, high = 2) =>
  Float32Array.from({ length: count }, () => low + (high - low) * random());
const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => Array.from(a).reduce((sum, x, k) => sum + x * b[k], 0);

const velocity = drawn(WORLDS * 3);
const drag = drawn(WORLDS, 0.05, 0.4);
const tensors = () => ({
  velocity: tf.tensor(velocity, [WORLDS, 1, 3]),
  drag: tf.tensor(drag, [WORLDS, 1, 1]),
});
/** Random weights of the output `path` in the loss. */
const onPath = drawn(WORLDS * FRAMES * 3);
const onLast = drawn(WORLDS * 3);

describe('a simulation within TensorFlow.js', () => {
  it('returns the values of the simulation, with the worlds as the first axis', async () => {
    const operation = await thrown(f64Device(), WORLDS);
    const { path, last } = tensorOperation(operation)(tensors());
    expect(path.shape).toEqual([WORLDS, FRAMES, 1, 3]);
    expect(last.shape).toEqual([WORLDS, 1, 3]);
    const { value } = operation.at({ velocity, drag });
    expect(path.dataSync()).toEqual(Float32Array.from(value.path));
    expect(last.dataSync()).toEqual(Float32Array.from(value.last));
    operation.dispose();
  });

  it('has the derivatives of the simulation, rounded to single precision, which agree with central differences', async () => {
    const operation = await thrown(f64Device(), WORLDS);
    const fly = tensorOperation(operation);
    const loss = (v: ArrayLike<number>, d: ArrayLike<number>) => {
      const { value } = operation.at({ velocity: v, drag: d });
      return dot(onPath, value.path) + dot(onLast, value.last);
    };
    const slopes = tf.grads((v: tf.Tensor, d: tf.Tensor) => {
      const { path, last } = fly({ velocity: v, drag: d });
      return tf.add(
        tf.sum(tf.mul(path, tf.tensor(onPath, path.shape))),
        tf.sum(tf.mul(last, tf.tensor(onLast, last.shape))),
      );
    })(Object.values(tensors()));
    const back = operation.at({ velocity, drag }).pullback({ path: onPath, last: onLast });
    const given = { velocity, drag };
    for (const [n, name] of (['velocity', 'drag'] as const).entries()) {
      const found = slopes[n].dataSync();
      expect(found).toEqual(Float32Array.from(back[name]));
      for (let k = 0; k < found.length; k++) {
        const beside = (step: number) => {
          const at = { ...given, [name]: Float64Array.from(given[name], (x, i) => (i === k ? x + step : x)) };
          return loss(at.velocity, at.drag);
        };
        const h = 1e-5;
        const expected = (beside(h) - beside(-h)) / (2 * h);
        // TensorFlow.js holds derivatives in single precision, whose relative rounding is 6e-8.
        expect(Math.abs(found[k] - expected)).toBeLessThan(1e-6 * (1 + Math.abs(expected)));
      }
    }
    operation.dispose();
  });

  it('has the derivative of one output alone, without the others', async () => {
    const operation = await thrown(f64Device(), WORLDS);
    const fly = tensorOperation(operation);
    const slope = tf.grad((v: tf.Tensor) =>
      tf.sum(tf.mul(fly({ ...tensors(), velocity: v }).last, tf.tensor(onLast, [WORLDS, 1, 3]))),
    )(tensors().velocity);
    const back = operation.at({ velocity, drag }).pullback({ last: onLast });
    expect(slope.dataSync()).toEqual(Float32Array.from(back.velocity));
    operation.dispose();
  });

  it('applied twice in one loss takes derivatives through both, also of tensors that tf.tidy frees', async () => {
    const operation = await thrown(f64Device(), WORLDS);
    const fly = tensorOperation(operation);
    const twice = (v: ArrayLike<number>) => {
      const once = operation.at({ velocity: v, drag }).value.last;
      return dot(onLast, operation.at({ velocity: once, drag }).value.last);
    };
    const found = tf
      .grad((v: tf.Tensor) => {
        const once = tf.tidy(() => fly({ ...tensors(), velocity: tf.mul(v, 1) }).last);
        const { last } = fly({ ...tensors(), velocity: once });
        return tf.sum(tf.mul(last, tf.tensor(onLast, last.shape)));
      })(tensors().velocity)
      .dataSync();
    for (let k = 0; k < found.length; k++) {
      const h = 1e-5;
      const beside = (step: number) => twice(Float64Array.from(velocity, (x, i) => (i === k ? x + step : x)));
      const expected = (beside(h) - beside(-h)) / (2 * h);
      expect(Math.abs(found[k] - expected)).toBeLessThan(1e-6 * (1 + Math.abs(expected)));
    }
    operation.dispose();
  });

  it('leaves no tensors behind after training steps', async () => {
    const operation = await thrown(cpuDevice({ threads: 1 }), WORLDS);
    const fly = tensorOperation(operation);
    const weights = tf.variable(tf.zeros([WORLDS, 1, 3]));
    const optimizer = tf.train.sgd(0.01);
    const step = () =>
      optimizer.minimize(() => tf.sum(tf.square(fly({ ...tensors(), velocity: weights }).path)), false, [weights]);
    tf.tidy(() => void step());
    const before = tf.memory().numTensors;
    for (let k = 0; k < 5; k++) tf.tidy(() => void step());
    expect(tf.memory().numTensors).toBe(before);
    operation.dispose();
  });
});

describe('a simulation within TensorFlow.js refuses', () => {
  it('an input that is missing, unknown, not a tensor, or of another type or shape', async () => {
    const operation = await thrown(cpuDevice({ threads: 1 }), WORLDS);
    const fly = tensorOperation(operation);
    const given = (change: object) => () => fly({ ...tensors(), ...change });
    expect(given({ drag: undefined })).toThrowCode({
      code: 'tensorflow/wrong-shape',
      values: ['[3, 1, 1]', 'undefined', 'drag'],
    });
    expect(given({ velocity: velocity })).toThrowCode({
      code: 'tensorflow/wrong-shape',
      values: ['[3, 1, 3]', 'velocity'],
    });
    expect(given({ mass: tf.zeros([3]) })).toThrowCode({
      code: 'tensorflow/unknown-input',
      values: ['"mass"', 'velocity, drag'],
    });
    expect(given({ drag: tf.zeros([3, 1, 1], 'int32') })).toThrowCode({
      code: 'tensorflow/wrong-type',
      values: ['int32', 'drag'],
    });
    expect(given({ velocity: tf.zeros([3, 3]) })).toThrowCode({
      code: 'tensorflow/wrong-shape',
      values: ['[3, 3]', '[3, 1, 3]', 'tf.reshape'],
    });
    expect(given({ velocity: tf.zeros([8, 1, 3]) })).toThrowCode('tensorflow/wrong-shape');
    expect(given({ drag: tf.fill([3, 1, 1], Number.NaN) })).toThrowCode({
      code: 'core/value-out-of-range',
      field: 'bodies.drag',
      values: ['NaN'],
    });
    operation.dispose();
  });

  it('second derivatives, even of functions linear in the result', async () => {
    const operation = await thrown(cpuDevice({ threads: 1 }), WORLDS);
    const fly = tensorOperation(operation);
    const at = tensors();
    const end = (v: tf.Tensor) => fly({ ...at, velocity: v }).last;
    for (const loss of [(v: tf.Tensor) => tf.sum(end(v)), (v: tf.Tensor) => tf.sum(tf.square(end(v)))])
      expect(() => tf.grad((v: tf.Tensor) => tf.sum(tf.square(tf.grad(loss)(v))))(at.velocity)).toThrowCode(
        'tensorflow/second-derivative',
      );
    operation.dispose();
  });

  it('an operation that is still being created, or whose device is asynchronous', async () => {
    expect(() => tensorOperation(thrown(cpuDevice({ threads: 1 })) as never)).toThrowCode({
      code: 'tensorflow/not-an-operation',
      values: ['`await createOperation(model, options)`', 'tensorOperation'],
    });
    const inner = evaluatorDevice();
    const recording: Device = {
      ...inner,
      createExecutor: async (spec) => {
        const { peekF32: _, peekU32: __, ...executor } = await inner.createExecutor(spec);
        return executor;
      },
    };
    const operation = await thrown(recording);
    expect(() => tensorOperation(operation)).toThrowCode({
      code: 'tensorflow/device-only-records',
      values: ['TensorFlow.js'],
    });
    operation.dispose();
  });
});
