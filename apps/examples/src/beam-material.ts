import { defineExperiment } from '@gradsim/optim';
import { SOFT_SETTINGS, softMotion, softStages } from './soft/stages.ts';

/** Estimates mu and lambda of a beam that is clamped at one end and swings under gravity; its density is known. */
export default defineExperiment({
  name: 'beam-material',
  description: 'mu and lambda of a beam that hangs under gravity, from its film.',
  settings: SOFT_SETTINGS,
  film: 'own',
  stages: (context) => softStages('beam', context),
  motion: (context) => softMotion('beam', context),
});
