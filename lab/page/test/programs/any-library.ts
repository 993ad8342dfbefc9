// Every entry of the packages of a page, and what a user writes with them, in types of the language alone.
import * as cloth from '@gradsim/cloth';
import * as contact from '@gradsim/contact';
import * as core from '@gradsim/core';
import * as coreTesting from '@gradsim/core/testing';
import * as fem from '@gradsim/fem';
import * as kernel from '@gradsim/kernel';
import * as devices from '@gradsim/kernel/device';
import * as compiler from '@gradsim/kernel/internal';
import * as mesh from '@gradsim/mesh';
import * as optim from '@gradsim/optim';
import * as particles from '@gradsim/particles';
import * as render from '@gradsim/render';
import * as raster from '@gradsim/render/raster';
import * as softras from '@gradsim/render-softras';
import * as rigid from '@gradsim/rigid';
import * as springs from '@gradsim/springs';
import * as video from '@gradsim/video';

export const { readFrames } = video;
export const { Arena } = compiler;
export const { wasmModule } = devices;
export const { vec3 } = kernel;
export const { checkKernel } = coreTesting;
export const { defineRenderer } = raster;

const drag = core.kernel(
  'drag',
  {
    domain: 'particles',
    reads: { velocity: particles.Particle.velocity, drag: core.f32 },
    adds: { force: particles.Particle.force },
  },
  ({ velocity, drag, force }) => {
    force.add(velocity.mul(drag.neg()));
  },
);

export async function thrown(device: core.DeviceChoice = 'auto'): Promise<Float64Array> {
  const dragged = core.definePlugin({
    name: 'drag',
    contract: 1,
    components: [],
    build: ({ model }) => {
      model.addField('particles', 'drag', core.f32, { fill: [0.1] });
      model.addPass('force', drag);
    },
  });
  const scene = core.createScene([
    ...[particles.particles(), springs.springs(), fem.fem(), cloth.cloth(), rigid.rigid(), contact.contact()],
    ...[dragged, render.render({ width: 8, height: 8 }), softras.softRas()],
  ]);
  cloth.addCloth(scene, mesh.plane({ size: [1, 1], segments: [2, 2] }), { mu: 10, lambda: 10, density: 1 });
  scene.add(rigid.Body, { mesh: mesh.box({ size: [1, 1, 1] }), density: 10 });
  scene.add(render.OrbitCamera, { distance: 3 });
  const simulation = await core.createSimulation(core.buildModel(scene), {
    device: await core.selectDevice(device),
    frames: 2,
    frameRate: 30,
    substeps: 4,
    parameters: ['particles.velocity'],
    outputs: ['particles.position'],
  });
  await simulation.run({ onProgress: (done, of) => void (done / of) });
  simulation.backward({ 'particles.position': [1] });
  const velocity = await simulation.gradient('particles.velocity');
  return optim.adam({ learningRate: 0.01 }).step(velocity, velocity);
}

export default optim.defineProblem<{ readonly target: Float64Array }>(({ settings: { target } }) => {
  const scene = core.createScene([particles.particles()]);
  scene.add(particles.Particle, { position: [0, 1, 0], mass: 0.1 });
  return {
    model: core.buildModel(scene),
    frames: 2,
    frameRate: 30,
    substeps: 4,
    parameters: [{ name: 'vx', field: particles.Particle.velocity, component: 0, initial: 0 }],
    observations: [{ field: particles.Particle.position, target }],
  };
});

export async function inWorker(signal: core.StopSignal, make: () => optim.PageWorker): Promise<number> {
  const options: optim.WorkerOptions = {
    settings: { target: new Float64Array(6) },
    device: 'cpu',
    signal,
    frames: [particles.Particle.position],
    onProgress: ({ best, waited }) => void (best?.parameters.vx?.estimate ?? waited),
  };
  await optim.estimateInWorker('./problem.js', options);
  await optim.estimateInWorker({ href: 'file:///problem.js' }, options);
  return (await optim.estimateInWorker(make, options)).loss;
}

export async function squares(): Promise<Float32Array | Float64Array> {
  const square = core.kernel(
    'square',
    { domain: 'points', reads: { x: core.f32 }, writes: { y: core.f32 } },
    ({ x }) => ({ y: x.mul(x) }),
  );
  const f = await core.compile(square, { sizes: { points: 2 }, device: 'cpu' });
  const { 'points.y': y } = await f.run({ 'points.x': [1, 2] });
  f.dispose();
  return y;
}
