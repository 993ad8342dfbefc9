import { createSimulation, detach, f32, f64Device, field, kernel, Model } from '@gradsim/core';
import { expect, it } from 'vitest';

const [given, rate, total] = ['given', 'rate', 'total'].map((name) => field('nodes', name, f32));

it('a pass with derivativeOnly gives a value its derivative, and runs without a derivative leave it out', async () => {
  const model = new Model();
  model.addDomain('nodes', 1);
  model.addField(given, { values: [3] });
  model.addField(total, { values: [1] });
  model.addAccumulator(rate);
  // x^2 as a constant, then its derivative, and 1 to show that the pass ran.
  const square = kernel('square', { domain: 'nodes', reads: { given }, adds: { rate } }, (f) =>
    f.rate.add(detach(f.given.mul(f.given))),
  );
  const derivative = kernel('derivative', { domain: 'nodes', reads: { given }, adds: { rate } }, (f) => {
    const x = f.given.mul(f.given);
    f.rate.add(x.sub(detach(x)).add(1));
  });
  const move = kernel('move', { domain: 'nodes', reads: { total, rate }, writes: { total } }, (f, { dt }) => ({
    total: f.total.add(f.rate.mul(dt)),
  }));
  model.addPass('force', square);
  model.addPass('force', derivative, { derivativeOnly: true });
  model.addPass('integrate', move);
  const options = { device: f64Device(), frames: 2, frameRate: 2, substeps: 1 };
  const plain = await createSimulation(model, { ...options, outputs: [total] });
  plain.forward();
  expect(await plain.read(total)).toEqual(Float64Array.of(1 + 9 / 2));
  const derived = await createSimulation(model, { ...options, parameters: [given], outputs: [total] });
  derived.forward();
  expect(await derived.read(total)).toEqual(Float64Array.of(1 + 10 / 2));
  derived.backward({ [total.key]: Float64Array.of(1) });
  expect(await derived.gradient(given)).toEqual(Float64Array.of(6 / 2));
});
