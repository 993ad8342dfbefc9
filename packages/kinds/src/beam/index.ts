import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const beam = defineKind({
  name: 'beam',
  version: 3,
  title: 'A beam swings',
  finds: "Young's modulus and the damping of a beam that is clamped at one end and swings, from a film of it",
  answers: ["Young's modulus", 'damping ratio'],
  meaning: {
    "Young's modulus": 'how stiff the material of the beam is',
    'damping ratio': 'how fast its swings become smaller',
  },
  motions: { bobs: 'long' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
