import { measuredCamera } from '@gradsim/film';
import { expect, it } from 'vitest';
import { measuredOf } from '../src/index.ts';
import { toss } from '../src/toss/index.ts';
import { tossedBox } from '../src/toss/stages.ts';

it('ties of a tossed box compute from the measured quantities the values that its model has', async () => {
  const texts = { video: 'a.mp4', size: '0.16,0.1,0.06', fieldOfView: '40', eye: '0.1,0.7,2.2', target: '0,0.3,0' };
  const measured = measuredOf(toss, texts) as Parameters<typeof tossedBox>[0];
  const size = { width: 160, height: 120 };
  const film = { size, hasCamera: false } as Parameters<typeof measuredCamera>[0];
  const start = { position: [0, 1, 0], velocity: [0, 0, 0], orientation: [0, 0, 0, 1], angularVelocity: [0, 0, 0] };
  const { model, given, givenTies } = tossedBox(
    measured,
    size,
    await measuredCamera(film, measured),
  )({ ...start, restitution: 0.3, friction: 0.2, gravity: 9.81 });
  const values = Object.fromEntries(given!.map(({ name, value }) => [name, value]));
  expect(givenTies!.length).toBeGreaterThan(0);
  for (const { field, compute } of givenTies!) {
    const made = compute(values);
    const expected = typeof made === 'number' ? [made] : Array.from(made);
    expect(Array.from(model.field(field).values!)).toEqual(expected.map((value) => expect.closeTo(value, 6)));
  }
});
