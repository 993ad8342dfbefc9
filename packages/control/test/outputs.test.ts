// What controllers put out, against closed forms.
import type { Model } from '@gradsim/core';
import { buildModel, createScene, createSimulation, f64Device } from '@gradsim/core';
import { Particle, particles } from '@gradsim/particles';
import { Spring, springs } from '@gradsim/springs';
import { expect, test } from 'vitest';
import type { ControllerOptions } from '../src/index.ts';
import { controller, fieldInput, sinusoidInput, splineInput, weightsOf } from '../src/index.ts';

/** Model of three fixed particles in a row, linked by two springs, with a controller. */
function held(options: ControllerOptions): Model {
  const scene = createScene([particles(), springs(), controller(options)]);
  const [a, b, c] = [0, 1, 3].map((x) => scene.add(Particle, { position: [x, 0, 0], fixed: 1 }));
  scene.add(Spring, { ends: [a, b], stiffness: 1, restLength: 1, actuation: 0.7 });
  scene.add(Spring, { ends: [b, c], stiffness: 1, restLength: 1, actuation: 0.7 });
  return buildModel(scene);
}
const over = { frames: 5, frameRate: 10, substeps: 8, device: f64Device() } as const;
const dt = 1 / 80;

/** Spring actuations at each frame after frame 0, [frame][spring]; they were set in the substep before the frame. */
async function actuations(model: Model): Promise<number[][]> {
  const simulation = await createSimulation(model, over);
  const found: number[][] = [];
  for (let frame = 1; frame < over.frames; frame++) {
    simulation.step();
    found.push([...simulation.readSync(Spring.actuation)]);
  }
  simulation.dispose();
  return found;
}
/** Start time of the last substep before a frame, s. */
const before = (frame: number): number => (8 * frame - 1) * dt;

test('a layer of n sinusoids without bias outputs offset + scale tanh(sum_k W_ki sin(w t + 2 pi k / n))', async () => {
  const W = [0.3, -0.2, 0.5, 0.1, -0.4, 0.25];
  const model = held({
    inputs: [sinusoidInput({ frequency: 7, count: 3 })],
    bias: false,
    weights: { 'controllerSight0Weights.weight': W },
    drives: [{ field: Spring.actuation, scale: 0.2, offset: 0.05 }],
  });
  const wanted = [1, 2, 3, 4].map((frame) =>
    [0, 1].map((i) => {
      const sum = [0, 1, 2].reduce((s, k) => s + W[2 * k + i] * Math.sin(7 * before(frame) + (2 * Math.PI * k) / 3), 0);
      return 0.05 + 0.2 * Math.tanh(sum);
    }),
  );
  const found = await actuations(model);
  wanted.flat().forEach((value, k) => {
    expect(found.flat()[k]).toBeCloseTo(value, 6);
  });
});

test('a spline input with weights on a line outputs that line, and its end value after its duration', async () => {
  // The control point of number i stands at (i - 1) stretches; 3 stretches over 0.3 s.
  const points = [0, 1, 2, 3, 4, 5].map((i) => 0.4 + 2 * (i - 1) * 0.1);
  const model = held({
    inputs: [splineInput({ count: 6, duration: 0.3 })],
    bias: false,
    output: 'identity',
    weights: { 'controllerSight0Weights.weight': points },
    drives: [{ field: Spring.actuation, groups: [0, 0] }],
  });
  const found = await actuations(model);
  // After its end, 0.3 s, the curve stays where it is.
  [1, 2, 3, 4].forEach((frame, k) => {
    expect(found[k][0]).toBeCloseTo(0.4 + 2 * Math.min(before(frame), 0.3), 6);
    expect(found[k][1]).toBe(found[k][0]);
  });
});

