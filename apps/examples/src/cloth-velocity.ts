import { defineExperiment } from '@gradsim/optim';
import { SOFT_SETTINGS, softMotion, softStages } from './soft/stages.ts';

/** Estimates the initial velocities of a sheet that is thrown into still air; its material, lift and drag are known. */
export default defineExperiment({
  name: 'cloth-velocity',
  description: 'The initial velocity of every particle of a flying sheet, from its film.',
  settings: SOFT_SETTINGS,
  film: 'own',
  stages: (context) => softStages('cloth', context),
  motion: (context) => softMotion('cloth', context),
});
