// Two substances that react and diffuse on a periodic grid (Gray and Scott 1984; Pearson 1993): spots grow and divide.
import { f32, field, kernel, Model } from '@gradsim/core';
import { checkGradients } from '@gradsim/core/testing';
import { grid } from '@gradsim/dynamics';

const SIDE = 32;
const [feed, kill] = ['feed', 'kill'].map((name) => field('world', name, f32, { unit: '1/s' }));
const [u, v] = ['u', 'v'].map((name) => field('cells', name, f32));

const model = new Model();
const cells = grid(model, 'cells', { size: [SIDE, SIDE], spacing: 1, edge: 'wrap' });
const react = kernel(
  'react',
  { domain: cells, reads: { u, v, feed, kill }, writes: { u, v } },
  ({ u, v, feed, kill }, { element, dt }) => {
    const here = cells.at(element);
    const reaction = u.mul(v).mul(v);
    const gain = feed.mul(u.neg().add(1)).sub(reaction).add(here.laplacian(u).mul(0.16));
    const change = reaction.sub(v.mul(feed.add(kill))).add(here.laplacian(v).mul(0.08));
    return { u: u.add(gain.mul(dt)), v: v.add(change.mul(dt)) };
  },
);
const spot = Array.from({ length: SIDE ** 2 }, (_, k) =>
  Math.exp(((k % SIDE) - 16) ** 2 / -20 + (Math.floor(k / SIDE) - 15) ** 2 / -12),
);
model.addField(feed, { fill: 0.035 });
model.addField(kill, { fill: 0.065 });
model.addField(u, { values: spot.map((s) => 1 - s / 2) });
model.addField(v, { values: spot.map((s) => s / 4) });
model.addPass('integrate', react);

const run = { frames: 11, frameRate: 0.1, substeps: 10, parameters: [feed, kill, u, v], outputs: [u, v] };
const { parameters } = await checkGradients(model, { ...run, seed: 1 });
const gradientError = Math.max(...Object.values(parameters).map((p) => p.differenceError));
console.log(JSON.stringify({ program: 'gray-scott', gradientError, seconds: performance.now() / 1000 }));
