import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const pendulum = defineKind({
  name: 'pendulum',
  version: 2,
  title: 'A pendulum swings',
  finds: 'gravity and the damping of a ball that swings at a light rod or string, from a film of it',
  answers: ['gravity', 'damping'],
  meaning: {
    gravity: 'the acceleration of free fall where the film was made',
    damping: 'how fast its swings become smaller',
  },
  candidates: [
    {
      words: 'let it swing half as far again',
      change: { values: ({ angle, rate }) => ({ angle: 1.5 * angle, rate: 1.5 * rate }) },
    },
  ],
  // Its rod or string is no part of the ball.
  mask: { thin: false },
  marked: "such as the string itself, from its pivot to the ball's centre, or a metre rule beside it",
  turns: true,
  moving: 'links.position',
  drawing: `
    <path class="ground" d="M50 8H110"/>
    <path class="path" d="M32 58A62 62 0 0 0 128 58"/>
    <path class="length" d="M80 8L112 62"/>
    <circle class="thing" cx="112" cy="62" r="11"/>
    <text x="102" y="34">length</text>
    <text x="156" y="86" text-anchor="end">radius</text>`,
  note: "Its swings become smaller as exp(-c t), with c the damping: the angle follows theta'' = -w^2 sin theta - 2 c theta'. Angle and rate are those at the first frame that counts, from straight down.",
  motions: { swings: 'any' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
