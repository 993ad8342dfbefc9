export { addActuators } from './actuators.ts';

export type { ReadFile } from './mesh-files.ts';
export { readMjcf } from './mjcf.ts';
export type { Actuator, LinkValues, Robot, RobotLink, RobotOptions, RobotPlace } from './robot.ts';
export { addRobot } from './robot.ts';
export { readUrdf } from './urdf.ts';
