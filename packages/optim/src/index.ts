export { randomNumbers } from '@gradsim/base';
export type { LbfgsOptions } from './descent/lbfgs.ts';
export { lbfgs } from './descent/lbfgs.ts';
export type { Minimiser } from './descent/minimiser.ts';
export type { Optimizer } from './descent/optimizers.ts';
export { adam, sgd } from './descent/optimizers.ts';
export { estimate } from './estimate.ts';
export type {
  Experiment,
  ExperimentContext,
  ExperimentWithSettings,
  GoalCurve,
  RenderedFrames,
  SettingsContext,
  Stage,
  StagePlan,
  StageShown,
  Strip,
} from './experiment.ts';
export { defineExperiment, picturesOf } from './experiment.ts';
export { infer } from './infer.ts';
export type { DerivedEstimate } from './intervals/derived.ts';
export type { JointPosterior } from './joint/checks.ts';
export type { Recording, SharedEstimate, TogetherEstimate, TogetherOptions } from './joint/together.ts';
export { estimateTogether } from './joint/together.ts';
export { rotationBetween } from './objective/rotation.ts';
export type { Applied, AppliedAsync, OperationOptions } from './operation/operation.ts';
export { createOperation, Operation } from './operation/operation.ts';
export type { OutputSpec } from './operation/ports.ts';
export type { Journal } from './plan/journal.ts';
export type { PlanCandidate, PlanChange } from './planning/change.ts';
export type { ExperimentPlan, PlannedExperiment, PlanOptions, PredictedFrames } from './planning/plan-experiment.ts';
export { planExperiment } from './planning/plan-experiment.ts';
export type { AnyCheck, Check, Maybe, Remark, WithPresent } from './posterior/check.ts';
export { findingsOf, isTrusted } from './posterior/check.ts';
export { defineCheck } from './posterior/define-check.ts';
export type { Departure, Departures } from './posterior/departures.ts';
export type { Finding } from './posterior/finding.ts';
export type { Fit, ObservationFit } from './posterior/fit.ts';
export type { End, Found, Iteration, Point, SearchEnd, Stopped } from './posterior/found.ts';
export type {
  BetterPoint,
  GoalVerdict,
  OtherIntervals,
  Posterior,
  Precision,
  ProfileByValues,
  ReplacedInterval,
  SmoothBeginning,
  Verification,
} from './posterior/posterior.ts';
export type {
  ClockError,
  DeterminedBy,
  ResidualCorrelation,
  Uncertainty,
  UndeterminedDirection,
} from './posterior/uncertainty.ts';
export type { GivenSpec } from './problem/given.ts';
export type { GoalSpec } from './problem/goal.ts';
export type { FieldLoss, FunctionLoss, Loss, LossRun, LossValue } from './problem/loss.ts';
export { lossOf } from './problem/loss.ts';
export type { DerivedSpec, NamedValues } from './problem/named.ts';
export type { FrameChoice, Observation } from './problem/observation.ts';
export type { EstimateOptions, Method, SearchOptions, UncertaintyOptions } from './problem/options.ts';
export type { ArraySpec, Coordinate, ParameterSpec, ScalarPrior, Transform, Usual } from './problem/parameter.ts';
export { parametersOf } from './problem/parameters-of.ts';
export type { Problem } from './problem/problem.ts';
export type { RegulariserOptions } from './problem/regularisers.ts';
export { deviationPenalty, smoothOverTime } from './problem/regularisers.ts';
export type { Run } from './problem/run.ts';
export type { TieSpec } from './problem/tie.ts';
export type { Worlds } from './problem/worlds.ts';
export type {
  ArrayEstimate,
  Current,
  Estimate,
  EstimateControls,
  GivenEstimate,
  ParameterEstimate,
  Unmoved,
} from './result.ts';
export { EstimateError } from './result.ts';
export { runOf } from './run-of.ts';
export { search } from './search.ts';
export type { Setting, SettingValues } from './settings.ts';
export { choiceSetting, numberSetting, textSetting, wholeSetting } from './settings.ts';
export type { EdgeLengthOptions } from './surface/edge-lengths.ts';
export { edgeLengthLoss } from './surface/edge-lengths.ts';
export { laplacian } from './surface/laplacian.ts';
export { normalConsistency } from './surface/normal-consistency.ts';
export type { SmoothModesOptions } from './surface/smooth-modes.ts';
export { smoothModes } from './surface/smooth-modes.ts';
export type { Verdict } from './verdict/assess.ts';
export { assess } from './verdict/assess.ts';
export type { Unseen } from './verdict/unseen.ts';
export { defineProblem } from './worker/define-problem.ts';
export type { NodeWorker, PageWorker, PageWorkerError, WorkerEntry } from './worker/entry.ts';
export type { WorkerOptions } from './worker/estimate-in-worker.ts';
export { estimateInWorker } from './worker/estimate-in-worker.ts';
export type { MakeProblem, ProblemContext } from './worker/make-problem.ts';
export type { WorkerStage } from './worker/messages.ts';
export type { WorkerProgress } from './worker/progress-log.ts';
