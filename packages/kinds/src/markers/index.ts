import { defineKind } from '@gradsim/kinds/define';
import { measures } from './measures.ts';

export const markers = defineKind({
  name: 'markers',
  version: 1,
  title: 'A soft body with markers swings',
  finds: "Young's modulus and the damping of a soft body that is clamped, held and let go, from markers on it",
  answers: ['youngsModulus'],
  meaning: { youngsModulus: 'how stiff the material is' },
  measures,
  stages: async (measured, context) => (await import('./stages.ts')).stages(measured, context),
});
