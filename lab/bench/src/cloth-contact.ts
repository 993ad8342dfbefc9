// What contact of cloth with cloth costs: two sheets that lie on each other, of more and more triangles of one size.
// Milliseconds a substep without and with it, forward and backward, and of one search for neighbours.

import { median } from '@gradsim/base';
import type { Model, Simulation } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { benchOptions, least, print, timesMs } from './support/options.ts';
import { RATE, sheets } from './support/sheets.ts';

const options = await benchOptions(['runs', 'substeps', 'most']);
const { device } = options;
const runs = options.number('runs', 5);
const substeps = options.number('substeps', 64);
/** Number of substeps between two searches for contact neighbours. */
const REFRESH = 16;

async function open(model: Model, withGradient: boolean): Promise<Simulation> {
  const outputs = ['particles.position'];
  const wanted = withGradient ? { parameters: outputs, outputs } : {};
  return createSimulation(model, { device, frames: 2, frameRate: RATE / substeps, substeps, ...wanted });
}

/** Measures the time of a forward substep, ms, once per run. */
async function forwardMs(model: Model): Promise<number[]> {
  const simulation = await open(model, false);
  const times = await timesMs(runs, 1, async () => {
    simulation.forward();
    await simulation.read('particles.position');
  });
  simulation.dispose();
  return times.map((time) => time / substeps);
}

/** Measures the time of a backward substep, ms, once per run. */
async function backwardMs(model: Model): Promise<number[]> {
  const simulation = await open(model, true);
  simulation.forward();
  const seed = new Float64Array(3 * model.domain('particles').size).fill(1);
  const times = await timesMs(runs, 1, async () => {
    simulation.backward({ 'particles.position': seed });
    await simulation.gradient('particles.position');
  });
  simulation.dispose();
  return times.map((time) => time / substeps);
}

for (let cells = 16; 4 * cells * cells <= options.number('most', 16384); cells *= 2) {
  const bare = await forwardMs(sheets(cells, null));
  const often = await forwardMs(sheets(cells, 1));
  const seldom = await forwardMs(sheets(cells, REFRESH));
  const back = await backwardMs(sheets(cells, REFRESH));
  const of = (pick: (times: readonly number[]) => number) => ({
    withoutContact: pick(bare),
    forward: pick(seldom),
    backward: pick(back),
    search: (pick(often) - pick(seldom)) / (1 - 1 / REFRESH),
  });
  print({
    bench: 'cloth-contact',
    device: device.kind,
    triangles: 4 * cells * cells,
    refresh: REFRESH,
    medianMs: of(median),
    leastMs: of(least),
  });
}
