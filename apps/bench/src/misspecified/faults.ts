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
 * A kind of model error: films a truth that departs from the model, with as many frames as the model and without noise.
 */
export interface Fault {
  /** The kinds of film that it applies to. */
  readonly kinds: readonly KindName[];
  /** Largest physically possible strength. */
  readonly most: number;
  /** Standard deviation of a person's measurement of the quantity, if it is one that is measured. */
  readonly tolerance?: number;
  /** True if it can be positive or negative. */
  readonly isSigned?: boolean;
  /** Returns the strength that can be realised, if not every one can. */
  readonly comesTo?: (strength: number, frames: number) => number;
  readonly film: (camera: Camera, frames: number, strength: number, seed: number) => Promise<Film>;
}

const ALL: readonly KindName[] = ['toss', 'ball', 'pendulum', 'slide', 'beam', 'cloth', 'arm'];
const JOINTS = ['pendulum', 'arm'] as const;

/** A fault of the scene. */
const ofScene = (name: keyof Departures, kinds: readonly KindName[], most: number, isSigned = false): Fault => ({
  kinds,
  most,
  isSigned,
  film: async (camera, frames, strength) =>
    first(await camera.film({ ...NO_DEPARTURE, [name]: strength }, PLAIN_CLOCK), frames),
});

/** A model error applied to the correct film. */
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

/**
 * An error of the times at which pictures are taken. `times` are those of the frames, in frames of the correct film.
 */
const ofFrames = (times: (frame: number, frames: number, strength: number) => number): Fault => ({
  kinds: ALL,
  most: 1,
  comesTo: (strength, frames) => lateFrames(frames, strength) / frames,
  film: async (camera, frames, strength) => {
    const film = await camera.film(NO_DEPARTURE, PLAIN_CLOCK);
    return joined(Array.from({ length: frames }, (_, f) => pictureAt(film, times(f, frames, strength))));
  },
});

/** Number of instants within a frame interval whose mean is the motion blur. */
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

/** At least one frame, and at most all but the first. */
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
 * The mean of the pictures while the shutter is open, over a number of instants; between instants pictures are
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
