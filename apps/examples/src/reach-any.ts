import { defineExperiment } from '@gradsim/optim';
import { REACH_SETTINGS, reachMotion, reachStages } from './control/reach-any/stages.ts';

/** The experiment `reach-any` of [control](../../../docs/guide/control.md). */
export default defineExperiment({
  name: 'reach-any',
  description: 'One controller of a soft gear, which rolls to wherever an image shows it.',
  settings: REACH_SETTINGS,
  film: 'own',
  stages: reachStages,
  motion: reachMotion,
});
