/** Something that is measured before an experiment, beside its film. */
export interface Measure {
  /** What it is, with its unit. */
  readonly what: string;
  /** `file` is a path; `vector` three numbers. */
  readonly type: 'file' | 'positive' | 'number' | 'vector' | readonly string[];
  /** Of those that need not be given. Null: then it is not known, and the experiment does without. */
  readonly default?: string | number | readonly number[] | null;
}

/** A kind of experiment that `gradsim new` writes. */
export interface Kind {
  /** What it finds. */
  readonly finds: string;
  /** Packages that it imports, without their scope. */
  readonly packages: readonly string[];
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
} as const satisfies Kind['measures'];

const CAMERA = {
  fieldOfView: {
    what: 'Of the camera, from the bottom to the top of the picture, degrees.',
    type: 'positive',
    default: 45,
  },
  eye: { what: 'Where the camera is, m, y upwards; the floor is y = 0.', type: 'vector', default: null },
  target: { what: 'A point in the middle of its picture, m.', type: 'vector', default: null },
} as const satisfies Kind['measures'];

/** The kinds, by the word that `gradsim new` takes. */
export const KINDS: Readonly<Record<string, Kind>> = {
  ball: {
    finds: 'the restitution of a ball that bounces on the floor, and how it was thrown',
    packages: ['core', 'cli', 'optim', 'film', 'video', 'render', 'rigid', 'contact', 'mesh', 'physics'],
    measures: {
      ...FILM,
      radius: { what: 'Of the ball, m.', type: 'positive' },
      gravity: { what: 'In m/s^2; null where it is to be found as well.', type: 'positive', default: 9.81 },
      ...CAMERA,
    },
  },
};