test('a network with a relu layer, biases and two inputs outputs its formula; elements not driven keep their values', async () => {
  const weights = {
    'netSight0Weights.weight': [0.5, -1, 0.2, 0.3],
    'netSight1Weights.weight': [1.5, 0.5],
    'netLayer1.bias': [0.1, -0.3],
    'netLayer1Weights.weight': [0.7, -0.6],
    'netOutputs.bias': [0.2],
  };
  const model = held({
    name: 'net',
    inputs: [
      fieldInput(Particle.position, { elements: [0, 2], components: [0], fromMean: true, scale: 2 }),
      fieldInput(Particle.position, { elements: [1], components: [0] }),
    ],
    hidden: [2],
    activation: 'relu',
    output: 'identity',
    weights,
    drives: [{ field: Spring.actuation, elements: [1] }],
  });
  // From the mean of 0 and 3, times 2: -3 and 3; then the second particle's 1.
  const hidden = [0.1 - 3 * 0.5 + 3 * 0.2 + 1.5, -0.3 + 3 * 1 + 3 * 0.3 + 0.5].map((x) => Math.max(x, 0));
  const output = 0.2 + 0.7 * hidden[0] - 0.6 * hidden[1];
  for (const [first, second] of await actuations(model)) {
    expect(first).toBeCloseTo(0.7, 6);
    expect(second).toBeCloseTo(output, 6);
  }
});

test('with `every: 5` outputs are those of the last substep whose number is a multiple of 5', async () => {
  const model = held({
    inputs: [sinusoidInput({ frequency: 7, phases: [0.4] })],
    bias: false,
    output: 'identity',
    every: 5,
    weights: { 'controllerSight0Weights.weight': [1, 1] },
    drives: [{ field: Spring.actuation }],
  });
  const found = await actuations(model);
  [1, 2, 3, 4].forEach((frame, k) => {
    const last = 5 * Math.floor((8 * frame - 1) / 5) * dt;
    expect(found[k][0]).toBeCloseTo(Math.sin(7 * last + 0.4), 6);
  });
});

test('effort is the time integral of the mean squared output', async () => {
  const model = held({
    inputs: [sinusoidInput({ frequency: 7, phases: [0, 1] })],
    bias: false,
    output: 'identity',
    effort: true,
    weights: { 'controllerSight0Weights.weight': [1, 0, 0, 2] },
    drives: [{ field: Spring.actuation }],
  });
  const simulation = await createSimulation(model, over);
  simulation.forward();
  let sum = 0;
  for (let n = 0; n < 32; n++) sum += (dt * (Math.sin(7 * n * dt) ** 2 + 4 * Math.sin(7 * n * dt + 1) ** 2)) / 2;
  expect(simulation.readSync('world.controllerEffort')[0]).toBeCloseTo(sum, 6);
  simulation.dispose();
});

test('worlds have weights of their own, or share weights and sum their gradients', async () => {
  const base = {
    inputs: [fieldInput(Particle.position)],
    hidden: [3],
    drives: [{ field: Spring.actuation }],
  } as const;
  const gradients: Record<string, Float64Array> = {};
  for (const shared of [false, true]) {
    const scene = createScene([particles(), springs(), controller({ ...base, shared })]);
    const [a, b] = [0, 1].map((x) => scene.add(Particle, { position: [x, 0.1 * x, 0], mass: 0.1 }));
    scene.add(Spring, { ends: [a, b], stiffness: 20, restLength: 1 });
    const model = buildModel(scene);
    const keys = weightsOf(model).map(({ name }) => name);
    const simulation = await createSimulation(model, {
      ...over,
      worlds: 2,
      parameters: keys,
      outputs: ['particles.position'],
    });
    simulation.set('particles.velocity', [0, 1, 0, 0, 0, 0], 0);
    simulation.set('particles.velocity', [0, 0, 0, 0, 2, 0], 1);
    simulation.forward();
    simulation.backward({ 'particles.position': Float64Array.from({ length: 12 }, (_, k) => Math.sin(k)) });
    const gradient = await simulation.gradient(keys[0]);
    const size = model.domain('controllerSight0Weights').size;
    expect(gradient.length).toBe(shared ? size : 2 * size);
    gradients[`${shared}`] = gradient;
    simulation.dispose();
  }
  const { true: together, false: own } = gradients;
  together.forEach((sum, k) => {
    expect(sum).toBeCloseTo(own[k] + own[together.length + k], 12);
  });
  expect(Math.max(...together.map(Math.abs))).toBeGreaterThan(1e-3);
});
