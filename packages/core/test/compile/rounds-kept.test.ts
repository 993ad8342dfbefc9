import type { Device } from '@gradsim/core';
import { abs, createSimulation, f32, f64Device, iterate, kernel, Model, perWorld } from '@gradsim/core';
import { expect, it } from 'vitest';
import { compiledOf } from '../../src/tape/simulation.ts';

/**
 * Builds a model that computes y = sqrt(a) by y <- y + (a - y^2) / 20, until the largest change in the world is small:
 * about 80 rounds.
 */
function roots(maxRounds: number): Model {
  const model = new Model();
  model.addDomain('nodes', 3);
  model.addField('nodes', 'a', f32, { values: [2, 3, 5] });
  model.addField('nodes', 'y', f32, { fill: 1 });
  const step = kernel(
    'step',
    { domain: 'nodes', reads: { a: f32, y: f32 }, writes: { y: f32 }, adds: { change: perWorld(f32) } },
    ({ a, y, change }) => {
      const next = y.add(a.sub(y.mul(y)).div(20));
      change.add(abs(next.sub(y)));
      return { y: next };
    },
  );
  model.addPass('integrate', iterate([step], { until: { field: 'change', below: 1e-5 }, maxRounds }));
  return model;
}

/**
 * Returns the gradient of one substep, the number of programs that its backward pass ran, and the number of forward
 * rounds.
 */
async function cost(maxRounds: number, memory: number) {
  let runs = 0;
  const cpu = f64Device();
  const device: Device = {
    ...cpu,
    createExecutor: async (spec) => {
      const executor = await cpu.createExecutor(spec);
      return new Proxy(executor, {
        get: (of, name) => {
          if (name === 'run')
            return (...args: Parameters<typeof of.run>) => {
              runs++;
              of.run(...args);
            };
          const value = Reflect.get(of, name);
          return typeof value === 'function' ? value.bind(of) : value;
        },
      });
    },
  };
  const run = { device, frames: 2, frameRate: 10, substeps: 1, memory };
  const simulation = await createSimulation(roots(maxRounds), {
    ...run,
    parameters: ['nodes.a'],
    outputs: ['nodes.y'],
  });
  runs = 0;
  simulation.forward();
  const forward = runs;
  simulation.backward({ 'nodes.y': [1, 1, 1] });
  const gradient = [...(await simulation.gradient('nodes.a'))];
  const [{ checkpoints }] = compiledOf(simulation).roundsKept.values();
  simulation.dispose();
  return { gradient, forward, runs, checkpoints };
}

it('a gradient with little memory reruns the iterations that were taken, not the allowed maximum', async () => {
  const whole = await cost(200, 1e6);
  expect(whole.checkpoints).toBe(0);
  for (const memory of [1500, 3000, 6000]) {
    const [few, many] = [await cost(200, memory), await cost(100_000, memory)];
    for (const { gradient, forward, checkpoints } of [few, many]) {
      expect(gradient).toEqual(whole.gradient);
      expect(forward).toBe(whole.forward);
      expect(checkpoints).toBeGreaterThan(0);
    }
    expect(many.runs).toBeLessThan(1.5 * few.runs);
  }
});
