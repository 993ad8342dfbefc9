export type { Board } from './board.ts';
export { checkBoard, findBoard } from './board.ts';
export type { BoardView, Calibration, DistortionTerms } from './calibrate.ts';
export { calibrateLens } from './calibrate.ts';
export type { CalibrationRecord, Camera, CameraPose, Distortion, Lens, Point2, Point3 } from './camera.ts';
export {
  cameraFor,
  cameraPosition,
  distort,
  fittedTo,
  onPlane,
  pinholeOf,
  pixelOf,
  projectPoint,
  sightLineOf,
  undistort,
} from './camera.ts';
export type { Up } from './floor.ts';
export { cameraOfLength, poseOverFloor } from './floor.ts';
export type { ReadCameraOptions } from './formats/options.ts';
export { readCamera } from './formats/read.ts';
export type { CameraFormat } from './formats/write.ts';
export { formatCamera } from './formats/write.ts';
export type { GreyPicture } from './grey-picture.ts';
export { poseLookingAt } from './look-at.ts';
export type { BoxCamera, BoxCameraOptions, MarkedCorner } from './marked-box.ts';
export { cameraOfBox, cornersOfBox } from './marked-box.ts';
export type { FoundPose } from './pose.ts';
export { findPose } from './pose.ts';
