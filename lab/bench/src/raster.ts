// A renderer alone: one picture of a sphere, and its adjoint with respect to all vertices and colours, and to texels where
// it has any. `--renderer` is `softras` or `dibr`, both in turn unless given; `--faces` is how many triangles the sphere
// has, `--textured yes` gives it a texture of 256 x 256; `--sigma`, `--gamma` and `--compositing` are those of SoftRas,
// its own unless given. `failure` says why a row has no gradient of texels.

import { median } from '@gradsim/base';
import type { Device, Model } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import * as dibr from '@gradsim/render-dibr';
import * as softras from '@gradsim/render-softras';
import { globeInView, wrapped } from './support/globe.ts';
import { benchOptions, chosenNames, least, print, timesMs } from './support/options.ts';

const options = await benchOptions(['renderer', 'faces', 'size', 'textured', 'runs', 'sigma', 'gamma', 'compositing']);
const { device } = options;
const runs = options.number('runs', 60);
const sigma = Number(options.text('sigma', '1e-5'));
const gamma = Number(options.text('gamma', '1e-4'));
const [compositing] = chosenNames('compositing', options.text('compositing', 'softmax'), [
  'softmax',
  'coverage',
  'area',
] as const);

interface Row {
  readonly faces: number;
  readonly size: number;
  readonly textured: boolean;
}

const faces = options.number('faces', 0);
const size = options.number('size', 256);
const textured = options.text('textured', 'no') === 'yes';
const rows: readonly Row[] = faces
  ? [{ faces, size, textured }]
  : [
      ...[320, 15_000, 20_480].map((faces) => ({ faces, size, textured })),
      { faces: 20_000, size: 512, textured: false },
      { faces: 20_000, size: 512, textured: true },
    ];

const backgroundColor = [0.1, 0.2, 0.3] as const;
const RENDERERS: Readonly<Record<string, (row: Row) => Model>> = {
  softras: (row) => {
    const look = { sigma, gamma, compositing, backgroundColor };
    return softras.softRasScene({ width: row.size, height: row.size }, globeOf(row), look).model;
  },
  dibr: (row) => dibr.dibrScene({ width: row.size, height: row.size }, globeOf(row), { backgroundColor }).model,
};

const globeOf = ({ faces, textured }: Row) => (textured ? wrapped(globeInView(faces)) : globeInView(faces));

/** Returns the error message if the gradient fails, else null. */
const failureOf = (gradient: Promise<unknown>): Promise<string | null> =>
  gradient.then(
    () => null,
    (error: Error) => error.message,
  );

async function measure(renderer: string, row: Row, on: Device): Promise<void> {
  const model = RENDERERS[renderer](row);
  const simulation = await createSimulation(model, {
    device: on,
    frames: 1,
    frameRate: 1,
    substeps: 1,
    record: ['pixels.rgba'],
    parameters: ['viewVertices.ndc', 'faces.color', ...(row.textured ? ['texels.color'] : [])],
  });
  const forward = await timesMs(runs, 10, () => {
    simulation.forward();
    return simulation.finished();
  });
  const picture = await simulation.readFrames('pixels.rgba');
  const seeds = { 'pixels.rgba': picture.map((value, k) => value - (k % 7) / 7) };
  const backward = await timesMs(runs, 10, () => {
    simulation.backward(seeds);
    return simulation.finished();
  });
  const failure = row.textured ? await failureOf(simulation.gradient('texels.color')) : null;
  print({
    bench: 'raster',
    device: on.kind,
    renderer,
    faces: model.domain('faces').size,
    size: row.size,
    textured: row.textured,
    ...(renderer === 'softras' && { sigma, gamma, compositing }),
    forwardMs: median(forward),
    backwardMs: median(backward),
    leastForwardMs: least(forward),
    leastBackwardMs: least(backward),
    runs,
    ...(failure && { failure }),
  });
  simulation.dispose();
}

const asked = options.text('renderer', '');
if (asked && !(asked in RENDERERS)) throw new Error(`--renderer is softras or dibr, not ${asked}.`);
for (const row of rows)
  for (const renderer of asked ? [asked] : Object.keys(RENDERERS)) await measure(renderer, row, device);
device.dispose();
