import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

const CONE = 'angle of the cone';

export const conical = defineKind({
  name: 'conical',
  version: 2,
  title: 'A ball on a string goes round',
  finds: 'gravity, or the length of its string, angle and damping of a ball that goes round, from a film of it',
  answers: ['gravity', 'length', 'angle of the cone', 'angular velocity', 'damping'],
  meaning: {
    gravity: 'the acceleration of free fall where the film was made',
    length: "how long the string is, from its hook to the ball's centre",
    'angle of the cone': 'how far the string leans out from straight down',
    'angular velocity': 'the angle by which the ball goes round in a second, in radians',
    damping: 'how fast its circle becomes smaller',
  },
  candidates: [{ words: 'let it go round in a wider circle', change: { values: (v) => ({ [CONE]: 1.3 * v[CONE] }) } }],
  // The string is no part of the ball.
  mask: { thin: false },
  marked: 'such as the string itself, where it hangs still',
  moving: 'links.position',
  drawing: `
    <path class="ground" d="M50 8H110"/>
    <ellipse class="path" cx="80" cy="64" rx="40" ry="10" fill="none"/>
    <path class="length" d="M80 8L118 60"/>
    <circle class="thing" cx="118" cy="62" r="10"/>
    <text x="106" y="34">length</text>
    <text x="156" y="86" text-anchor="end">radius</text>`,
  note: 'On a circle w^2 l cos a = g, with w the angular velocity, positive anticlockwise from above, l the length and a the angle of the cone. The circle shrinks as exp(-c t), with c the damping. Angles and rates are those at the first frame that counts.',
  motions: { 'goes round': 'any' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
