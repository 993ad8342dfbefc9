import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const ball = defineKind({
  name: 'ball',
  version: 3,
  title: 'A ball bounces',
  finds: 'the restitution of a ball that bounces on the floor, and how it was thrown, from a film of it',
  answers: ['restitution', 'gravity'],
  meaning: {
    restitution: 'the part of its speed that the ball keeps at each bounce',
    gravity: 'the acceleration of free fall where the film was taken',
    drag: 'how much the air brakes the ball: 0.01 takes a hundredth of its speed on each metre',
  },
  candidates: [
    { words: 'throw it up faster, by 0.5 m/s', change: { values: (v) => ({ 'velocity y': v['velocity y'] + 0.5 }) } },
    { words: 'let it start 20 cm higher', change: { values: (v) => ({ 'position y': v['position y'] + 0.2 }) } },
  ],
  marked: 'such as a metre rule that you held where the ball bounces first, or the ball itself from side to side',
  moving: 'bodies.position',
  drawing: `
    <path class="ground" d="M6 80H154"/>
    <path class="path" d="M14 18C34 14 46 40 54 70C64 28 84 28 94 70C102 44 112 44 120 62"/>
    <circle class="thing" cx="120" cy="60" r="13"/>
    <path class="length" d="M120 60L132 56"/>
    <text x="156" y="42" text-anchor="end">radius</text>`,
  note: 'Position and velocity are those at the first frame that counts, y upwards, in the axes in which the camera was placed; of one that was not, from the camera, which looks along -z. Restitution is a ratio of speeds, friction one of forces.',
  motions: { bounces: 'any', flies: 'other' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
