import { buildModel, createSimulation, f64Device, recordOf } from '@gradsim/core';
import { expect, it } from 'vitest';
import { Mote, toyScene, wave } from '../toy.ts';

const RUN = { device: f64Device(), frames: 4, frameRate: 10, substeps: 3 };
const model = buildModel(toyScene().scene);
const values = { 'world.wind': wave(3 * 9), 'motes.gust': wave(16, 2), 'world.tint': wave(4, 3) };

it('recordOf returns a field in every frame for given values, by reference or key', async () => {
  const simulation = await createSimulation(model, { ...RUN, record: [Mote.position] });
  for (const [key, given] of Object.entries(values)) simulation.set(key, given);
  simulation.forward();
  const expected = await simulation.readFrames(Mote.position);
  simulation.dispose();
  expect(expected).toHaveLength(4 * 4 * 3);
  expect(await recordOf(model, Mote.position, { ...RUN, values })).toEqual(expected);
  expect(await recordOf(model, 'motes.position', { ...RUN, values })).toEqual(expected);
});

it('recordOf refuses values of an unknown field, and a field that cannot be recorded', async () => {
  await expect(recordOf(model, Mote.position, { ...RUN, values: { 'motes.sped': [1] } })).rejects.toThrowCode({
    code: 'core/unknown-field',
    field: 'motes.sped',
  });
  await expect(recordOf(model, Mote.mass, { ...RUN, values })).rejects.toThrowCode({
    code: 'core/not-recordable',
    field: 'motes.mass',
  });
});
