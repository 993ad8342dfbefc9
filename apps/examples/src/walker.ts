import { defineExperiment } from '@gradsim/optim';
import { controlMotion, controlSettings, controlStages } from './control/stages.ts';

/** The experiment `walker` of [control](../../../docs/guide/control.md). */
export default defineExperiment({
  name: 'walker',
  description: 'A flat walker of 104 driven triangles walks to where one image shows it.',
  settings: controlSettings('walker'),
  film: 'own',
  stages: (context) => controlStages('walker', context),
  motion: (context) => controlMotion('walker', context),
});
