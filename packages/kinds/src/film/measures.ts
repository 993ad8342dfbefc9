import type { MeasuredBy, Measures } from '../define/measure.ts';

/** Measures of a film: what is read of it, and how. */
export const filmMeasures = {
  video: { what: 'The film: a file, or a folder of pictures.', type: 'file', option: '--video FILE' },
  background: { what: 'Background: a picture of the scene without moving things.', type: 'file', default: null },
  first: { what: 'The first frame that counts, from 0.', type: 'number', default: null },
  last: { what: 'The last frame that counts.', type: 'number', default: null },
  without: { what: 'Frames that are not compared, by their numbers.', type: 'numbers', default: null },
  retouch: {
    what: 'Strokes of a brush over the masks, as in "ignore all r20 212,140 215,150; add 12-14 r4 88,90": what it does, frames, radius and points, px.',
    type: 'text',
    default: null,
  },
  frameRate: {
    what: 'Frames a second at which the film was taken; null for those that the file states.',
    type: 'positive',
    default: null,
  },
  clock: {
    what: 'Clock of the file: wrong if it plays at another rate than the film was taken at, as slow motion does.',
    type: ['right', 'wrong'],
    default: 'right',
  },
  upright: {
    what: 'Clockwise rotation that brings the pictures upright, degrees, if the file does not state it.',
    type: ['0', '90', '180', '270'],
    default: '0',
  },
  chroma: {
    what: 'Chroma position: left in films of cameras, centre in films that a program such as ffmpeg made of pictures.',
    type: ['left', 'centre'],
    default: 'left',
  },
  pixels: {
    what: 'Pixels of a large film: enough for what is measured, or all; pictures in which the thing is large are reduced otherwise.',
    type: ['enough', 'all'],
    default: 'enough',
  },
  steady: {
    what: 'yes for a hand-held camera: its movement is undone by the background.',
    type: ['no', 'yes'],
    default: 'no',
  },
} as const satisfies Measures;

/** Measures of kinds of experiments that find the object by its motion. */
export const movingFilmMeasures = {
  ...filmMeasures,
  track: {
    what: 'Track of the thing, by its number in gradsim look; null: the one that moves as this kind does.',
    type: 'positive',
    default: null,
  },
} as const satisfies Measures;

/** Measures of a ball, whose size tells how far away it is. */
export const ballMeasures = {
  radius: {
    what: 'Radius of the ball, m; null if a length is marked, and nobody measured it.',
    type: 'positive',
    quantity: 'length',
    unless: ['ends'],
    isFirst: true,
  },
} as const satisfies Measures;

/** Measure of a ball that air brakes. */
export const massMeasures = {
  mass: {
    what: 'Mass of the ball, kg: tells how much the air brakes it. Null if nobody weighed it: then the film alone tells.',
    type: 'positive',
    quantity: 'mass',
    default: null,
  },
} as const satisfies Measures;

/** Measures of a camera, of which nothing needs to be known, and the tolerances of all that was measured. */
export const cameraMeasures = {
  camera: {
    what: 'Camera file of gradsim calibrate or of another tool: the lens, and possibly the position.',
    type: 'camera',
    default: null,
  },
  up: {
    what: "Upward axis of that file's world, if another tool placed the camera and it is not y.",
    type: ['y', 'z', '-y', '-z'],
    default: null,
  },
  fieldOfView: {
    what: 'Vertical field of view of the camera, degrees; null if its file has it, or nobody knows it: then 45, with a tolerance from 35 to 64.',
    type: 'positive',
    quantity: 'angle',
    default: null,
    isFirst: true,
  },
  eye: {
    what: 'Position of the camera, m, y upwards; the floor is y = 0.',
    type: 'vector',
    quantity: 'place',
    default: null,
  },
  target: { what: 'A point in the middle of its picture, m.', type: 'vector', quantity: 'place', default: null },
  lengthTolerance: {
    what: 'Standard deviation of measured lengths, as a part of each: 0.01 is 1 %, 0 exact.',
    type: 'tolerance',
    quantity: 'part',
    default: 0.01,
  },
  angleTolerance: {
    what: 'Standard deviation of measured angles, degrees; 0 of exact ones.',
    type: 'tolerance',
    quantity: 'turn',
    default: 2,
  },
} as const satisfies Measures;

const { eye: _eye, target: _target, ...lens } = cameraMeasures;

/** Measures of a camera whose position is not asked for, since a length is marked in the plane of the motion. */
export const lensMeasures = lens;

/** Measures of a length that must be marked, since no size of the thing is known. */
export const markedMeasures = {
  ends: {
    what: 'Two ends of a length in the plane of the motion, as of a ruler, marked in the film: x, y of each, px.',
    type: 'numbers',
    isFirst: true,
  },
  span: {
    what: 'Distance between the marked ends, m.',
    type: 'positive',
    quantity: 'length',
    isFirst: true,
  },
} as const satisfies Measures;

/**
 * Measures of a camera of known pose, for surfaces given in world axes. No known size sets the scale: a field of view
 * of 45 degrees instead of 38 makes the friction wrong by a tenth, and the film does not show it.
 */
export const placedCameraMeasures = {
  ...cameraMeasures,
  fieldOfView: {
    what: 'Vertical field of view of the camera, degrees; null if its file has it.',
    type: 'positive',
    quantity: 'angle',
    unless: ['camera'],
    isFirst: true,
  },
  eye: { what: cameraMeasures.eye.what, type: 'vector', quantity: 'place', unless: ['camera'] },
  target: { what: cameraMeasures.target.what, type: 'vector', quantity: 'place', unless: ['camera'] },
} as const satisfies Measures;

/** Measures of a length in the plane of the motion, which tell how far away a camera of unknown position is. */
export const lengthMeasures = {
  ends: {
    what: 'Two ends of a length in the plane of the motion, as of a ruler, marked in the film: x, y of each, px.',
    type: 'numbers',
    default: null,
  },
  span: {
    what: 'Distance between the marked ends, m.',
    type: 'positive',
    quantity: 'length',
    default: null,
  },
} as const satisfies Measures;

/** Measurements of every film. */
export type MeasuredFilm = MeasuredBy<typeof filmMeasures & Pick<typeof cameraMeasures, 'camera' | 'up'>>;
