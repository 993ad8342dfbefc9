// For packages of gradsim: what does not read files, whose libraries take long to load.
export {
  type Camera,
  cameraFor,
  type Distortion,
  distort,
  fittedTo,
  onPlane,
  type Point3,
  pinholeOf,
  undistort,
} from './camera.ts';
export { poseLookingAt } from './look-at.ts';
export { type BoxCamera, cameraOfBox, type MarkedCorner } from './marked-box.ts';
