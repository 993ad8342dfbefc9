import type { Camera, Clock, Film } from './film.ts';
import { EXACT_CLOCK, PICTURE } from './film.ts';
import { TOLERANCES } from './given.ts';
import type { Departures } from './kind.ts';
import { NO_DEPARTURE } from './kind.ts';
import type { KindName } from './kinds/index.ts';
import { FIELD_OF_VIEW } from './kinds/scene.ts';
import { compressFilm } from './pictures/compressed.ts';
import { addClutter, addShadow } from './pictures/mixed-in.ts';
import { distortFilm } from './pictures/resampled.ts';

/**
 * A kind of model error. It films a truth that departs from the model, without noise and with as many frames as the
 * model has.
 */
export interface ModelFault {
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
const sceneFault = (
  name: keyof Departures,
  kinds: readonly KindName[],
  most: number,
  isSigned = false,
): ModelFault => ({
  kinds,
  most,
  isSigned,
  film: async (camera, frames, strength) =>
    first(await camera.film({ ...NO_DEPARTURE, [name]: strength }, EXACT_CLOCK), frames),
});

/** Model error by a change of the correct film. */
const filmFault = (
  most: number,
  change: (film: Film, strength: number, seed: number) => Film,
  { kinds = ALL, isSigned = false }: Partial<Pick<ModelFault, 'kinds' | 'isSigned'>> = {},
): ModelFault => ({
  kinds,
  most,
  isSigned,
  film: async (camera, frames, strength, seed) =>
    change(first(await camera.film(NO_DEPARTURE, EXACT_CLOCK), frames), strength, seed),
});

/** Model error by wrong capture times. `times` returns the time of a frame, in frame intervals of the correct film. */
const captureTimeFault = (times: (frame: number, frames: number, strength: number) => number): ModelFault => ({
  kinds: ALL,
  most: 1,
  comesTo: (strength, frames) => lateFrames(frames, strength) / frames,
  film: async (camera, frames, strength) => {
    const film = await camera.film(NO_DEPARTURE, EXACT_CLOCK);
    return joinFilms(Array.from({ length: frames }, (_, f) => pictureAt(film, times(f, frames, strength))));
  },
});

/** Number of instants per frame interval that are averaged for motion blur. */
const MOMENTS = 8;

export const FAULTS = {
  texture: sceneFault('texture', ALL, 0.6),
  light: sceneFault('light', ALL, 1.2, true),
  color: sceneFault('color', ALL, 0.5, true),
  clutter: filmFault(1, addClutter),
  shadow: filmFault(0.8, addShadow),
  lens: filmFault(0.3, distortFilm, { isSigned: true }),
  'field of view': { ...sceneFault('fieldOfView', ALL, 0.3, true), tolerance: TOLERANCES.fieldOfView / FIELD_OF_VIEW },
  size: { ...sceneFault('size', ALL, 0.3, true), tolerance: TOLERANCES.size },
  shape: sceneFault('shape', ALL, 0.3, true),
  drag: sceneFault('drag', ALL, 1),
  friction: sceneFault('friction', ['ball', ...JOINTS], 1),
  'law of damping': sceneFault('damping', ['beam', ...JOINTS], 1),
  // Of the frames, the share that comes a frame early or late: those after the place where one is dropped, or doubled.
  'dropped frame': captureTimeFault((f, frames, strength) => (f < frames - lateFrames(frames, strength) ? f : f + 1)),
  'doubled frame': captureTimeFault((f, frames, strength) => (f < frames - lateFrames(frames, strength) ? f : f - 1)),
  'frame rate': {
    kinds: ALL,
    most: 0.3,
    isSigned: true,
    film: async (camera, frames, strength) =>
      first(await camera.film(NO_DEPARTURE, { ...EXACT_CLOCK, rate: 1 + strength }), frames),
  },
  shutter: {
    kinds: ALL,
    most: 1,
    film: async (camera, frames, strength) => {
      const clock: Clock = { ...EXACT_CLOCK, moments: MOMENTS };
      const film = await camera.film(NO_DEPARTURE, clock);
      return joinFilms(
        Array.from({ length: frames }, (_, f) => averageExposure(film, f * MOMENTS, strength * MOMENTS)),
      );
    },
  },
  compression: filmFault(6, compressFilm),
} as const satisfies Readonly<Record<string, ModelFault>>;
export type FaultName = keyof typeof FAULTS;

/**
 * Number of frames affected by late pictures: the strength times the number of frames, at least one and at most all but
 * the first.
 */
const lateFrames = (frames: number, strength: number): number =>
  Math.min(frames - 1, Math.max(1, Math.round(strength * frames)));

const first = (film: Film, frames: number): Film => film.subarray(0, frames * PICTURE);
const pictureAt = (film: Film, frame: number): Film => film.subarray(frame * PICTURE, (frame + 1) * PICTURE);

function joinFilms(pictures: readonly Film[]): Film {
  const film = new Float64Array(pictures.length * PICTURE);
  for (const [f, picture] of pictures.entries()) film.set(picture, f * PICTURE);
  return film;
}

/**
 * Mean of the pictures while the shutter is open, over `moments` instants; between filmed instants pictures are
 * interpolated linearly.
 */
function averageExposure(film: Film, from: number, moments: number): Film {
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
