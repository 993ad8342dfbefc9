import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const rod = defineKind({
  name: 'rod',
  version: 2,
  title: 'A rod or plate swings',
  finds:
    'the inertia of a rod or plate that swings about a pivot, or gravity by it, and the damping, from a film of it',
  answers: ['radius of gyration', 'gravity', 'damping'],
  meaning: {
    'radius of gyration': 'the radius of a ring of the same mass that is as hard to turn about its middle',
    gravity: 'the acceleration of free fall where the film was made',
    damping: 'how fast its swings become smaller',
  },
  marked: 'such as the rod itself, from end to end, where it hangs still',
  turns: true,
  moving: 'links.position',
  drawing: `
    <path class="ground" d="M56 8H104"/>
    <path class="path" d="M36 64A62 62 0 0 0 124 64"/>
    <path class="thing" d="M76 10L84 6L124 72L116 76Z"/>
    <path class="length" d="M80 8L100 41"/>
    <text x="98" y="24">length</text>`,
  note: 'The angle from straight down follows (l^2 + k^2) a" = -g l sin a, less damping, with l the length to the centre of mass and k the radius of gyration about it: the inertia about the pivot over the mass is l^2 + k^2. Amplitudes decay as exp(-c t), with c the damping. Angle and rate are those at the first frame that counts.',
  motions: { swings: 'long' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
