// How many simulations a page takes: one after another, and at once; what came of it posted to where the page came from.
import type { Device, DeviceName, Model, Simulation } from '@gradsim/core';
import { buildModel, compile, createScene, createSimulation, f32, kernel, selectDevice } from '@gradsim/core';
import { lattice } from '@gradsim/mesh';
import { particles } from '@gradsim/particles';
import { addSprings, springs } from '@gradsim/springs';

export interface ManySimulationsReport {
  /** Memory of the browser, bytes, after `made` simulations were created and disposed one after another. */
  readonly inTurn: readonly { readonly made: number; readonly bytes: number | null }[];
  /** Number of simulations that existed at the same time, and the browser's memory then, bytes (`bytesAtOnce`). */
  readonly atOnce: number;
  readonly bytesAtOnce: number | null;
  /** Number of kernel programs run, each on a device of its own. */
  readonly programs: number;
  /** Number of results that differed from those of the first simulation. */
  readonly different: number;
  readonly error?: string;
}

const metaTag = (name: string): string => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)!.content;

/** Model of a cube of springs with `cells` cells along each side. */
function block(cells: number): Model {
  const scene = createScene([particles(), springs()]);
  addSprings(scene, lattice({ size: [1, 1, 1], cells: [cells, cells, cells] }), {
    mass: 0.01,
    stiffness: 30,
    damping: 0.01,
    velocity: [0.5, 1, 0],
  });
  return buildModel(scene);
}

const open = (model: Model, device: Device): Promise<Simulation> =>
  createSimulation(model, {
    device,
    frames: 2,
    frameRate: 30,
    substeps: 2,
    parameters: ['particles.velocity'],
    outputs: ['particles.position'],
  });

async function gradientOf(simulation: Simulation): Promise<string> {
  simulation.forward();
  const position = await simulation.read('particles.position');
  simulation.backward({ 'particles.position': position.map((_, k) => k % 3) });
  return String([...(await simulation.gradient('particles.velocity')).subarray(0, 30)]);
}

/** Memory of the browser, bytes, of what is still in use. */
async function browserBytes(): Promise<number | null> {
  (globalThis as { gc?: () => void }).gc!();
  return (await fetch('/memory', { method: 'POST' })).json();
}

async function run(): Promise<ManySimulationsReport> {
  const name = metaTag('device') as DeviceName;
  const model = block(Number(metaTag('cells')));
  const report = {
    inTurn: [] as ManySimulationsReport['inTurn'][number][],
    atOnce: 0,
    bytesAtOnce: null as number | null,
    programs: 0,
    different: 0,
  };
  let first = '';
  const check = (found: string): void => {
    first ||= found;
    if (found !== first) report.different++;
  };
  try {
    const device = await selectDevice(name, { threads: 2 });
    for (let made = 1; made <= Number(metaTag('in-turn')); made++) {
      const simulation = await open(model, device);
      check(await gradientOf(simulation));
      simulation.dispose();
      if (made % 100 === 0) report.inTurn.push({ made, bytes: await browserBytes() });
    }
    const alive: Simulation[] = [];
    for (let k = 0; k < Number(metaTag('at-once')); k++) {
      alive.push(await open(model, device));
      report.atOnce++;
    }
    for (const simulation of alive) check(await gradientOf(simulation));
    report.bytesAtOnce = await browserBytes();
    for (const simulation of alive) simulation.dispose();
    device.dispose();
    report.programs = await programsAtOnce(Number(metaTag('programs')), name);
    return report;
  } catch (error) {
    return { ...report, error: String((error as Error).stack) };
  }
}

async function programsAtOnce(count: number, device: DeviceName): Promise<number> {
  const twice = kernel('twice', { domain: 'points', reads: { x: f32 }, writes: { y: f32 } }, ({ x }) => ({
    y: x.mul(2),
  }));
  const programs = [];
  for (let k = 0; k < count; k++) programs.push(await compile(twice, { sizes: { points: 3 }, device }));
  let right = 0;
  for (const [k, program] of programs.entries()) {
    const { 'points.y': y } = await program.run({ 'points.x': [k, 1, 2] });
    if (y[0] === 2 * k) right++;
  }
  for (const program of programs) program.dispose();
  return right;
}

void run().then((report) => fetch('/report', { method: 'POST', body: JSON.stringify(report) }));
