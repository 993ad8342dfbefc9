import { cpuDevice, f64Device } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { PlainThrower } from '../src/by-hand.ts';
import { throwing } from '../src/throw.ts';
import { trained } from '../src/trained.ts';
import { flight, TensorflowThrower } from '../src/with-tensorflow.ts';

const SEED = 3;

describe('a network that is trained through the simulation hits what it has never seen', () => {
  it.each([TensorflowThrower, PlainThrower])(
    '%o',
    async (Network) => {
      const device = cpuDevice({ threads: 1 });
      const result = await trained(Network, { device, batch: 32, batches: 200, seed: SEED });
      device.dispose();
      console.log(`${Network.name}: seed ${SEED}, ${JSON.stringify(result)}`);
      // Goals are 2 to 6 m away, and balls that are hardly thrown are 5 m below them after a second.
      expect(result.before).toBeGreaterThan(3);
      expect(result.after).toBeLessThan(0.5);
      expect(result.seconds).toBeLessThan(60);
    },
    60_000,
  );
});

it('TensorFlow gets the derivative that differences give, through two flights one after the other', async () => {
  const operation = await throwing(f64Device(), 4);
  const random = randomNumbers(SEED);
  const drag = [0.05, 0.1, 0.2, 0.4];
  const drawn = () => Float32Array.from({ length: 12 }, () => 6 * random() - 3);
  const [start, weights] = [drawn(), drawn()];
  // A ball is thrown, and thrown again with the velocity that its end is: the way back has to go through both.
  const twice = (v: ArrayLike<number>) => {
    const once = operation.at({ velocity: v, drag }).value.end;
    return operation.at({ velocity: once, drag }).value.end;
  };
  const loss = (v: ArrayLike<number>) => twice(v).reduce((sum, x, k) => sum + weights[k] * x, 0);
  const fly = flight(operation, drag);
  const gradient = tf.grad((v: tf.Tensor) => tf.sum(tf.mul(fly(fly(v)), tf.tensor2d(weights, [4, 3]))))(
    tf.tensor2d(start, [4, 3]),
  );
  const found = gradient.dataSync();
  for (let k = 0; k < 12; k++) {
    const h = 1e-4;
    const beside = (step: number) => loss(Float64Array.from(start, (v, i) => (i === k ? v + step : v)));
    const expected = (beside(h) - beside(-h)) / (2 * h);
    // Single precision.
    expect(Math.abs(found[k] - expected)).toBeLessThan(1e-5 * (1 + Math.abs(expected)));
  }
  operation.dispose();
});
