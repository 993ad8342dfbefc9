import { createSimulation, f32, f64Device, kernel, Model } from '@gradsim/core';
import { kickDuration, motionToState, pressureOf } from '@gradsim/dynamics';
import { expect, it } from 'vitest';

// The motion that led to a state took the substep before it; forces there act from the middle of that substep to the
// middle of the next.
it('the first substep of a frame with another duration follows one of the frame before', async () => {
  const note = kernel('note', { domain: 'notes', writes: { lead: f32, atEnd: f32, kick: f32 } }, (_, moment) => ({
    lead: motionToState(moment).time,
    atEnd: motionToState(moment, 'before').time,
    kick: kickDuration(moment),
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

// In the first substep of a touch of length L = C / moved + 1/2: f = ke moved L^2 / 2 + kd |v| L. Without damping p is
// exactly 0 where the touch begins, a tie of max(0, p), and both sides have these derivatives.
it('the derivative by the damping is that of the closed form at no damping, too', async () => {
  const [ke, speed, C] = [50, 2, 0.6];
  const press = kernel(
    'press',
    { domain: 'points', reads: { penetration: f32, kd: f32 }, writes: { force: f32 } },
    ({ penetration, kd }) => ({
      force: pressureOf(
        { penetration, leaving: f32(-speed), ke: f32(ke), kd },
        { time: f32(1), isAtEnd: false, tolerance: f32(0) },
      ).force,
    }),
  );
  const model = new Model();
  model.addDomain('points', 1);
  model.addField('points', 'penetration', f32, { fill: C });
  model.addField('points', 'kd', f32, { fill: 0 });
  model.addPass('observe', press);
  const simulation = await createSimulation(model, {
    device: f64Device(),
    frames: 1,
    frameRate: 1,
    substeps: 1,
    parameters: ['points.penetration', 'points.kd'],
    record: ['points.force'],
    outputs: ['points.force'],
  });
  simulation.forward();
  simulation.backward({ 'points.force': [1] });
  const length = C / speed + 0.5;
  expect((await simulation.readFrames('points.force'))[0]).toBeCloseTo((ke * speed * length ** 2) / 2, 12);
  expect((await simulation.gradient('points.kd'))[0]).toBeCloseTo(speed * length, 12);
  expect((await simulation.gradient('points.penetration'))[0]).toBeCloseTo(ke * length, 12);
  simulation.dispose();
});
