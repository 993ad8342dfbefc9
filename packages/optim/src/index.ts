export { defineExperiment } from './experiment.ts';
export type {
  Estimate, EstimateControls, EstimateOptions, Experiment, ExperimentContext, Iteration, ParameterEstimate, Problem, RenderedFrames, Stage, Strip, UndeterminedDirection,
} from './experiment.ts';
export { chosenFrames } from './observation.ts';
export type { FrameChoice, Observation } from './observation.ts';
export { coordinateOf } from './parameter.ts';
export type { Coordinate, ParameterSpec, Transform } from './parameter.ts';
export { estimate, ESTIMATE_DEFAULTS } from './estimate.ts';
export { adam, sgd } from './optimizers.ts';
export type { Optimizer } from './optimizers.ts';
export { randomNumbers } from './random.ts';
