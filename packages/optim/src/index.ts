export { ESTIMATE_DEFAULTS, estimate } from './estimate.ts';
export type {
  Estimate,
  EstimateControls,
  EstimateOptions,
  Experiment,
  ExperimentContext,
  Iteration,
  ParameterEstimate,
  Problem,
  RenderedFrames,
  Stage,
  Strip,
  UndeterminedDirection,
} from './experiment.ts';
export { defineExperiment } from './experiment.ts';
export type { FrameChoice, Observation } from './observation.ts';
export { chosenFrames } from './observation.ts';
export type { Optimizer } from './optimizers.ts';
export { adam, sgd } from './optimizers.ts';
export type { Coordinate, ParameterSpec, Transform } from './parameter.ts';
export { coordinateOf } from './parameter.ts';
export { randomNumbers } from './random.ts';
