import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const filter = defineKind({
  name: 'filter',
  version: 1,
  title: 'A coffee filter falls',
  finds: 'the terminal speed of a coffee filter, or of another light thing, that falls in air, from a film of it',
  answers: ['terminal speed'],
  meaning: {
    'terminal speed': 'the speed at which the air brakes it as much as gravity pulls, so that it falls no faster',
  },
  marked: 'such as a metre rule that stands where it falls',
  moving: 'bodies.position',
  drawing: `
    <path class="ground" d="M6 84H154"/>
    <path class="path" d="M80 8V62"/>
    <path class="thing" d="M56 36H104L94 50H66Z"/>
    <path class="length" d="M136 10V80"/>
    <text x="128" y="48" text-anchor="end">v</text>`,
  note: 'Air brakes as the square of the speed: drag is g / v^2, with v the terminal speed, so that a stack of n equal filters, n times as heavy, comes to the root of n times that speed. Heights alone are compared, since it sways. Height and speed are those at the first frame that counts, at which it must have been let go.',
  motions: { 'falls slowly': 'any' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
