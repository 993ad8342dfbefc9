export {
  defineStudy,
  type EstimatedParameter,
  type EstimatedStage,
  type Settings,
  type Study,
  type Summary,
  type TrialContext,
  type TrialEstimateOptions,
  type Trials,
} from './define.ts';
export { type FileSettings, filesOf } from './files-of.ts';
export { grid, seeds } from './grid.ts';
export { latinHypercube, type SettingRange } from './latin-hypercube.ts';
