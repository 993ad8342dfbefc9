/** Kind of a measured number. `part` is a part of something: a tolerance. */
export type Quantity = 'length' | 'angle' | 'acceleration' | 'density' | 'part';

/** Something that is measured before an experiment, beside its film. */
export interface Measure {
  /** What it is, with its unit. */
  readonly what: string;
  /** `file` and `camera` are paths; `vector` three numbers; a `tolerance` is positive, or 0 of what is exact. */
  readonly type: 'file' | 'camera' | 'positive' | 'tolerance' | 'number' | 'vector' | readonly string[];
  /** Of those that need not be given. Null: then it is not known, and the experiment does without. */
  readonly default?: string | number | readonly number[] | null;
  /** Of numbers: what they are, by which a value of another unit is known. */
  readonly quantity?: Quantity;
  /** Of those that must be given: but not where this one is, which may tell it. */
  readonly unless?: string;
}

/** A kind of experiment that `gradsim new` writes. */
export interface Kind {
  /** What it finds. */
  readonly finds: string;
  readonly measures: Readonly<Record<string, Measure>>;
}

const FILM = {
  video: { what: 'The film: a file, or a folder of pictures.', type: 'file' },
  background: { what: 'A picture of the scene without what moves.', type: 'file', default: null },
  first: { what: 'The first frame that counts, from 0.', type: 'number', default: null },
  last: { what: 'The last frame that counts.', type: 'number', default: null },
  frameRate: {
    what: 'Frames a second, where the film does not tell or is slowed down.',
    type: 'positive',
    default: null,
  },
  chroma: {
    what: 'Where colours lie: left as cameras have them, centre in films that a program such as ffmpeg made of pictures.',
    type: ['left', 'centre'],
    default: 'left',
  },
  steady: {
    what: 'yes where the camera was held by hand: its movement is undone by the background.',
    type: ['no', 'yes'],
    default: 'no',
  },
} as const satisfies Kind['measures'];

/** The same of kinds that find the thing by how it moves. */
const MOVING = {
  ...FILM,
  track: {
    what: 'Which of what moves in the film, by its number in gradsim look; null: what moves as this kind does.',
    type: 'positive',
    default: null,
  },
} as const satisfies Kind['measures'];

const CAMERA = {
  camera: {
    what: "The camera's file, of gradsim calibrate or of another tool, which says how it sees, and may say where it stands.",
    type: 'camera',
    default: null,
  },
  up: {
    what: "Which axis of that file's world goes up, where the camera's place is of another tool and it is not y.",
    type: ['y', 'z', '-y', '-z'],
    default: null,
  },
  fieldOfView: {
    what: 'Of the camera, from the bottom to the top of the picture, degrees; null where its file tells it.',
    type: 'positive',
    quantity: 'angle',
    default: 45,
  },
  eye: { what: 'Where the camera is, m, y upwards; the floor is y = 0.', type: 'vector', default: null },
  target: { what: 'A point in the middle of its picture, m.', type: 'vector', default: null },
  lengthTolerance: {
    what: 'Standard deviation of measured lengths, as a part of each: 0.01 is 1 %, 0 exact.',
    type: 'tolerance',
    quantity: 'part',
    default: 0.01,
  },
  angleTolerance: {
    what: 'Standard deviation of measured angles, degrees; 0 of exact ones.',
    type: 'tolerance',
    default: 2,
  },
} as const satisfies Kind['measures'];

/**
 * Where a surface is told in the world's axes, the camera has to be too; nor is anything's size its scale then: a field of view of 45
 * degrees where it is 38 makes friction wrong by a tenth, and the film does not show it.
 */
const KNOWN_CAMERA = {
  ...CAMERA,
  fieldOfView: { what: CAMERA.fieldOfView.what, type: 'positive', quantity: 'angle', unless: 'camera' },
  eye: { what: CAMERA.eye.what, type: 'vector', unless: 'camera' },
  target: { what: CAMERA.target.what, type: 'vector', unless: 'camera' },
} as const satisfies Kind['measures'];

/** Packages that every kind imports. */
/** The kinds, by the word that `gradsim new` takes. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ball: {
    finds: 'the restitution of a ball that bounces on the floor, and how it was thrown',
    measures: {
      ...MOVING,
      radius: { what: 'Of the ball, m.', type: 'positive', quantity: 'length' },
      gravity: {
        what: 'In m/s^2; null where it is to be found as well.',
        type: 'positive',
        quantity: 'acceleration',
        default: 9.81,
      },
      ...CAMERA,
    },
  },
  pendulum: {
    finds: 'gravity and the damping of a ball that swings at a light rod or string',
    measures: {
      ...MOVING,
      length: { what: "From the pivot to the ball's centre, m.", type: 'positive', quantity: 'length' },
      radius: { what: 'Of the ball, m.', type: 'positive', quantity: 'length' },
      gravity: {
        what: 'In m/s^2, where it is known; null where it is to be found.',
        type: 'positive',
        quantity: 'acceleration',
        default: null,
      },
      pivot: {
        what: 'Where it hangs, m, where the camera is known: then lengths that are wrong are seen.',
        type: 'vector',
        default: null,
      },
      ...CAMERA,
    },
  },
  slide: {
    finds: 'the friction of a box that slides down an incline, and its speed',
    measures: {
      ...MOVING,
      size: {
        what: 'Of the box, m: along the incline, away from it, and across.',
        type: 'vector',
        quantity: 'length',
      },
      angle: { what: 'Of the incline, degrees.', type: 'positive', quantity: 'angle' },
      point: {
        what: 'A point of the incline, m.',
        type: 'vector',
        default: [0, 0, 0],
      },
      gravity: { what: 'In m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
      ...KNOWN_CAMERA,
    },
  },
  toss: {
    finds: 'the restitution and friction of a box that is tossed onto the floor, and how it was tossed',
    measures: {
      ...FILM,
      size: { what: 'Of the box, m: its three sides.', type: 'vector', quantity: 'length' },
      gravity: {
        what: 'In m/s^2; null where it is to be found as well.',
        type: 'positive',
        quantity: 'acceleration',
        default: 9.81,
      },
      ...KNOWN_CAMERA,
    },
  },
  beam: {
    finds: "Young's modulus and the damping of a beam that is clamped at one end and swings",
    measures: {
      ...FILM,
      background: { what: 'A picture of the scene without the beam.', type: 'file' },
      length: { what: 'Of the beam from its clamp, m.', type: 'positive', quantity: 'length' },
      thickness: { what: 'In the direction of its swing, up and down, m.', type: 'positive', quantity: 'length' },
      width: { what: 'Across that, m.', type: 'positive', quantity: 'length' },
      density: { what: 'In kg/m^3.', type: 'positive', quantity: 'density' },
      gravity: { what: 'In m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
      clamp: {
        what: 'Where its middle line leaves the clamp, m.',
        type: 'vector',
        default: [0, 0, 0],
      },
      ...KNOWN_CAMERA,
    },
  },
};
