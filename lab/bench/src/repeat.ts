// Whether a run can be repeated: states, pictures and gradients of a second run, and of one compiled anew, against those
// of the first, bit for bit.
import type { Model, Simulation, SimulationOptions } from '@gradsim/core';
import { createSimulation } from '@gradsim/core';
import { randomToss, TOSS_TIMELINE, tossModel } from '@gradsim/examples';
import { randomNumbers } from '@gradsim/optim';
import { sameBits } from './support/bits.ts';
import { benchOptions, print } from './support/options.ts';
import { TOSSED, tossedBoxes, tossedSeeds } from './support/tossed-box.ts';

interface Repeated extends Omit<SimulationOptions, 'device'> {
  readonly frames: number;
  readonly model: Model;
  readonly parameters: readonly string[];
  readonly seeds: (picture: Float64Array | null) => Record<string, ArrayLike<number>>;
}

// Compiled anew means by this process.
process.env.GRADSIM_CACHE = 'off';
const options = await benchOptions(['boxes', 'size', 'seed']);
const { device } = options;
const boxes = options.number('boxes', 50);
const toss = randomToss(randomNumbers(options.number('seed', 1)), 'sphere', options.number('size', 64));

const scenes: Record<string, Repeated> = {
  boxes: { model: tossedBoxes(boxes), ...TOSSED, frames: 31, substeps: 32, seeds: () => tossedSeeds(boxes) },
  // A budget that states do not fit in, so that they are made again on the way back.
  checkpoints: {
    model: tossedBoxes(boxes),
    ...TOSSED,
    frames: 31,
    substeps: 32,
    memory: 4e6,
    seeds: () => tossedSeeds(boxes),
  },
  video: {
    model: tossModel(toss),
    ...TOSS_TIMELINE,
    record: ['pixels.rgba'],
    parameters: ['bodies.mass', 'bodies.velocity', 'bodies.mu', 'faces.albedo', 'cameras.distance', 'lights.direction'],
    seeds: (picture) => ({ 'pixels.rgba': picture!.map((value, k) => value - (k % 7) / 7) }),
  },
};

async function run(simulation: Simulation, scene: Repeated): Promise<Float64Array[]> {
  simulation.forward();
  const picture = scene.record ? await simulation.readFrames(scene.record[0]) : null;
  const all = [
    await simulation.read('bodies.position'),
    await simulation.read('bodies.orientation'),
    ...(picture ? [picture] : []),
  ];
  simulation.backward(scene.seeds(picture));
  for (const key of scene.parameters) all.push(await simulation.gradient(key));
  return all;
}

for (const [name, scene] of Object.entries(scenes)) {
  const simulation = await createSimulation(scene.model, { ...scene, device });
  const first = await run(simulation, scene);
  const again = await run(simulation, scene);
  const anew = await createSimulation(scene.model, { ...scene, device });
  const fresh = await run(anew, scene);
  const same = (others: Float64Array[]): boolean => first.every((values, k) => sameBits(values, others[k]));
  print({
    bench: 'repeat',
    device: device.kind,
    description: device.description,
    scene: name,
    substeps: (scene.frames - 1) * scene.substeps,
    values: first.reduce((sum, v) => sum + v.length, 0),
    identical: same(again) && same(fresh),
    secondRun: same(again),
    compiledAnew: same(fresh),
  });
  simulation.dispose();
  anew.dispose();
}
device.dispose();
