// Trains a network to throw, with TensorFlow.js and in plain JavaScript: npm run -s learn --prefix apps/learning
import { cpuDevice } from '@gradsim/core';
import { PlainThrower } from './by-hand.ts';
import { trained } from './trained.ts';
import { TensorflowThrower } from './with-tensorflow.ts';

for (const Thrower of [TensorflowThrower, PlainThrower]) {
  const device = cpuDevice();
  const result = await trained(Thrower, { device, batch: 64, batches: 700, seed: 3 });
  process.stdout.write(`${JSON.stringify({ thrower: Thrower.name, ...result })}\n`);
  device.dispose();
}
