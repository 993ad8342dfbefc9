export { addActuators } from './actuators.ts';
export { addRobot } from './add-robot.ts';
export { refuseLoops, refuseMimics } from './couplings.ts';
export type { JointBounds } from './excitation/bounds.ts';
export type { ForetoldBar } from './excitation/foretold-bars.ts';
export type { Excitation, ExcitationOptions, Minimise } from './excitation/plan.ts';
export { planExcitation } from './excitation/plan.ts';
export type { MotionSamples } from './excitation/series.ts';
export { withFixedJoints } from './fixed-joints.ts';
export { isWithoutTorque } from './logs/adequacy/no-torque.ts';
export type { Stretch } from './logs/adequacy/stretches.ts';
export type { Trial } from './logs/adequacy/trials.ts';
export { axisJoints } from './logs/axis-joints.ts';
export type { DrawOptions } from './logs/calibrated-robot.ts';
export { followers } from './logs/coupling/coupled.ts';
export type { Coverage, JointCoverage, LogCoverage } from './logs/coverage.ts';
export { coverageOf } from './logs/coverage.ts';
export { isaacLabEvents } from './logs/export/isaac-lab.ts';
export { posteriorJson } from './logs/export/posterior.ts';
export type { ParameterRange, RangedParameter } from './logs/export/ranges.ts';
export { rangesOf } from './logs/export/ranges.ts';
export { calibrationJson, writeCalibrated } from './logs/export/write-numbers.ts';
export type { ForetellOptions } from './logs/foretell.ts';
export { foretellTorques } from './logs/foretell.ts';
export type {
  Identification,
  IdentifiedCombination,
  IdentifyOptions,
  PredictedTorques as ForetoldTorques,
} from './logs/identification.ts';
export type { Identified } from './logs/identified.ts';
export { identifyRobot, ratiosOfFreeSwings } from './logs/identify.ts';
export { hasBase } from './logs/reading/base-columns.ts';
export { loggedJoints } from './logs/reading/joint-columns.ts';
export type { JointLog, Payload } from './logs/reading/joint-log.ts';
export { readJointLog, unloggedJoints } from './logs/reading/joint-log.ts';
export type { Spikes } from './logs/reading/spikes.ts';
export { identifyByReplay } from './logs/replay/identify-by-replay.ts';
export type { ReadFile } from './mesh-files.ts';
export { readMjcf } from './mjcf/mjcf.ts';
export type {
  Actuator,
  LinkValues,
  Mimic,
  Robot,
  RobotConstraint,
  RobotLink,
  RobotOptions,
  RobotPlace,
} from './robot.ts';
export { readUrdf } from './urdf.ts';
