import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const body = defineKind({
  name: 'body',
  version: 1,
  title: 'A tracked body falls',
  finds:
    'the friction and restitution of a body that falls to the floor, and how it was thrown, from its tracked poses',
  answers: ['restitution', 'mu'],
  meaning: {
    restitution: 'the part of its speed that it keeps at each bounce',
    mu: 'the force that brakes it on the floor, as a part of the force that presses it on',
  },
  motions: { tumbles: 'other', bounces: 'other' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
