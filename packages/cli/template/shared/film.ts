import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pinholeOf, poseLookingAt, readCamera } from '@gradsim/cameras';
import type { Film, FilmOptions } from '@gradsim/film';
import { filmCamera, readFilm } from '@gradsim/film';
import type { ExperimentContext, ParameterSpec, TieSpec } from '@gradsim/optim';
import { PinholeCamera } from '@gradsim/render';

/** What is known of the film and of the camera; see `measured.ts`. */
export interface FilmMeasured {
  readonly video: string;
  readonly background: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly frameRate: number | null;
  readonly chroma: 'left' | 'centre';
  readonly steady: 'no' | 'yes';
  readonly camera: string | null;
  readonly up: 'y' | 'z' | '-y' | '-z' | null;
  readonly fieldOfView: number | null;
  readonly eye: readonly number[] | null;
  readonly target: readonly number[] | null;
}

/** Relative to this module. */
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The film as it was measured. */
export async function filmOf(
  measured: FilmMeasured,
  { video, signal }: Pick<ExperimentContext, 'video' | 'signal'>,
  mask: FilmOptions['mask'] = 'moving',
): Promise<Film> {
  const { camera } = measured;
  return readFilm(video ?? fileOf(measured.video), {
    first: measured.first ?? undefined,
    last: measured.last ?? undefined,
    ...(measured.frameRate === null ? {} : { frameRate: measured.frameRate, clock: 'wrong' as const }),
    ...(measured.background === null ? {} : { background: { file: fileOf(measured.background) } }),
    ...(camera === null ? {} : { camera: await cameraFile(camera, measured) }),
    chroma: measured.chroma,
    steady: measured.steady === 'yes',
    mask,
    signal,
  });
}

const cameraFile = async (path: string, { up }: FilmMeasured) =>
  readCamera(await readFile(fileOf(path), 'utf8'), { name: path, ...(up === null ? {} : { up }) });

/** Of a camera at the origin that looks along -z, level. */
const LEVEL_POSE = { rotation: [1, 0, 0, 0], translation: [0, 0, 0] } as const;

/**
 * The camera of the film's pictures: of its file, or of the angle that it sees. Where it stands is told by the file, or by eye and
 * target. One of which that is not known is the origin, and looks along -z, level or nearly so.
 */
export async function cameraOf({ camera, eye, target, fieldOfView }: FilmMeasured, film: Film) {
  if ((eye === null) !== (target === null))
    throw new Error(`measured.ts tells the camera's ${eye ? 'eye' : 'target'} alone; it takes both or neither.`);
  const lens = camera === null ? lensOf(film.size, fieldOfView) : film.camera;
  const own = 'pose' in lens ? lens.pose : undefined;
  if (own && eye)
    throw new Error(`${camera} says where the camera is, and so do eye and target of measured.ts: make these null.`);
  const pose = own ?? (eye && target ? poseLookingAt(three(eye), three(target)) : undefined);
  const values = pinholeOf({ ...lens, pose: pose ?? LEVEL_POSE });
  return { isKnown: pose !== undefined, values, view: await filmCamera(PinholeCamera, values, film.size) };
}

const three = ([x, y, z]: readonly number[]) => [x, y, z] as const;

/** Of square pixels, with its axis through the middle of the picture. */
function lensOf({ width, height }: Film['size'], fieldOfView: number | null) {
  if (fieldOfView === null) throw new Error('measured.ts tells neither a file of the camera nor its fieldOfView.');
  const focal = height / 2 / Math.tan((fieldOfView * Math.PI) / 360);
  return {
    width,
    height,
    focalLength: [focal, focal] as const,
    // Whole numbers are centres of pixels.
    principalPoint: [(width - 1) / 2, (height - 1) / 2] as const,
    distortion: [0, 0, 0, 0, 0] as const,
  };
}

/** A camera that is held level is so to this angle, rad: about 6 degrees, up or down and to the side. */
const LEVEL = 0.1;
const TILT = 'tilt of the camera';
const ROLL = 'roll of the camera';

/** How a camera at the origin is held of which nothing is known: its unknowns, and what they make of it. */
export function heldLevel(unknowns: readonly ('tilt' | 'roll')[]): {
  parameters: ParameterSpec[];
  ties: TieSpec[];
} {
  const parameters = unknowns.map(
    (which): ParameterSpec => ({
      name: which === 'tilt' ? TILT : ROLL,
      initial: 0,
      scale: LEVEL,
      unit: 'rad',
      prior: { mean: 0, standardDeviation: LEVEL },
    }),
  );
  // Only names of unknowns may be asked for.
  const of = (v: Readonly<Record<string, number>>): number[] => {
    const half = (Math.PI - (unknowns.includes('tilt') ? v[TILT] : 0)) / 2;
    const roll = (unknowns.includes('roll') ? v[ROLL] : 0) / 2;
    // Half a turn about x looks along -z, less where it looks up; then about its axis, so that the picture turns clockwise.
    const [s, c] = [Math.sin(half), Math.cos(half)];
    return [Math.cos(roll) * s, Math.sin(roll) * s, Math.sin(roll) * c, Math.cos(roll) * c];
  };
  return { parameters, ties: [{ field: 'cameras.rotation', of }] };
}

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
