// The adjoint of a loop that needs all that the loop carries, by rounds: nanoseconds a round and an element, least of
// `--runs`. `--most` is the largest number of rounds; each line has four times as many as the one before.
import { createSimulation, f32, f64Device, forRange, kernel, Model, perWorld, sin, u32 } from '@gradsim/core';
import { benchOptions, least, print, timesMs } from './support/options.ts';

const options = await benchOptions(['runs', 'most']);
const runs = options.number('runs', 20);
const most = options.number('most', 16_384);
const elements = 64;

const wander = kernel(
  'wander',
  { domain: 'points', reads: { x: f32, rounds: perWorld(u32) }, writes: { y: f32 } },
  ({ x, rounds }) => ({ y: forRange(0, rounds, x, (_, v) => v.add(sin(v).mul(0.01))) }),
);

for (const device of [options.device, f64Device()]) {
  for (let rounds = 4; rounds <= most; rounds *= 4) {
    const model = new Model();
    model.addDomain('points', elements);
    model.addField('points', 'x', f32, { values: Array.from({ length: elements }, (_, k) => k / elements) });
    model.addField('world', 'rounds', u32, { fill: rounds });
    model.addPass('observe', wander);
    const simulation = await createSimulation(model, {
      device,
      frames: 1,
      frameRate: 1,
      substeps: 1,
      record: ['points.y'],
      parameters: ['points.x'],
    });
    simulation.forward();
    const seeds = { 'points.y': new Array<number>(elements).fill(1) };
    const backward = await timesMs(runs, 3, () => {
      simulation.backward(seeds);
      return simulation.finished();
    });
    const nanoseconds = (least(backward) * 1e6) / (rounds * elements);
    print({ bench: 'loops', device: device.kind, rounds, leastBackwardNsPerRound: nanoseconds });
    simulation.dispose();
  }
}
