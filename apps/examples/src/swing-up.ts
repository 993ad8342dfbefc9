import { defineExperiment } from '@gradsim/optim';
import { SWING_SETTINGS, swingMotion, swingStages } from './control/swing/stages.ts';

/** The experiment `swing-up` of [control](../../../docs/guide/control.md). */
export default defineExperiment({
  name: 'swing-up',
  description: 'A network learns to swing a double pendulum up, and to hold it there.',
  settings: SWING_SETTINGS,
  film: 'own',
  stages: swingStages,
  motion: swingMotion,
});
