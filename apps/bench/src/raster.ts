// The rasteriser alone: one picture of a sphere, and its adjoint with respect to all vertices and colours.
// `--faces` is how many triangles it has; `--sigma` and `--gamma` are the softness, SoftRas's own unless given.
import { createSimulation } from '@gradsim/core';
import { deviceScene, SOFTRAS_DEFAULTS } from '@gradsim/render-softras';
import { globeInView } from './support/globe.ts';
import { benchOptions, least, median, print, timesMs } from './support/options.ts';

const options = await benchOptions(['faces', 'size', 'runs', 'sigma', 'gamma']);
const { device } = options;
const size = options.number('size', 256);
const runs = options.number('runs', 60);
const sigma = Number(options.text('sigma', String(SOFTRAS_DEFAULTS.sigma)));
const gamma = Number(options.text('gamma', String(SOFTRAS_DEFAULTS.gamma)));
const chosen = options.number('faces', 0);

for (const faces of chosen ? [chosen] : [320, 15_000, 20_480]) {
  const mesh = globeInView(faces);
  const { model } = deviceScene({ width: size, height: size }, mesh, {
    sigma,
    gamma,
    backgroundColor: [0.1, 0.2, 0.3],
  });
  const simulation = await createSimulation(model, {
    device,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: ['pixels.rgba'],
    parameters: ['viewVertices.ndc', 'faces.color'],
  });
  // Devices that work on their own have finished when a word comes back.
  const finished = (): Promise<unknown> => simulation.compiled.executor.readF32(0, 1);
  const forward = await timesMs(runs, 10, () => {
    simulation.forward();
    return finished();
  });
  const picture = await simulation.readFrames('pixels.rgba');
  const seeds = { 'pixels.rgba': picture.map((value, k) => value - (k % 7) / 7) };
  const backward = await timesMs(runs, 10, () => {
    simulation.backward(seeds);
    return finished();
  });
  print({
    bench: 'raster',
    device: device.kind,
    renderer: 'softras',
    faces: mesh.faces.length / 3,
    size,
    sigma,
    gamma,
    forwardMs: median(forward),
    backwardMs: median(backward),
    leastForwardMs: least(forward),
    leastBackwardMs: least(backward),
    runs,
  });
  simulation.dispose();
}
device.dispose();
