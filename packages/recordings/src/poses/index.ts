export type { FreeFlight, FreeFlightOptions } from './flight.ts';
export { startOfFreeFlight } from './flight.ts';
export type { Pose, Poses, Quaternion, Vector } from './poses.ts';
export { timelineOf } from './poses.ts';
export type { PoseNoise, PoseOptions, StartUnknowns } from './problem.ts';
export { observedPoses, startUnknowns } from './problem.ts';
export type { ReadPosesOptions } from './read-poses.ts';
export { readPoses } from './read-poses.ts';
