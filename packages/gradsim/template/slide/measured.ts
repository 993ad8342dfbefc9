import type { Measured } from './slide.ts';

/** What was measured beforehand; null where it is not known. */
export const measured: Measured = {
  /** The film: a file, or a folder of pictures. */
  video: './slide.mp4',
  /** A picture of the scene without what moves. */
  background: null,
  /** The first frame that counts, from 0. */
  first: null,
  /** The last frame that counts. */
  last: null,
  /** Frames a second, where the film does not tell or is slowed down. */
  frameRate: null,
  /** Where colours lie: left as cameras have them, centre in films that a program such as ffmpeg made of pictures. */
  chroma: 'left',
  /** yes where the camera was held by hand: its movement is undone by the background. */
  steady: 'no',
  /** Which of what moves in the film, by its number in gradsim look; null: what moves as this kind does. */
  track: null,
  /** Of the box, m: along the incline, away from it, and across. */
  size: [0.14, 0.08, 0.1],
  /** Of the incline, degrees. */
  angle: 25,
  /** A point of the incline, m. */
  point: [0, 0, 0],
  /** In m/s^2. */
  gravity: 9.81,
  /** The camera's file, of gradsim calibrate or of another tool, which says how it sees, and may say where it stands. */
  camera: null,
  /** Which axis of that file's world goes up, where the camera's place is of another tool and it is not y. */
  up: null,
  /** Of the camera, from the bottom to the top of the picture, degrees; null where its file tells it. */
  fieldOfView: 45,
  /** Where the camera is, m, y upwards; the floor is y = 0. */
  eye: [0.1, 0.75, 2.2],
  /** A point in the middle of its picture, m. */
  target: [0, 0.02, 0],
  /** Standard deviation of measured lengths, as a part of each: 0.01 is 1 %, 0 exact. */
  lengthTolerance: 0.01,
  /** Standard deviation of measured angles, degrees; 0 of exact ones. */
  angleTolerance: 2,
};
