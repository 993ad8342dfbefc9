// What contact of cloth with cloth costs: two sheets that lie on each other, of more and more triangles of one size.
// Milliseconds a substep without and with it, forward and backward, and of one search for neighbours.
import { addCloth, cloth } from '@gradsim/cloth';
import { contact, ParticleContact, surfaceContact } from '@gradsim/contact';
import type { Model, Simulation } from '@gradsim/core';
import { buildModel, createScene, createSimulation } from '@gradsim/core';
import { placeMesh, plane } from '@gradsim/mesh';
import { Gravity, particles } from '@gradsim/particles';
import { benchOptions, least, median, print, timesMs } from './support/options.ts';

const options = await benchOptions(['runs', 'substeps', 'most']);
const { device } = options;
const runs = options.number('runs', 5);
const substeps = options.number('substeps', 64);
const EDGE = 0.02;
/** Substeps from search to search, and how far particles come meanwhile, at most. */
const [REFRESH, TRAVEL] = [16, 0.005];
const RATE = 4000;

function sheets(cells: number, refresh: number | null): Model {
  const search = refresh && surfaceContact({ maxSpeed: (TRAVEL * RATE) / refresh, refresh });
  const scene = createScene([particles(), cloth(), contact(), ...(search ? [search] : [])]);
  for (const k of [0, 1]) {
    const sheet = plane({ size: [EDGE * cells, EDGE * cells], segments: [cells, cells] });
    const mesh = placeMesh(sheet, { translation: [0.35 * EDGE * k, 0.6 * EDGE * k, 0.15 * EDGE * k] });
    const fabric = { mu: 100, lambda: 100, density: 0.2, bendStiffness: 1e-4, velocity: [0, -0.1 * k, 0] };
    const material = { ke: 5, kd: 1e-3, kf: 0.01, mu: 0.3, thickness: 0.35 * EDGE };
    for (const particle of addCloth(scene, mesh, fabric).particles)
      scene.attach(particle, ParticleContact, material);
  }
  scene.add(Gravity, { acceleration: [0, 0, 0] });
  return buildModel(scene);
}

async function open(model: Model, withGradient: boolean): Promise<Simulation> {
  const outputs = ['particles.position'];
  const wanted = withGradient ? { parameters: outputs, outputs } : {};
  return createSimulation(model, { device, frames: 2, frameRate: RATE / substeps, substeps, ...wanted });
}

/** Milliseconds of a substep forward. */
async function forwardMs(model: Model): Promise<number[]> {
  const simulation = await open(model, false);
  const times = await timesMs(runs, 1, async () => {
    simulation.forward();
    await simulation.read('particles.position');
  });
  simulation.dispose();
  return times.map((time) => time / substeps);
}

/** Milliseconds of a substep backward. */
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
