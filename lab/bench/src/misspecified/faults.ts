import type { Camera, Clock, Film } from './film.ts';
import { PICTURE, PLAIN_CLOCK } from './film.ts';
import { TOLERANCES } from './given.ts';
import type { Departures } from './kind.ts';
import { NO_DEPARTURE } from './kind.ts';
import type { KindName } from './kinds/index.ts';
import { FIELD_OF_VIEW } from './kinds/scene.ts';
import { compressed } from './pictures/compressed.ts';
import { cluttered, shadowed } from './pictures/mixed-in.ts';
import { resampled } from './pictures/resampled.ts';

/**
 * A kind of model error. It films a truth that departs from the model, without noise and with as many frames as the
 * model has.
 */
export interface Fault {
  /** Kinds of film to which the model error applies. */
  readonly kinds: readonly KindName[];
  /** Largest strength that is physically possible. */
  readonly most: number;
  /**
   * Standard deviation with which a person measures the quantity, in the unit of the strength; undefined if it is not
   * measured.
   */
  readonly tolerance?: number;
  /** True if the strength may be negative. */
  readonly isSigned?: boolean;
  /** Rounds a strength to one that can be realised, if not all can. */
  readonly comesTo?: (strength: number, frames: number) => number;
  readonly film: (camera: Camera, frames: number, strength: number, seed: number) => Promise<Film>;
}

const ALL: readonly KindName[] = ['toss', 'ball', 'pendulum', 'slide', 'beam', 'cloth', 'arm'];
const JOINTS = ['pendulum', 'arm'] as const;

/** Model error by a departure of the filmed scene. */
const ofScene = (name: keyof Departures, kinds: readonly KindName[], most: number, isSigned = false): Fault => ({
  kinds,
  most,
  isSigned,
  film: async (camera, frames, strength) =>
    first(await camera.film({ ...NO_DEPARTURE, [name]: strength }, PLAIN_CLOCK), frames),
});

/** Model error by a change of the correct film. */
const ofFilm = (
  most: number,
  change: (film: Film, strength: number, seed: number) => Film,
  { kinds = ALL, isSigned = false }: Partial<Pick<Fault, 'kinds' | 'isSigned'>> = {},
): Fault => ({
  kinds,
  most,
  isSigned,
  film: async (camera, frames, strength, seed) =>
    change(first(await camera.film(NO_DEPARTURE, PLAIN_CLOCK), frames), strength, seed),
});

/** Model error by wrong capture times. `times` returns the time of a frame, in frame intervals of the correct film. */
const ofFrames = (times: (frame: number, frames: number, strength: number) => number): Fault => ({
  kinds: ALL,
  most: 1,
  comesTo: (strength, frames) => lateFrames(frames, strength) / frames,
  film: async (camera, frames, strength) => {
    const film = await camera.film(NO_DEPARTURE, PLAIN_CLOCK);
    return joined(Array.from({ length: frames }, (_, f) => pictureAt(film, times(f, frames, strength))));
  },
});

/** Number of instants per frame interval that are averaged for motion blur. */
const MOMENTS = 8;

export const FAULTS = {
  texture: ofScene('texture', ALL, 0.6),
  light: ofScene('light', ALL, 1.2, true),
  color: ofScene('color', ALL, 0.5, true),
  clutter: ofFilm(1, cluttered),
  shadow: ofFilm(0.8, shadowed),
  lens: ofFilm(0.3, resampled, { isSigned: true }),
  'field of view': { ...ofScene('fieldOfView', ALL, 0.3, true), tolerance: TOLERANCES.fieldOfView / FIELD_OF_VIEW },
  size: { ...ofScene('size', ALL, 0.3, true), tolerance: TOLERANCES.size },
  shape: ofScene('shape', ALL, 0.3, true),
  drag: ofScene('drag', ALL, 1),
  friction: ofScene('friction', ['ball', ...JOINTS], 1),
  'law of damping': ofScene('damping', ['beam', ...JOINTS], 1),
  // Of the frames, the share that comes a frame early or late: those after the place where one is dropped, or doubled.
  'dropped frame': ofFrames((f, frames, strength) => (f < frames - lateFrames(frames, strength) ? f : f + 1)),
  'doubled frame': ofFrames((f, frames, strength) => (f < frames - lateFrames(frames, strength) ? f : f - 1)),
  'frame rate': {
    kinds: ALL,
    most: 0.3,
    isSigned: true,
    film: async (camera, frames, strength) =>
      first(await camera.film(NO_DEPARTURE, { ...PLAIN_CLOCK, rate: 1 + strength }), frames),
  },
  shutter: {
    kinds: ALL,
    most: 1,
    film: async (camera, frames, strength) => {
      const clock: Clock = { ...PLAIN_CLOCK, moments: MOMENTS };
      const film = await camera.film(NO_DEPARTURE, clock);
      return joined(Array.from({ length: frames }, (_, f) => exposed(film, f * MOMENTS, strength * MOMENTS)));
    },
  },
  compression: ofFilm(6, compressed),
} as const satisfies Readonly<Record<string, Fault>>;
export type FaultName = keyof typeof FAULTS;

/**
 * Number of frames affected by late pictures: the strength times the number of frames, at least one and at most all but
 * the first.
 */
const lateFrames = (frames: number, strength: number): number =>
  Math.min(frames - 1, Math.max(1, Math.round(strength * frames)));

const first = (film: Film, frames: number): Film => film.subarray(0, frames * PICTURE);
const pictureAt = (film: Film, frame: number): Film => film.subarray(frame * PICTURE, (frame + 1) * PICTURE);

function joined(pictures: readonly Film[]): Film {
  const film = new Float64Array(pictures.length * PICTURE);
  for (const [f, picture] of pictures.entries()) film.set(picture, f * PICTURE);
  return film;
}

/**
 * Mean of the pictures while the shutter is open, over `moments` instants; between filmed instants pictures are
 * interpolated linearly.
 */
function exposed(film: Film, from: number, moments: number): Film {
  const mean = new Float64Array(PICTURE);
  const add = (moment: number, weight: number): void => {
    const picture = pictureAt(film, from + moment);
    for (let i = 0; i < PICTURE; i++) mean[i] += (weight / moments) * picture[i];
  };
  for (let k = 0; k < moments; k++) {
    const part = Math.min(1, moments - k);
    add(k, part - part ** 2 / 2);
    add(k + 1, part ** 2 / 2);
  }
  return mean;
}
