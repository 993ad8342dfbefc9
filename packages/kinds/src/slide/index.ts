import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const slide = defineKind({
  name: 'slide',
  version: 3,
  title: 'A box slides',
  finds: 'the friction of a box that slides down an incline, and its speed, from a film of it',
  answers: ['friction'],
  meaning: { friction: 'the force that brakes the box, as a part of the force that presses it on' },
  moving: 'bodies.position',
  drawing: `
    <path class="ground" d="M10 20L150 80H10"/>
    <path class="path" d="M34 18L112 52"/>
    <g transform="translate(58 29) rotate(23.2)">
      <rect class="thing" x="-14" y="-8" width="28" height="16"/>
      <path class="length" d="M-14 -13H14"/>
    </g>
    <text x="66" y="16">size</text>
    <path class="length" d="M116 80A34 34 0 0 1 119 66"/>
    <text x="88" y="76">angle</text>`,
  motions: { 'runs along a line': 'long' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
