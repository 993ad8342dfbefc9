export type { Descent } from './descent.ts';
export { estimate } from './estimate.ts';
export type {
  Experiment,
  ExperimentContext,
  GoalCurve,
  RenderedFrames,
  Run,
  Stage,
  Strip,
} from './experiment.ts';
export { defineExperiment } from './experiment.ts';
export type { GoalSpec, GoalVerdict } from './goal.ts';
export type { Journal } from './journal.ts';
export type { LbfgsOptions } from './lbfgs.ts';
export { lbfgs } from './lbfgs.ts';
export type { FieldLoss, FunctionLoss, Loss, LossRun, LossValue } from './loss.ts';
export { lossOf } from './loss.ts';
export type { DerivedSpec, NamedValues } from './named.ts';
export type { FrameChoice, Observation } from './observation.ts';
export { chosenFrames } from './observation.ts';
export type { Applied, AppliedAsync, OperationOptions } from './operation.ts';
export { createOperation, Operation } from './operation.ts';
export type { Optimizer } from './optimizers.ts';
export { adam, sgd } from './optimizers.ts';
export type { EstimateOptions, Method } from './options.ts';
export { ESTIMATE_DEFAULTS } from './options.ts';
export type { ArraySpec, Coordinate, ParameterSpec, Transform } from './parameter.ts';
export { coordinateOf } from './parameter.ts';
export type { OutputSpec } from './ports.ts';
export type { Check, Problem } from './problem.ts';
export { randomNumbers } from './random.ts';
export type { RegulariserOptions } from './regularisers.ts';
export { smoothOverTime, towards } from './regularisers.ts';
export type {
  ArrayEstimate,
  Current,
  DerivedEstimate,
  DeterminedBy,
  Estimate,
  EstimateControls,
  Finding,
  Fit,
  Iteration,
  ObservationFit,
  ParameterEstimate,
  UndeterminedDirection,
  Unmoved,
  Verdict,
  Verification,
} from './result.ts';
export { EstimateError } from './result.ts';
export { rotationBetween } from './rotation.ts';
export type { EdgeLengthOptions } from './surface/edge-lengths.ts';
export { edgeLengths } from './surface/edge-lengths.ts';
export { laplacian } from './surface/laplacian.ts';
export { normalConsistency } from './surface/normal-consistency.ts';
export type { SmoothModesOptions } from './surface/smooth-modes.ts';
export { smoothModes } from './surface/smooth-modes.ts';
export type { TieSpec } from './tie.ts';
export type { Recording, SharedEstimate, TogetherEstimate, TogetherOptions } from './together.ts';
export { estimateTogether } from './together.ts';
export type { MakeProblem, ProblemContext } from './worker/define-problem.ts';
export { defineProblem } from './worker/define-problem.ts';
export type { NodeWorker, PageWorker, PageWorkerError, WorkerEntry } from './worker/entry.ts';
export type { WorkerOptions } from './worker/estimate-in-worker.ts';
export { estimateInWorker } from './worker/estimate-in-worker.ts';
export type { WorkerStage } from './worker/messages.ts';
export type { WorkerProgress } from './worker/progress-log.ts';
export type { Worlds } from './worlds.ts';
