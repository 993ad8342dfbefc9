import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const chain = defineKind({
  name: 'chain',
  version: 1,
  title: 'A chain, string or cloth swings',
  finds:
    'gravity, or the length, and the damping of a chain, a string or a strip of cloth that hangs from one end and swings, from a film of it',
  answers: ['gravity', 'length', 'damping'],
  meaning: {
    gravity: 'the acceleration of free fall where the film was made',
    length: 'how long it is, from where it hangs to its free end',
    damping: 'how fast its swings become smaller',
  },
  marked: 'such as the chain itself, from end to end, where it hangs still',
  moving: 'world.lineMiddle',
  drawing: `
    <path class="ground" d="M50 8H110"/>
    <path class="path" d="M36 72A66 66 0 0 0 124 72"/>
    <path class="thing" fill="none" stroke-width="4" d="M80 8C84 32 100 48 116 70"/>
    <path class="length" d="M80 8C84 32 100 48 116 70"/>
    <text x="104" y="34">length</text>`,
  note: 'It bends freely, as a chain does. Of a length l it has swings of many shapes, of angular frequencies w = 1.2024, 2.7600, 4.3269 ... times the root of g / l, halves of the zeros of the Bessel function J0, a little lower where it swings far; a rod would have 1.2247. All become smaller as exp(-c t), with c the damping. Swing 1, 2 and 3 are the angles from straight down, as its free end is seen from where it hangs, that each shape has at the first frame that counts.',
  motions: { swings: 'bends' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
