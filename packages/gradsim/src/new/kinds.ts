/** Kind of a measured number. `part` is a fraction, such as a relative tolerance. */
export type Quantity = 'length' | 'angle' | 'acceleration' | 'density' | 'part';

/** A quantity that is measured beside the film, before an experiment. */
export interface Measure {
  /** Description of the quantity, with its unit. */
  readonly what: string;
  /**
   * Type of the value: `file`, a film or a picture, `camera` and `data` are paths, `written` that of a file to write;
   * `vector` is three numbers, `numbers` any count of them; a `tolerance` is positive, or 0 for an exact value.
   */
  readonly type:
    | 'file'
    | 'camera'
    | 'data'
    | 'written'
    | 'text'
    | 'positive'
    | 'tolerance'
    | 'number'
    | 'vector'
    | 'numbers'
    | readonly string[];
  /** Option that gives it, with what it takes. Default: `--set`. */
  readonly option?: string;
  /** Default of an optional measure. Null: unknown, and the experiment works without it. */
  readonly default?: string | number | readonly number[] | null;
  /** Kind of a number, from which a value given in another unit is recognised. */
  readonly quantity?: Quantity;
  /** Names of other measures; any of them, if given, makes this required one optional, since it may supply the value. */
  readonly unless?: readonly string[];
}

/** A kind of experiment that `gradsim new` writes. */
export interface Kind {
  /** Quantities that an experiment of this kind estimates, in words. */
  readonly finds: string;
  /** Option that names the table that it is estimated from; a film without any. */
  readonly table?: 'poses' | 'markers';
  readonly measures: Readonly<Record<string, Measure>>;
}

const FILM = {
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
  pixels: {
    what: 'Pixels of a large film: enough for what is measured, or all; pictures in which the thing is large are reduced otherwise.',
    type: ['enough', 'all'],
    default: 'enough',
  },
  chroma: {
    what: 'Chroma position: left in films of cameras, centre in films that a program such as ffmpeg made of pictures.',
    type: ['left', 'centre'],
    default: 'left',
  },
  steady: {
    what: 'yes for a hand-held camera: its movement is undone by the background.',
    type: ['no', 'yes'],
    default: 'no',
  },
} as const satisfies Kind['measures'];

/** Measures of kinds of experiments that find the object by its motion. */
const MOVING = {
  ...FILM,
  track: {
    what: 'Track of the thing, by its number in gradsim look; null: the one that moves as this kind does.',
    type: 'positive',
    default: null,
  },
} as const satisfies Kind['measures'];

const CAMERA = {
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
  },
  eye: { what: 'Position of the camera, m, y upwards; the floor is y = 0.', type: 'vector', default: null },
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
 * Measures of a camera of known pose, for surfaces given in world axes. No known size sets the scale: a field of view
 * of 45 degrees instead of 38 makes the friction wrong by a tenth, and the film does not show it.
 */
const KNOWN_CAMERA = {
  ...CAMERA,
  fieldOfView: {
    what: 'Vertical field of view of the camera, degrees; null if its file has it.',
    type: 'positive',
    quantity: 'angle',
    unless: ['camera'],
  },
  eye: { what: CAMERA.eye.what, type: 'vector', unless: ['camera'] },
  target: { what: CAMERA.target.what, type: 'vector', unless: ['camera'] },
} as const satisfies Kind['measures'];

/** Measures of a length in the plane of the motion, which tell how far away a camera of unknown position is. */
const MARKED_LENGTH = {
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
} as const satisfies Kind['measures'];

