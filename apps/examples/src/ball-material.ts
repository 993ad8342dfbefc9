import { defineExperiment } from '@gradsim/optim';
import { SOFT_SETTINGS, softMotion, softStages } from './soft/stages.ts';

/**
 * Estimates mu and lambda of a soft ball that is thrown onto the ground, spins and bounces; density and contact are
 * known.
 */
export default defineExperiment({
  name: 'ball-material',
  description: 'mu and lambda of a soft ball that falls and bounces, from its film.',
  settings: SOFT_SETTINGS,
  film: 'own',
  stages: (context) => softStages('ball', context),
  motion: (context) => softMotion('ball', context),
});
