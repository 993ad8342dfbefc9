import { defineKind } from '@gradsim/kinds/define';
import type { NamedValues } from '@gradsim/optim';
import { measures } from './measures.ts';

export const spring = defineKind({
  name: 'spring',
  version: 2,
  title: 'A ball bobs on a spring',
  finds:
    'the stiffness of a spring, or the mass on it, and the damping of a ball that bobs up and down, from a film of it',
  answers: ['stiffness', 'mass', 'stiffness over mass', 'damping'],
  meaning: {
    stiffness: 'the force that lengthens the spring by a metre',
    mass: 'the mass of what hangs on the spring',
    'stiffness over mass': 'the square of the angular frequency: weigh the ball, and the stiffness follows',
    damping: 'how fast its swings become smaller',
  },
  // The spring is no part of the ball.
  mask: { thin: false },
  marked: 'such as a metre rule beside the spring',
  candidates: [
    {
      words: 'hang twice the mass on it',
      change: { values: (v): NamedValues => (Object.hasOwn(v, 'mass') ? { mass: 2 * v.mass } : {}) },
    },
    {
      words: 'pull it half as far again',
      change: { values: (v) => ({ displacement: 1.5 * v.displacement, rate: 1.5 * v.rate }) },
    },
  ],
  moving: 'links.position',
  drawing: `
    <path class="ground" d="M50 6H110"/>
    <path class="path" d="M104 34V80"/>
    <path class="length" d="M80 6L88 10L72 16L88 22L72 28L88 34L80 38V44"/>
    <circle class="thing" cx="80" cy="56" r="12"/>
    <text x="64" y="60" text-anchor="end">mass</text>
    <text x="64" y="26" text-anchor="end">stiffness</text>`,
  note: "The height y above the place of rest follows m y'' = -k y - 2 c m y', with m the mass of the ball and a third of the spring's, so that amplitudes decay as exp(-c t). Gravity only shifts the place at which it rests. A film shows k / m: of stiffness and mass one must be measured for the other to be found.",
  motions: { bobs: 'any' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
