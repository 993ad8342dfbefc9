import { defineExperiment } from '@gradsim/optim';
import { controlMotion, controlSettings, controlStages } from './control/stages.ts';

/** The experiment `gear` of [control](../../../docs/guide/control.md). */
export default defineExperiment({
  name: 'gear',
  description: 'A soft gear of 1152 driven tetrahedra rolls to where one image shows it.',
  settings: controlSettings('gear'),
  film: 'own',
  stages: (context) => controlStages('gear', context),
  motion: (context) => controlMotion('gear', context),
});
