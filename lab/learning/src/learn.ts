// Trains networks to throw, and networks with a flight in the middle: npm run -s learn --prefix lab/learning
import { cpuDevice } from '@gradsim/core';
import { randomNumbers } from '@gradsim/optim';
import { defaultDevice, init } from '@jax-js/jax';
import { PlainThrower } from './by-hand.ts';
import { drawShots, flight } from './launcher.ts';
import { JaxLauncher } from './launcher-jax.ts';
import { TensorflowLauncher } from './launcher-tensorflow.ts';
import { trainThrower } from './trained.ts';
import { TensorflowThrower } from './with-tensorflow.ts';

for (const Thrower of [TensorflowThrower, PlainThrower]) {
  const device = cpuDevice();
  const result = await trainThrower(Thrower, { device, batch: 64, batches: 700, seed: 3 });
  process.stdout.write(`${JSON.stringify({ thrower: Thrower.name, ...result })}\n`);
  device.dispose();
}

await init('wasm');
defaultDevice('wasm');
for (const Launcher of [TensorflowLauncher, JaxLauncher]) {
  const device = cpuDevice();
  const flown = await flight(device, 32);
  const random = randomNumbers(3);
  const network = new Launcher(flown, random);
  const unseen = drawShots(flown, random);
  const batches = Array.from({ length: 300 }, () => drawShots(flown, random));
  const before = await network.test(unseen);
  const began = performance.now();
  for (const rate of [0.02, 0.003]) await network.train(batches, rate);
  const seconds = (performance.now() - began) / 1000;
  const after = await network.test(unseen);
  process.stdout.write(`${JSON.stringify({ launcher: Launcher.name, before, after, seconds })}\n`);
  flown.dispose();
  device.dispose();
}
