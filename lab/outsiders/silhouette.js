// A loss of its own on the silhouettes of @gradsim/render-softras: one minus soft intersection over union, in every
// frame, as kernels. Gradient descent finds the throw of a box from its film.
import assert from 'node:assert/strict';
import {
  buildModel,
  cpuDevice,
  createScene,
  createSimulation,
  definePlugin,
  f32,
  kernel,
  perWorld,
} from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { box } from '@gradsim/mesh';
import { sgd } from '@gradsim/optim';
import { OrbitCamera, render } from '@gradsim/render';
import { softRas } from '@gradsim/render-softras';
import { Body, rigid } from '@gradsim/rigid';

const overlap = kernel(
  'overlap',
  {
    domain: 'pixels',
    reads: { alpha: f32, wanted: f32 },
    adds: { intersection: perWorld(f32), union: perWorld(f32) },
  },
  ({ alpha, wanted, intersection, union }) => {
    const both = alpha.mul(wanted);
    intersection.add(both);
    union.add(alpha.mul(alpha).add(wanted.mul(wanted)).sub(both));
  },
);
const missed = kernel(
  'missed',
  { domain: 'world', reads: { intersection: f32, union: f32 }, writes: { missed: f32 } },
  ({ intersection, union }) => ({ missed: f32(1).sub(intersection.div(union)) }),
);

/**
 * Plugin with the loss 1 - sum(A T) / sum(A^2 + T^2 - A T) of `pixels.alpha` A and `pixels.wanted` T, as `world.missed`
 * of every frame. Owing to the squares it is 0 also for equal soft silhouettes.
 */
const silhouetteLoss = definePlugin({
  name: 'silhouette-loss',
  contract: 1,
  requires: ['@gradsim/render-softras'],
  build: ({ model }) => {
    model.addField('pixels', 'wanted', f32, { variesBy: 'frame' });
    model.addPass('observe', overlap);
    model.addPass('observe', missed);
  },
});

const over = { frames: 9, frameRate: 20, substeps: 4 };
/** @param {readonly number[]} velocity */
function thrown(velocity) {
  const pictures = [render({ width: 24, height: 24 }), softRas({ sigma: 3e-3, drawings: ['silhouette'] })];
  const scene = createScene([rigid(), ...pictures, silhouetteLoss]);
  scene.add(Body, {
    mesh: box({ size: [0.4, 0.3, 0.2] }),
    density: 300,
    velocity,
    position: [-0.3, -0.2, 0],
    angularVelocity: [1, 2, 0.5],
  });
  scene.add(OrbitCamera, { distance: 2.5, elevation: 0.2, azimuth: 0.1 });
  return buildModel(scene);
}

const device = cpuDevice();
const truth = [1.5, 2.2, 0.4];
const film = await createSimulation(thrown(truth), { ...over, device, record: ['pixels.alpha'] });
film.forward();
const wanted = await film.readFrames('pixels.alpha');
film.dispose();

const model = thrown([1, 1.5, 0]);
const { parameters } = await checkGradients(model, {
  ...over,
  parameters: ['bodies.velocity', 'bodies.angularVelocity', 'bodies.position', 'cameras.distance'],
  outputs: ['world.missed'],
  values: { 'pixels.wanted': wanted },
  seed: 1,
});
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));

const fit = await createSimulation(model, {
  ...over,
  device,
  record: ['world.missed'],
  parameters: ['bodies.velocity'],
});
fit.set('pixels.wanted', wanted);
const descent = sgd({ learningRate: 0.5, momentum: 0.5 });
/** @type {Float64Array} */
let velocity = Float64Array.of(1, 1.5, 0);
const losses = [];
for (let round = 0; round < 60; round++) {
  fit.set('bodies.velocity', velocity);
  fit.forward();
  const missedOfFrames = await fit.readFrames('world.missed');
  losses.push(missedOfFrames.reduce((sum, x) => sum + x) / over.frames);
  fit.backward({ 'world.missed': missedOfFrames.map(() => 1 / over.frames) });
  velocity = descent.step(velocity, await fit.gradient('bodies.velocity'));
}
fit.dispose();
device.dispose();
const error = Math.hypot(...truth.map((v, i) => v - velocity[i]));
const [before, after] = [losses[0], losses.at(-1) ?? Number.NaN];
assert(after < 1e-4 && error < 0.01, `The loss is ${after}, and the velocity ${velocity}.`);
const seconds = performance.now() / 1000;
console.log(JSON.stringify({ program: 'silhouette', gradientError, before, after, error, seconds }));
