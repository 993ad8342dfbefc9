// What a simulation costs as an operation of TensorFlow.js, beside the simulation alone: a ball that flies for 50 substeps
// in 64 worlds, a box that is tossed onto the ground for 1920, alone and in 20 worlds. Forward, and forward with the
// derivatives of what goes in. The simulation, the operation of @gradsim/optim and that of TensorFlow.js take turns.

import { median } from '@gradsim/base';
import type { Model } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { icosphere } from '@gradsim/mesh';
import { createOperation } from '@gradsim/optim';
import { Body, rigid } from '@gradsim/rigid';
import { tensorOperation } from '@gradsim/tensorflow';
import * as tf from '@tensorflow/tfjs';
import { benchOptions, least, print } from './support/options.ts';
import { tossedBoxes } from './support/tossed-box.ts';

const options = await benchOptions(['runs']);
const { device } = options;
const runs = options.number('runs', 40);
await tf.setBackend('cpu');

function ball(): Model {
  const scene = createScene([rigid()]);
  scene.add(Body, { mesh: icosphere({ radius: 0.04, subdivisions: 1 }), mass: 0.15, drag: 0.1 });
  return buildModel(scene);
}

/**
 * Measures the time of each function, ms. The functions run alternately, twice in a row each, and only the second run
 * counts: during the first, caches still hold another function's data.
 */
function times<Name extends string>(acts: Readonly<Record<Name, () => void>>): Record<Name, number[]> {
  const named = Object.entries(acts) as [Name, () => void][];
  const all = Object.fromEntries(named.map(([name]) => [name, []])) as unknown as Record<Name, number[]>;
  const warmUp = 5;
  for (let k = 0; k < runs + warmUp; k++)
    for (const [name, act] of named) {
      act();
      const began = performance.now();
      act();
      if (k >= warmUp) all[name].push(performance.now() - began);
    }
  return all;
}

for (const { scene, model, frames, frameRate, substeps, worlds } of [
  { scene: 'flight', model: ball(), frames: 2, frameRate: 1, substeps: 50, worlds: 64 },
  { scene: 'toss', model: tossedBoxes(1), frames: 61, frameRate: 30, substeps: 32, worlds: 1 },
  { scene: 'toss', model: tossedBoxes(1), frames: 61, frameRate: 30, substeps: 32, worlds: 20 },
]) {
  const run = { device, frames, frameRate, substeps, worlds };
  const simulation = await createSimulation(model, {
    ...run,
    parameters: ['bodies.velocity'],
    record: ['bodies.position'],
  });
  const operation = await createOperation(model, {
    ...run,
    inputs: { velocity: 'bodies.velocity' },
    outputs: { path: 'bodies.position' },
  });
  const layer = tensorOperation(operation);
  const velocity = Float32Array.from({ length: worlds * 3 }, (_, k) => [0, 1, 1.5][k % 3] + k / 1000);
  const slopes = new Float64Array(worlds * frames * 3).fill(1);
  simulation.set('bodies.velocity', velocity);

  const given = tf.tensor(velocity, [worlds, 1, 3]);
  const gradient = tf.grad((v: tf.Tensor) => tf.sum(layer({ velocity: v }).path));
  const measured = times({
    simulationForward: () => simulation.forward(),
    simulationBoth: () => {
      simulation.forward();
      simulation.backward({ 'bodies.position': slopes });
    },
    operationForward: () => void operation.at({ velocity }),
    operationBoth: () => void operation.at({ velocity }).pullback({ path: slopes }),
    tensorflowForward: () => tf.tidy(() => void layer({ velocity: given }).path.dataSync()),
    tensorflowBoth: () => tf.tidy(() => void gradient(given).dataSync()),
  });
  for (const [what, bare, within] of [
    ['forward', measured.simulationForward, measured.tensorflowForward],
    ['forward and backward', measured.simulationBoth, measured.tensorflowBoth],
  ] as const) {
    const operationMs = what === 'forward' ? measured.operationForward : measured.operationBoth;
    print({
      bench: 'interop',
      device: device.kind,
      scene,
      what,
      substeps: (frames - 1) * substeps,
      worlds,
      simulationMs: median(bare),
      operationMs: median(operationMs),
      tensorflowMs: median(within),
      leastSimulationMs: least(bare),
      leastOperationMs: least(operationMs),
      leastTensorflowMs: least(within),
      ratio: median(within) / median(bare),
      leastRatio: least(within) / least(bare),
      runs,
    });
  }
  given.dispose();
  operation.dispose();
  simulation.dispose();
}
device.dispose();
