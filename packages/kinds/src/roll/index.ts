import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const roll = defineKind({
  name: 'roll',
  version: 3,
  title: 'A ball rolls',
  finds: 'the inertia factor of a ball that rolls on an incline, or gravity, or rolling friction, from a film of it',
  answers: ['factor', 'gravity', 'rolling friction', 'acceleration'],
  meaning: {
    factor: 'the inertia of the ball over mass times radius squared: 0.4 of a solid ball, 0.667 of a hollow one',
    gravity: 'the acceleration of free fall where the film was made',
    'rolling friction': 'the force that brakes the ball, as a part of the force that presses it on',
    acceleration: 'what the ball gains in speed downhill in each second, at first',
  },
  marked: 'such as a metre rule along the incline',
  moving: 'links.position',
  drawing: `
    <path class="ground" d="M10 24L150 80H10"/>
    <path class="path" d="M44 22L124 54"/>
    <circle class="thing" cx="66" cy="33" r="13"/>
    <path class="length" d="M66 33L77 26"/>
    <text x="92" y="24">radius</text>
    <path class="length" d="M116 80A34 34 0 0 1 119 68"/>
    <text x="84" y="78">angle</text>`,
  note: "It rolls without slipping: its acceleration downhill is (g sin a - mu g cos a) / (1 + f), with the incline's angle a, rolling friction mu and the factor f. One acceleration tells one of these: what is not looked for is taken from what was measured, and where rolling friction was not, as 0.005 ± 0.005, as of hard balls on hard boards.",
  motions: { 'runs along a line': 'any' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
