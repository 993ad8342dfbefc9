// What a loss of colours sees of an outline: the loss between two pictures of a sphere, over how far apart it stands in them,
// with each compositing of both renderers and several softnesses (sigma, delta). `unseen` is the part of the loss's changes that its
// derivative knows nothing of (1 for a staircase, 0 for a smooth curve), `wrongWay` the part of the way on which the
// derivative does not point to where the pictures agree. `--pixels N` is how far apart, `--size N` the side of the picture,
// `--out FILE` writes a page with the curves.
import { writeFileSync } from 'node:fs';
import type { Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import * as dibr from '@gradsim/render-dibr';
import * as softras from '@gradsim/render-softras';
import type { CurveChart } from 'gradsim';
import { curvesPage } from 'gradsim';
import { globeInView } from './support/globe.ts';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['size', 'pixels', 'out'], 'f64');
const { device } = options;
const size = options.number('size', 64);
const pixels = options.number('pixels', 6);
const out = options.text('out', '');
/** Number of positions per pixel at which the moving edge is drawn. */
const STEPS_PER_PIXEL = 16;

const globe = globeInView(320);
/** Vertices of the sphere, shifted to the right by a number of pixels. */
const moved = (by: number): Float64Array => globe.vertices.map((x, k) => (k % 3 === 0 ? x + (2 * by) / size : x));

const backgroundColor = [0.1, 0.1, 0.15] as const;
const shape = { width: size, height: size };
/** Models of the sphere by renderer and by compositing method. */
const PICTURES: Readonly<Record<string, Readonly<Record<string, (softness: number) => Model>>>> = {
  softras: {
    softmax: (sigma) => softras.softRasScene(shape, globe, { sigma, backgroundColor }).model,
    coverage: (sigma) => softras.softRasScene(shape, globe, { sigma, compositing: 'coverage', backgroundColor }).model,
  },
  dibr: {
    nearest: (delta) => dibr.dibrScene(shape, globe, { delta, backgroundColor }).model,
    coverage: (delta) => dibr.dibrScene(shape, globe, { delta, compositing: 'coverage', backgroundColor }).model,
  },
};

/** Prints how smooth the loss is as a function of the shift, and returns its curve. */
async function measure(renderer: string, compositing: string, softness: number): Promise<CurveChart['curves'][number]> {
  const model = PICTURES[renderer][compositing](softness);
  const simulation = await createSimulation(model, {
    device,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: ['pixels.rgba'],
    parameters: ['viewVertices.ndc'],
  });
  const draw = async (by: number): Promise<Float64Array> => {
    simulation.set('viewVertices.ndc', moved(by));
    simulation.forward();
    return simulation.readFrames('pixels.rgba');
  };
  const target = await draw(0);
  const losses: number[] = [];
  const slopes: number[] = [];
  for (let step = 0; step <= pixels * STEPS_PER_PIXEL; step++) {
    const picture = await draw(step / STEPS_PER_PIXEL);
    // Alpha, every fourth value, is no colour.
    const off = picture.map((value, k) => (k % 4 === 3 ? 0 : (value - target[k]) / (size * size)));
    losses.push(off.reduce((sum, d, k) => sum + (d * (picture[k] - target[k])) / 2, 0));
    simulation.backward({ 'pixels.rgba': off });
    const gradient = await simulation.gradient('viewVertices.ndc');
    slopes.push(gradient.reduce((sum, g, k) => sum + (k % 3 === 0 ? g : 0), 0));
  }
  simulation.dispose();
  const width = 2 / size / STEPS_PER_PIXEL;
  let [unseen, changes] = [0, 0];
  for (let k = 1; k < losses.length; k++) {
    const change = losses[k] - losses[k - 1];
    unseen += Math.abs(change - ((slopes[k] + slopes[k - 1]) / 2) * width);
    changes += Math.abs(change);
  }
  const away = slopes.slice(1);
  print({
    bench: 'soft-color',
    device: device.kind,
    renderer,
    compositing,
    softness,
    size,
    pixels,
    unseen: unseen / changes,
    wrongWay: away.filter((slope) => !(slope > 0)).length / away.length,
  });
  const points = losses.map((y, step) => ({ x: step / STEPS_PER_PIXEL, y }));
  return { name: compositing, points, isReference: compositing !== 'coverage' };
}

const charts: CurveChart[] = [];
for (const [renderer, ways] of Object.entries(PICTURES)) {
  for (const softness of [1e-5, 1e-4, 1e-3]) {
    const curves: CurveChart['curves'][number][] = [];
    for (const compositing of Object.keys(ways)) curves.push(await measure(renderer, compositing, softness));
    charts.push({ title: `${renderer}, ${softness}`, xLabel: 'pixels apart', yLabel: 'loss', curves });
  }
}
if (out)
  writeFileSync(
    out,
    curvesPage('Soft colours', 'Mean square difference of two pictures of a sphere, by compositing.', charts),
  );
device.dispose();
