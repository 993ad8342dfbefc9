import { createSimulation, f32, f64Device, kernel, Model } from '@gradsim/core';
import { kickOf, leadOf } from '@gradsim/dynamics';
import { expect, it } from 'vitest';

// The motion that led to a state took the substep before it; forces there act from the middle of that substep to the
// middle of the next.
it('the first substep of a frame with another duration follows one of the frame before', async () => {
  const note = kernel('note', { domain: 'notes', writes: { lead: f32, atEnd: f32, kick: f32 } }, (_, moment) => ({
    lead: leadOf(moment).time,
    atEnd: leadOf(moment, 'before').time,
    kick: kickOf(moment),
  }));
  const model = new Model();
  model.addDomain('notes', 1);
  for (const name of ['lead', 'atEnd', 'kick']) model.addField('notes', name, f32, { fill: 0 });
  model.addPass('integrate', note);
  const record = ['notes.lead', 'notes.atEnd', 'notes.kick'];
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frameTimes: [0, 0.25, 1, 1.5],
    substeps: 1,
    record,
  });
  simulation.forward();
  const [lead, atEnd, kick] = await Promise.all(record.map((key) => simulation.readFrames(key)));
  expect([...lead.slice(1)]).toEqual([0, 0.25, 0.75]);
  expect([...atEnd.slice(1)]).toEqual([0.25, 0.75, 0.5]);
  expect([...kick.slice(1)]).toEqual([0.25, 0.5, 0.625]);
  simulation.dispose();
});
