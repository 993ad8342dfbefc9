import { defineExperiment } from '@gradsim/optim';
import { controlMotion, controlSettings, controlStages } from './control/stages.ts';

/** The experiment `cloth-throw` of [control](../../../docs/guide/control.md). */
export default defineExperiment({
  name: 'cloth-throw',
  description: 'A sheet is thrown so that it comes to where one image shows it.',
  settings: controlSettings('cloth-throw'),
  film: 'own',
  stages: (context) => controlStages('cloth-throw', context),
  motion: (context) => controlMotion('cloth-throw', context),
});
