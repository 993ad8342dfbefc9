export { addActuators } from './actuators.ts';
export { withFixedJoints } from './fixed-joints.ts';
export { isWithoutTorque } from './logs/adequacy/no-torque.ts';
export type { Stretch } from './logs/adequacy/stretches.ts';
export type { Trial } from './logs/adequacy/trials.ts';
export type {
  ForetoldTorques,
  Identification,
  Identified,
  IdentifiedCombination,
  IdentifyOptions,
} from './logs/identification.ts';
export type { ForetellOptions } from './logs/identify.ts';
export { foretellTorques, identifyRobot, ratiosOfFreeSwings } from './logs/identify.ts';
export { loggedJoints } from './logs/joint-columns.ts';
export type { JointLog } from './logs/joint-log.ts';
export { readJointLog, unloggedJoints } from './logs/joint-log.ts';
export type { Spikes } from './logs/spikes.ts';
export { calibrationJson, writeCalibrated } from './logs/write-numbers.ts';
export type { ReadFile } from './mesh-files.ts';
export { readMjcf } from './mjcf/mjcf.ts';
export type { Actuator, LinkValues, Mimic, Robot, RobotLink, RobotOptions, RobotPlace } from './robot.ts';
export { addRobot, refuseMimics } from './robot.ts';
export { readUrdf } from './urdf.ts';