/** Kinds of experiments, by the word given to `gradsim new`. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ball: {
    finds: 'the restitution of a ball that bounces on the floor, and how it was thrown',
    measures: {
      ...MOVING,
      radius: {
        what: 'Radius of the ball, m; null if a length is marked, and nobody measured it.',
        type: 'positive',
        quantity: 'length',
        unless: ['ends'],
      },
      gravity: {
        what: 'Gravity, m/s^2; null to estimate it as well.',
        type: 'positive',
        quantity: 'acceleration',
        default: 9.81,
      },
      ...MARKED_LENGTH,
      ...CAMERA,
    },
  },
  pendulum: {
    finds: 'gravity and the damping of a ball that swings at a light rod or string',
    measures: {
      ...MOVING,
      length: {
        what: "Length from the pivot to the ball's centre, m; null if a length is marked, and nobody measured it.",
        type: 'positive',
        quantity: 'length',
        unless: ['ends'],
      },
      radius: {
        what: 'Radius of the ball, m; null if a length is marked, and nobody measured it.',
        type: 'positive',
        quantity: 'length',
        unless: ['ends'],
      },
      gravity: {
        what: 'Gravity, m/s^2, if known; null to estimate it.',
        type: 'positive',
        quantity: 'acceleration',
        default: null,
      },
      pivot: {
        what: 'Position of the pivot, m, if the camera is known: then wrong lengths are detected.',
        type: 'vector',
        default: null,
      },
      ...MARKED_LENGTH,
      ...CAMERA,
    },
  },
  slide: {
    finds: 'the friction of a box that slides down an incline, and its speed',
    measures: {
      ...MOVING,
      size: {
        what: 'Size of the box, m: along the incline, away from it, and across.',
        type: 'vector',
        quantity: 'length',
      },
      angle: { what: 'Angle of the incline, degrees.', type: 'positive', quantity: 'angle' },
      point: {
        what: 'A point of the incline, m.',
        type: 'vector',
        default: [0, 0, 0],
      },
      gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
      corners: {
        what: 'Corners of a box on the incline, marked in a frame: number, x, y of each, px; then eye and target stay null.',
        type: 'numbers',
        default: null,
      },
      reference: {
        what: 'Size of the marked box, m: along the incline, away from it (0 for a sheet), across; null: the box that slides.',
        type: 'vector',
        default: null,
      },
      ...KNOWN_CAMERA,
      fieldOfView: {
        ...KNOWN_CAMERA.fieldOfView,
        what: 'Vertical field of view of the camera, degrees; null if its file has it, or corners are marked, and nobody knows it.',
        unless: ['camera', 'corners'],
      },
      eye: { ...KNOWN_CAMERA.eye, unless: ['camera', 'corners'] },
      target: { ...KNOWN_CAMERA.target, unless: ['camera', 'corners'] },
    },
  },
  toss: {
    finds: 'the restitution and friction of a box that is tossed onto the floor, and how it was tossed',
    measures: {
      ...FILM,
      size: { what: 'Size of the box, m: its three sides.', type: 'vector', quantity: 'length' },
      gravity: {
        what: 'Gravity, m/s^2; null to estimate it as well.',
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
      length: { what: 'Length of the beam from its clamp, m.', type: 'positive', quantity: 'length' },
      thickness: {
        what: 'Thickness in the direction of its swing, up and down, m.',
        type: 'positive',
        quantity: 'length',
      },
      width: { what: 'Width across that, m.', type: 'positive', quantity: 'length' },
      density: { what: 'Density, kg/m^3.', type: 'positive', quantity: 'density' },
      gravity: { what: 'Gravity, m/s^2.', type: 'positive', quantity: 'acceleration', default: 9.81 },
      clamp: {
        what: 'Point at which its middle line leaves the clamp, m.',
        type: 'vector',
        default: [0, 0, 0],
      },
      ...KNOWN_CAMERA,
    },
  },
  body: {
    finds:
      'the friction and restitution of a body that falls to the floor, and how it was thrown, from its tracked poses',
    table: 'poses',
    measures: {
      poses: {
        what: 'CSV of tracked poses of the centre of mass: time, x, y, z in m, and the quaternion qx, qy, qz, qw.',
        type: 'data',
        option: '--poses FILE',
      },
      body: { what: 'The body, of several in the column body of the CSV.', type: 'text', default: null },
      frameRate: { what: 'Frames a second, if the CSV has no times.', type: 'positive', default: null },
      size: {
        what: 'Size of the body, m, if it is a box: three sides.',
        type: 'vector',
        quantity: 'length',
        unless: ['mesh'],
      },
      mesh: {
        what: 'Shape of another body, m: .obj, .stl, .gltf or .glb, from its centre of mass; its vertices touch.',
        type: 'data',
        default: null,
      },
      mass: { what: 'Mass, kg.', type: 'positive' },
      inertia: {
        what: 'Moments of inertia about its axes, kg m^2; null: those of the shape, homogeneous.',
        type: 'vector',
        default: null,
      },
      gravity: { what: "Gravity in the tracker's axes, m/s^2.", type: 'vector', default: [0, 0, -9.81] },
      up: { what: 'Direction away from the floor.', type: 'vector', default: [0, 0, 1] },
      floor: { what: 'Distance of the floor from the origin in that direction, m.', type: 'number', default: 0 },
      positionNoise: {
        what: 'Standard deviation of tracked positions from a rigid body, m; null: the scatter between frames.',
        type: 'positive',
        default: null,
      },
      angleNoise: { what: 'The same of orientations, degrees.', type: 'positive', default: null },
    },
  },
  markers: {
    finds: "Young's modulus and the damping of a soft body that is clamped, held and let go, from markers on it",
    table: 'markers',
    measures: {
      markers: {
        what: 'CSV of the markers: frame or time, marker, x, y, z in m.',
        type: 'data',
        option: '--markers FILE',
      },
      mesh: {
        what: 'Shape of the body, m: a closed surface, .obj, .stl, .gltf or .glb.',
        type: 'data',
        option: '--mesh FILE',
      },
      clamp: {
        what: 'What the clamp holds, in axes of the shape, m: all that lies on one side, as in x<-0.099.',
        type: 'text',
        option: '--clamp SIDE',
      },
      places: {
        what: 'Places of markers on the shape, m: name, x, y, z of each, as in "tip 0 0 0.03; side 0 0.02 0".',
        type: 'text',
      },
      clampMarkers: { what: 'Names of markers on the clamp.', type: 'text', default: null },
      density: { what: 'Density, kg/m^3.', type: 'positive', quantity: 'density' },
      gravity: { what: 'Gravity in axes of the recording, m/s^2.', type: 'vector', default: [0, 0, -9.81] },
      frameRate: { what: 'Frames a second, if the CSV has no times.', type: 'positive', default: null },
      hand: {
        what: 'Seconds of motion in which a hand may still touch the body; 0 if it is let go at an instant.',
        type: 'tolerance',
        default: 0,
      },
      seconds: { what: 'Seconds compared, from the first motion; null: all.', type: 'positive', default: null },
      load: { what: 'Mass that hangs on the body, kg; null: none.', type: 'positive', default: null },
      loadAt: { what: 'Where it hangs, in axes of the shape, m.', type: 'vector', default: null },
      loadRadius: {
        what: 'Distance from there, m, up to which the load touches the surface; null: it acts at one node.',
        type: 'positive',
        default: null,
      },
      loadOffset: {
        what: 'Position of its centre of mass from there, m, told to 5 mm; null: at the surface.',
        type: 'vector',
        default: null,
      },
      thread: {
        what: 'Length of the thread that it hangs from, m; null: it is fixed to the body.',
        type: 'positive',
        default: null,
      },
      poissonRatio: { what: "Poisson's ratio: a motion hardly determines it.", type: 'positive', default: 0.45 },
      modulus: { what: "Guess of Young's modulus, Pa, within a factor of ten.", type: 'positive', default: 300_000 },
      law: {
        what: 'Law of damping: dashpot (Kelvin-Voigt), or arm, which has a Maxwell arm beside it.',
        type: ['dashpot', 'arm'],
        default: 'dashpot',
      },
      cellSize: {
        what: 'Edge length of the cells that fill the shape, m; null: its least extent.',
        type: 'positive',
        default: null,
      },
      export: {
        what: 'File for MuJoCo, .xml, to which an estimate writes the body with the estimated numbers; null: none.',
        type: 'written',
        option: '--export FILE',
        default: null,
      },
    },
  },
};
