import { fileURLToPath } from 'node:url';
import { readCamera } from 'gradsim/cameras';
import { readText } from 'gradsim/files';
import type { Film, FilmOptions, MeasuredCamera } from 'gradsim/film';
import { readFilm, strokesOf } from 'gradsim/film';
import type { ExperimentContext } from 'gradsim/optim';

/** Type of the measurements of film and camera in `measured.ts`. */
export interface FilmMeasured extends MeasuredCamera {
  readonly video: string;
  readonly background: string | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly without: readonly number[] | null;
  readonly retouch: string | null;
  readonly frameRate: number | null;
  readonly clock: 'right' | 'wrong';
  readonly upright: '0' | '90' | '180' | '270';
  readonly pixels: 'enough' | 'all';
  readonly chroma: 'left' | 'centre';
  readonly steady: 'no' | 'yes';
  readonly camera: string | null;
  readonly up: 'y' | 'z' | '-y' | '-z' | null;
}

/** Measurements for a film in which the moving thing to track may be chosen. */
export interface MovingMeasured extends FilmMeasured {
  readonly track: number | null;
}

/** Absolute path of a file given relative to this module. */
const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Reads the film, with masks of the moving things. */
export async function filmOf(
  measured: FilmMeasured,
  { video, signal, log }: Pick<ExperimentContext, 'video' | 'signal' | 'log'>,
  mask: FilmOptions['mask'] = 'moving',
): Promise<Film> {
  const { camera } = measured;
  return readFilm(video ?? fileOf(measured.video), {
    first: measured.first ?? undefined,
    last: measured.last ?? undefined,
    without: measured.without ?? [],
    retouch: strokesOf(measured.retouch),
    ...(measured.frameRate === null ? {} : { frameRate: measured.frameRate }),
    clock: measured.clock,
    ...(measured.background === null ? {} : { background: { file: fileOf(measured.background) } }),
    ...(camera === null ? {} : { camera: await cameraFile(camera, measured) }),
    upright: Number(measured.upright) as FilmOptions['upright'],
    pixels: measured.pixels,
    chroma: measured.chroma,
    steady: measured.steady === 'yes',
    mask,
    signal,
    log,
  });
}

const cameraFile = async (path: string, { up }: FilmMeasured) =>
  readCamera(await readText(fileOf(path)), { name: path, ...(up === null ? {} : { up }) });
