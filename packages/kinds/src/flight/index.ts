import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const flight = defineKind({
  name: 'flight',
  version: 2,
  title: 'A ball falls or flies',
  finds: 'gravity, the drag of the air, and how a ball was thrown or dropped, from a film of its flight',
  answers: ['gravity', 'drag'],
  meaning: {
    gravity: 'the acceleration of free fall where the film was made',
    drag: 'how much the air brakes the ball: 0.01 takes a hundredth of its speed on each metre',
  },
  candidates: [
    { words: 'throw it up faster, by 0.5 m/s', change: { values: (v) => ({ 'velocity y': v['velocity y'] + 0.5 }) } },
  ],
  marked: 'such as a metre rule in the plane in which the ball flies, or the ball itself from side to side',
  moving: 'bodies.position',
  drawing: `
    <path class="ground" d="M6 84H154"/>
    <path class="path" d="M14 66C50 -6 96 -6 138 66"/>
    <circle class="thing" cx="104" cy="22" r="12"/>
    <path class="length" d="M104 22L115 17"/>
    <text x="156" y="30" text-anchor="end">radius</text>`,
  note: 'Position and velocity are those at the first frame that counts, y upwards, in the axes in which the camera was placed; of one that was not, from the camera, which looks along -z. The flight alone is compared, up to the first bounce.',
  motions: { flies: 'any', 'falls slowly': 'other' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
