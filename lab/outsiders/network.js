// A network of 96, 32 and 72 numbers sees the 16 particles of a lattice (positions and velocities) in every substep and
// drives its 72 springs. The gradient goes to all weights through the whole motion; Adam makes its end reach a goal.
import assert from 'node:assert/strict';
import {
  bind,
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  fieldOn,
  forRange,
  kernel,
  perWorld,
  several,
  tanh,
  vec3,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { lattice } from '@gradsim/mesh';
import { adam, randomNumbers } from '@gradsim/optim';
import { Gravity, particles } from '@gradsim/particles';
import { addSprings, springs } from '@gradsim/springs';

const [INPUTS, HIDDEN, OUTPUTS] = [96, 32, 72];
const random = randomNumbers(7);

/** Mean position of all 16 particles, to which the inputs of the network are relative. */
const middle = kernel(
  'middle',
  { domain: 'particles', reads: { position: vec3 }, adds: { middle: perWorld(vec3) } },
  ({ position, middle }) => middle.add(position.div(16)),
);
const see = kernel(
  'see',
  {
    domain: 'particles',
    reads: { position: vec3, velocity: vec3, middle: perWorld(vec3) },
    writes: { value: several('inputs', f32, 6) },
  },
  ({ position, velocity, middle }) => {
    const d = position.sub(middle).mul(5);
    return { value: [d.x, d.y, d.z, velocity.x, velocity.y, velocity.z] };
  },
);

/**
 * Adds a layer y = tanh(W x + b) from the field `value` of one domain to that of another; W has a domain of its own.
 * @param {import('@gradsim/core').Model} model
 * @param {{ from: string, inputs: number, to: string, outputs: number }} layer
 */
function addDense(model, { from, inputs, to, outputs }) {
  const weights = `${to}Weights`;
  const scale = Math.sqrt(3 / inputs);
  model.addDomain(to, outputs);
  model.addField(to, 'bias', f32);
  model.addDomain(weights, inputs * outputs);
  const values = Array.from({ length: inputs * outputs }, () => scale * (2 * random() - 1));
  model.addField(weights, 'weight', f32, { values });
  const dense = kernel(
    `denseTo${to}`,
    {
      domain: to,
      reads: { weight: fieldOn(weights, f32), value: fieldOn(from, f32), bias: f32 },
      writes: { result: f32 },
    },
    ({ weight, value, bias }, { element }) => ({
      result: tanh(
        forRange(0, inputs, bias, (k, sum) => sum.add(weight.at(element.mul(inputs).add(k)).mul(value.at(k)))),
      ),
    }),
  );
  model.addPass('control', bind(dense, { result: 'value' }));
}

/** Actuates each spring by an output of the network: changes its rest length by up to a quarter. */
const drive = kernel(
  'drive',
  { domain: 'springs', reads: { value: fieldOn('outputs', f32) }, writes: { actuation: f32 } },
  ({ value }, { element }) => ({ actuation: value.at(element).mul(0.25) }),
);

const network = definePlugin({
  name: 'network',
  contract: 1,
  requires: ['@gradsim/springs'],
  build: ({ model }) => {
    model.addDomain('inputs', INPUTS);
    model.addPass('control', middle);
    model.addPass('control', see);
    addDense(model, { from: 'inputs', inputs: INPUTS, to: 'hidden', outputs: HIDDEN });
    addDense(model, { from: 'hidden', inputs: HIDDEN, to: 'outputs', outputs: OUTPUTS });
    model.addPass('control', drive);
  },
});

const scene = createScene([particles(), springs(), network]);
scene.add(Gravity, { acceleration: [0, 0, 0] });
const tower = lattice({ size: [0.1, 0.3, 0.1], cells: [1, 3, 1] });
addSprings(scene, tower, { mass: 0.02, stiffness: 20, damping: 0.05, fixed: [0, 1, 8, 9] });
const model = buildModel(scene);
const weights = ['hiddenWeights.weight', 'hidden.bias', 'outputsWeights.weight', 'outputs.bias'];
const over = {
  frames: 26,
  frameRate: 50,
  substeps: 10,
  parameters: weights,
  outputs: ['particles.position'],
};

const { parameters } = await checkGradients(model, { ...over, seed: 1 });
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));

// The end of the tower is to be 0.05 m to the side after half a second.
const simulation = await createSimulation(model, { ...over, device: cpuDevice() });
const ends = [6, 7, 14, 15].map((particle) => 3 * particle);
const goals = ends.map((at) => tower.positions[at] + 0.05);
const lengths = [HIDDEN * INPUTS, HIDDEN, OUTPUTS * HIDDEN, OUTPUTS];
const descent = adam({ learningRate: 0.01 });
/** @param {(key: string) => Promise<Float64Array>} of */
const ofAll = async (of) => Float64Array.from((await Promise.all(weights.map(of))).flatMap((v) => [...v]));
/** @type {Float64Array} */
let x = await ofAll((key) => simulation.read(key));
const losses = [];
for (let round = 0; round < 30; round++) {
  let from = 0;
  for (const [k, key] of weights.entries()) {
    simulation.set(key, x.subarray(from, from + lengths[k]));
    from += lengths[k];
  }
  simulation.forward();
  const position = await simulation.read('particles.position');
  const off = ends.map((at, k) => position[at] - goals[k]);
  losses.push(off.reduce((sum, d) => sum + d * d, 0));
  const seed = new Float64Array(position.length);
  ends.forEach((at, k) => {
    seed[at] = 2 * off[k];
  });
  simulation.backward({ 'particles.position': seed });
  x = descent.step(x, await ofAll((key) => simulation.gradient(key)));
}
simulation.dispose();
const [before, after] = [losses[0], losses.at(-1) ?? Number.NaN];
assert(after < 0.01 * before, `The loss went from ${before} to ${after}.`);
const seconds = performance.now() / 1000;
console.log(JSON.stringify({ program: 'network', gradientError, before, after, seconds }));
