import { cpuDevice, f64Device } from '@gradsim/core';
import { defaultDevice, init } from '@jax-js/jax';
import * as tf from '@tensorflow/tfjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../scripts/vitest/draws.ts';
import type { Flight, Shots } from '../src/launcher.ts';
import { drawShots, drawWeights, FRAMES, flight, LAYERS, REACH, SPEED } from '../src/launcher.ts';
import { JaxLauncher } from '../src/launcher-jax.ts';
import { TensorflowLauncher } from '../src/launcher-tensorflow.ts';

/** Seed of the network's initial weights; `GRADSIM_SEED` sets another. */
const SEED = Math.trunc(Number(process.env.GRADSIM_SEED ?? 3));
console.log(`launcher: seed ${SEED}`);

beforeAll(async () => {
  await init('wasm');
  defaultDevice('wasm');
});

/** Loss of the network in double precision, computed without a framework. */
function plainLoss(flown: Flight, weights: readonly ArrayLike<number>[], { count, settings, seen }: Shots) {
  const layer = (x: ArrayLike<number>, k: number, squash: (value: number) => number) => {
    const [rows, columns] = LAYERS[k];
    const [w, b] = [weights[2 * k], weights[2 * k + 1]];
    return Float64Array.from({ length: (x.length / rows) * columns }, (_, at) => {
      const [n, o] = [Math.trunc(at / columns), at % columns];
      let sum = b[o];
      for (let i = 0; i < rows; i++) sum += x[n * rows + i] * w[i * columns + o];
      return squash(sum);
    });
  };
  const velocity = layer(layer(settings, 0, Math.tanh), 1, (v) => SPEED * v);
  const { path } = flown.at({ velocity }).value;
  const pixels = layer(
    layer(
      path.map((x) => x / REACH),
      2,
      Math.tanh,
    ),
    3,
    (v) => v,
  );
  return pixels.reduce((sum, x, k) => sum + (x - seen[k]) ** 2, 0) / (count * FRAMES * 2);
}

describe('derivatives of all weights of the networks around the simulation agree with central differences', () => {
  const gradients = {
    'TensorFlow.js': async (flown: Flight, shots: Shots) => {
      const network = new TensorflowLauncher(flown, randomNumbers(SEED));
      const { grads } = tf.variableGrads(() => network.loss(shots), [...network.weights]);
      return network.weights.map(({ name }) => grads[name].dataSync<'float32'>());
    },
    'jax-js': async (flown: Flight, shots: Shots) =>
      (await new JaxLauncher(flown, randomNumbers(SEED)).lossAndGradient(shots)).gradient,
  };
  it.each(Object.entries(gradients))('%s', async (_, gradientOf) => {
    const flown = await flight(f64Device(), 4);
    const shots = drawShots(flown, randomNumbers(SEED + 1));
    const weights = drawWeights(randomNumbers(SEED)).map((each) => Float64Array.from(each));
    const found = (await gradientOf(flown, shots)).map((each) => Array.from(each));
    const largest = Math.max(...found.flat().map(Math.abs));
    let worst = 0;
    weights.forEach((values, n) => {
      expect(found[n].length).toBe(values.length);
      values.forEach((value, k) => {
        const h = 1e-5;
        const beside = (step: number) => {
          values[k] = value + step;
          return plainLoss(flown, weights, shots);
        };
        const expected = (beside(h) - beside(-h)) / (2 * h);
        values[k] = value;
        worst = Math.max(worst, Math.abs(found[n][k] - expected));
      });
    });
    console.log(`worst error of a derivative, of the largest: ${worst / largest}`);
    // The frameworks compute in single precision.
    expect(worst).toBeLessThan(1e-5 * largest);
    flown.dispose();
  });
});

it.each([TensorflowLauncher, JaxLauncher])(
  '%o learns a launcher and a camera together from pictures; the loss on unseen shots falls to less than 1 %',
  async (Launcher) => {
    const device = cpuDevice({ threads: 1 });
    const flown = await flight(device, 32);
    const random = randomNumbers(SEED);
    const network = new Launcher(flown, random);
    const unseen = drawShots(flown, random);
    function* drawn(count: number) {
      for (let k = 0; k < count; k++) yield drawShots(flown, random);
    }
    const before = await network.test(unseen);
    const began = performance.now();
    for (const rate of [0.02, 0.003]) await network.train(drawn(150), rate);
    const after = await network.test(unseen);
    const seconds = (performance.now() - began) / 1000;
    console.log(`${Launcher.name}: seed ${SEED}, ${JSON.stringify({ before, after, seconds })}`);
    expect(after).toBeLessThan(before / 100);
    flown.dispose();
    device.dispose();
  },
);
