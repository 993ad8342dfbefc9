export { filmOf } from './control/film.ts';
export type { PublishedRuns } from './control/published.ts';
export { publishedRuns } from './control/published.ts';
export type { Goal, GoalPicture, Supervision } from './control/reach.ts';
export { errorOf, goalOf, reachProblem } from './control/reach.ts';
export { REACH_DEFAULTS, reachTraining, unseenErrors } from './control/reach-any/train.ts';
export type { Reached } from './control/reached.ts';
export { errorsOfValues, reach } from './control/reached.ts';
export type { ControlName } from './control/stages.ts';
export { CONTROL_TASKS } from './control/stages.ts';
export type { HeldUpright } from './control/swing/held.ts';
export { heldUprightOf } from './control/swing/held.ts';
export type { StoredPolicy } from './control/swing/kept.ts';
export { packWeights, policyFile, storedWeights } from './control/swing/kept.ts';
export type { Weights as PolicyWeights } from './control/swing/pendulum.ts';
export { pendulumModel } from './control/swing/pendulum.ts';
export { SWING_SIGHTS } from './control/swing/stages.ts';
export type { TargetedTask } from './control/targets.ts';
export { targetOf } from './control/targets.ts';
export type { ControlTask } from './control/task.ts';
export type { Landscape, LossCurve } from './landscape/landscapes.ts';
export {
  BEAM_TRUTH,
  beamLandscape,
  beamMapRow,
  massLandscape,
  risesTowardsTruth,
} from './landscape/landscapes.ts';
export { publishedCurves } from './landscape/published.ts';
export { OBJECTS, painted } from './scenes/objects.ts';
export { randomRotation, randomToss } from './scenes/random-toss.ts';
export type { SceneDrawing, SceneRenderer } from './scenes/renderers.ts';
export { RENDERERS, rendererOf } from './scenes/renderers.ts';
export type { ContactMaterial, Toss } from './scenes/tossed.ts';
export { PUSH_SECONDS, TOSS_TIMELINE, tossModel } from './scenes/tossed.ts';
export type { CueDescent, CueOptions } from './shading-cues/descent.ts';
export { CUE_DEFAULTS, cueDescent, MAX_FOUND_ERROR } from './shading-cues/descent.ts';
export type { CueLook } from './shading-cues/thrown.ts';
export { LOOKS } from './shading-cues/thrown.ts';
export type { SmokeControl } from './smoke/control.ts';
export { smokeControlProblem, smokeLoss } from './smoke/control.ts';
export { goalFrom, ringGoal } from './smoke/goal.ts';
export { estimateInstance } from './soft/estimate-instance.ts';
export type { ObservationKind } from './soft/film.ts';
export { OBSERVATION_KINDS, observe } from './soft/film.ts';
export type { SoftInstance } from './soft/instance.ts';
export type { SoftKind } from './soft/kinds.ts';
export { SOFT_KINDS } from './soft/kinds.ts';
