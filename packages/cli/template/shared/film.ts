import { fileURLToPath } from 'node:url';
import type { Film, FilmOptions } from '@gradsim/film';
import { readFilm } from '@gradsim/film';
import type { ExperimentContext, ParameterSpec } from '@gradsim/optim';

/** What is known of the film and of the camera; see `measured.ts`. */
export interface FilmMeasured {
  readonly video: string;
  readonly background: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly frameRate: number | null;
  readonly chroma: 'left' | 'centre';
  readonly steady: 'no' | 'yes';
  readonly fieldOfView: number;
  readonly eye: readonly number[] | null;
  readonly target: readonly number[] | null;
}

/** The film as it was measured. */
export function filmOf(
  measured: FilmMeasured,
  { video, signal }: Pick<ExperimentContext, 'video' | 'signal'>,
  mask: FilmOptions['mask'] = 'moving',
): Promise<Film> {
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  return readFilm(video ?? file(measured.video), {
    first: measured.first ?? undefined,
    last: measured.last ?? undefined,
    ...(measured.frameRate === null ? {} : { frameRate: measured.frameRate, clock: 'wrong' as const }),
    ...(measured.background === null ? {} : { background: { file: file(measured.background) } }),
    ...{ chroma: measured.chroma, steady: measured.steady === 'yes', mask, signal },
  });
}

/** Where the camera is. One of which that is not known is the origin, and looks along -z, level or nearly so. */
export function cameraOf({ eye, target, fieldOfView }: FilmMeasured) {
  if ((eye === null) !== (target === null))
    throw new Error(
      `measured.ts tells the camera's ${eye ? 'eye' : 'target'} alone; it takes both or neither.`,
    );
  return {
    isKnown: eye !== null,
    look: {
      eye: eye ?? [0, 0, 0],
      target: target ?? [0, 0, -1],
      fieldOfView: (fieldOfView * Math.PI) / 180,
    },
  };
}

/** A camera that is held level is so to this angle, rad: about 6 degrees, up or down and to the side. */
const LEVEL = 0.1;

/** How a camera is held of which nothing is known. */
export const tiltOfCamera = (): ParameterSpec => ({
  ...{ name: 'tilt of the camera', field: 'cameras.target', component: 1, initial: 0, scale: LEVEL },
  prior: { mean: 0, standardDeviation: LEVEL },
});
export const rollOfCamera = (): ParameterSpec => ({
  ...{ name: 'roll of the camera', field: 'cameras.roll', initial: 0, scale: LEVEL },
  prior: { mean: 0, standardDeviation: LEVEL },
});

/** An unknown of one number. */
export const unknown = (
  name: string,
  field: string,
  component: number,
  initial: number,
  scale: number,
): ParameterSpec => ({ name, field, component, initial, scale });

/** Several unknowns for the three components of a place, m. */
export const place = (name: string, field: string, initial: readonly number[]): ParameterSpec[] =>
  initial.map((value, k) => unknown(`${name} ${'xyz'[k]}`, field, k, value, 0.05));
