import { defineExperiment } from '@gradsim/optim';
import { SOFT_SETTINGS, softMotion, softStages } from './soft/stages.ts';

/**
 * Estimates the masses of all particles of a block that is released deformed, wobbles and bounces; its elasticity and
 * the contact are known.
 */
export default defineExperiment({
  name: 'soft-mass',
  description: 'The mass of every particle of a soft block that wobbles and falls, from its film.',
  settings: SOFT_SETTINGS,
  film: 'own',
  stages: (context) => softStages('mass', context),
  motion: (context) => softMotion('mass', context),
});
