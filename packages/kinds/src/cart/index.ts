import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const cart = defineKind({
  name: 'cart',
  version: 3,
  title: 'A cart runs on a track',
  finds: 'the acceleration of a cart, or its friction on a track of known angle, from a film of it',
  answers: ['friction', 'acceleration'],
  meaning: {
    friction: 'the force that brakes the cart, as a part of its weight on the track',
    acceleration:
      'what the cart gains in speed in each second, in the direction in which it moves at first; on a slope, downhill',
  },
  // Dark wheels look like shadows; its own shadow on the track moves as it does.
  mask: { shadows: false },
  marked: 'such as a metre rule along the track at the near side of the cart, or the cart itself from end to end',
  moving: 'links.position',
  drawing: `
    <path class="ground" d="M6 72H154"/>
    <path class="path" d="M22 30H118"/>
    <rect class="thing" x="50" y="42" width="52" height="20"/>
    <circle class="thing" cx="62" cy="66" r="6"/>
    <circle class="thing" cx="90" cy="66" r="6"/>
    <path class="length" d="M14 82H146"/>
    <text x="80" y="24" text-anchor="middle">a</text>`,
  note: 'Without an angle it has one acceleration, in the direction in which it moves at first, and friction as well if it turns back. With an angle a its acceleration downhill is g sin a, less friction times g cos a on its way down, and more by as much on its way up; the turning of wheels is neglected.',
  motions: { 'runs along a line': 'level' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
