import type { Measured } from './pendulum.ts';

/** Measurements of film and scene: fill them in, and leave null what you do not know. */
export const measured: Measured = {
  /** The film: a file, or a folder of pictures. */
  video: './swing.mp4',
  /** Background: a picture of the scene without moving things. */
  background: null,
  /** The first frame that counts, from 0. */
  first: null,
  /** The last frame that counts. */
  last: null,
  /** Frames that are not compared, by their numbers. */
  without: null,
  /** Strokes of a brush over the masks, as in "ignore all r20 212,140 215,150; add 12-14 r4 88,90": what it does, frames, radius and points, px. */
  retouch: null,
  /** Frames a second at which the film was taken; null for those that the file states. */
  frameRate: null,
  /** Clock of the file: wrong if it plays at another rate than the film was taken at, as slow motion does. */
  clock: 'right',
  /** Clockwise rotation that brings the pictures upright, degrees, if the file does not state it. */
  upright: '0',
  /** Pixels of a large film: enough for what is measured, or all; pictures in which the thing is large are reduced otherwise. */
  pixels: 'enough',
  /** Chroma position: left in films of cameras, centre in films that a program such as ffmpeg made of pictures. */
  chroma: 'left',
  /** yes for a hand-held camera: its movement is undone by the background. */
  steady: 'no',
  /** Track of the thing, by its number in gradsim look; null: the one that moves as this kind does. */
  track: null,
  /** Length from the pivot to the ball's centre, m; null if a length is marked, and nobody measured it. */
  length: 0.7,
  /** Radius of the ball, m; null if a length is marked, and nobody measured it. */
  radius: 0.04,
  /** Gravity, m/s^2, if known; null to estimate it. */
  gravity: null,
  /** Position of the pivot, m, if the camera is known: then wrong lengths are detected. */
  pivot: null,
  /** Two ends of a length in the plane of the motion, as of a ruler, marked in the film: x, y of each, px. */
  ends: null,
  /** Distance between the marked ends, m. */
  span: null,
  /** Camera file of gradsim calibrate or of another tool: the lens, and possibly the position. */
  camera: null,
  /** Upward axis of that file's world, if another tool placed the camera and it is not y. */
  up: null,
  /** Vertical field of view of the camera, degrees; null if its file has it, or nobody knows it: then 45, with a tolerance from 35 to 64. */
  fieldOfView: null,
  /** Position of the camera, m, y upwards; the floor is y = 0. */
  eye: null,
  /** A point in the middle of its picture, m. */
  target: null,
  /** Standard deviation of measured lengths, as a part of each: 0.01 is 1 %, 0 exact. */
  lengthTolerance: 0.01,
  /** Standard deviation of measured angles, degrees; 0 of exact ones. */
  angleTolerance: 2,
};
