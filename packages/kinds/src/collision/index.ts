import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const collision = defineKind({
  name: 'collision',
  version: 2,
  title: 'Two things collide',
  finds:
    'the restitution and the ratio of the masses of two balls or carts that collide, their speeds, momentum and energy, from a film of them',
  answers: ['restitution', 'mass ratio', 'mass of the second', 'energy kept'],
  meaning: {
    restitution:
      'the part of the speed of approach with which they part: 1 of a perfect bounce, 0 where they stick together',
    'mass ratio': 'the mass of the second over the mass of the first, which is the faster one before they touch',
    'mass of the second': 'the mass of the one that is slower before they touch',
    'energy kept': 'the part of the energy of motion that is left after they touched',
  },
  isShown: async (film) => (await import('./shown.ts')).isCollision(film),
  // Dark wheels look like shadows.
  mask: { shadows: false },
  marked: 'such as a metre rule along the track, or one of the two from end to end',
  moving: 'colliders.position',
  drawing: `
    <path class="ground" d="M6 70H154"/>
    <path class="path" d="M20 34H62"/>
    <circle class="thing" cx="50" cy="54" r="15"/>
    <circle class="thing" cx="92" cy="58" r="11"/>
    <path class="length" d="M14 80H146"/>
    <text x="42" y="28" text-anchor="middle">v</text>`,
  note: 'Each moves straight, braked by its own friction, before and after one moment in which they touch; there both get the same impulse against each other, so that momentum is conserved, and part with e times the speed of their approach. First is the faster one before. From the side, speeds are positive in the direction in which the first moves before. What turns has energy of its own, which is not counted.',
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
