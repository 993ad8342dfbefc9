// The flag of `stiff-cloth` by implicit steps of order 1 and 2, so many a second, beside explicit ones that are twice as
// short as the film's: how far particles are elsewhere, root mean square over all frames (`offMm`), and what it takes. A
// line says what 10 percent of each stiffness does, and twice the explicit substep. In doubles unless `--device` says more.
// `--hz 240,480,960,1920`, `--device f64`.
import { createSimulation } from '@gradsim/core';
import type { Fabric, FlagOptions } from '@gradsim/examples/flag/scene';
import { FLAG_TIMELINES, flagModel } from '@gradsim/examples/flag/scene';
import { rendererOf } from '@gradsim/examples/scenes/renderers';
import { benchOptions, print } from './support/options.ts';

const options = await benchOptions(['hz'], 'f64');
const { device } = options;
const rates = options.text('hz', '240,480,960,1920').split(',').map(Number);

const FABRIC: Fabric = { stretch: 5000, bend: 0.01 };
const { frames, frameRate, substeps } = FLAG_TIMELINES.explicit;
const renderer = await rendererOf('dibr');

interface FlagRun {
  readonly positions: Float64Array;
  readonly seconds: number;
}

async function runFlag(
  steps: Pick<FlagOptions, 'steps' | 'order'>,
  hz: number,
  fabric: Fabric = FABRIC,
): Promise<FlagRun> {
  const simulation = await createSimulation(flagModel(fabric, { size: 16, renderer, ...steps }), {
    device,
    frames,
    frameRate,
    substeps: hz / frameRate,
    record: ['particles.position'],
  });
  const began = performance.now();
  simulation.forward();
  const positions = await simulation.readFrames('particles.position');
  const seconds = (performance.now() - began) / 1e3;
  simulation.dispose();
  return { positions, seconds };
}

const rate = 2 * substeps * frameRate;
const explicit = await runFlag({ steps: 'explicit' }, rate);
const meanPositionError = ({ positions }: FlagRun): number =>
  1e3 * Math.sqrt(positions.reduce((sum, x, k) => sum + (x - explicit.positions[k]) ** 2, 0) / (positions.length / 3));
const bench = { bench: 'flag-steps', device: device.kind };
const other = (fabric: Partial<Fabric>): Promise<FlagRun> =>
  runFlag({ steps: 'explicit' }, rate, { ...FABRIC, ...fabric });
print({
  ...bench,
  explicitHz: rate,
  seconds: explicit.seconds,
  coarserMm: meanPositionError(await runFlag({ steps: 'explicit' }, rate / 2)),
  stretchMm: meanPositionError(await other({ stretch: 1.1 * FABRIC.stretch })),
  bendMm: meanPositionError(await other({ bend: 1.1 * FABRIC.bend })),
});
for (const order of [1, 2] as const)
  for (const hz of rates) {
    const run = await runFlag({ steps: 'implicit', order }, hz);
    print({ ...bench, order, hz, offMm: meanPositionError(run), seconds: run.seconds });
  }
device.dispose();
