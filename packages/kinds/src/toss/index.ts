import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const toss = defineKind({
  name: 'toss',
  version: 3,
  title: 'A box is tossed',
  finds:
    'the restitution and friction of a box that is tossed onto the floor, and how it was tossed, from a film of it',
  answers: ['restitution', 'friction', 'gravity'],
  meaning: {
    restitution: 'the part of its speed that a corner keeps when it hits the floor',
    friction: 'the force that brakes a corner on the floor, as a part of the force that presses it on',
  },
  // A box is convex, even if blur mixes the colours of its sides.
  mask: { convex: true },
  moving: 'bodies.position',
  motions: { tumbles: 'any', bounces: 'long', flies: 'long' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
