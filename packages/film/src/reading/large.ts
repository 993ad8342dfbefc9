import type { MovingFilm, MovingOptions, Size } from '@gradsim/video';
import type { FilmOptions } from './options.ts';
import type { Stroke } from './stroke.ts';

/**
 * Number of pixels of all frames above which a film is large: then the parts are read in which something moves, in values
 * of 8 or 16 bits. Whole, so many take 0.9 GB.
 */
const MIN_LARGE_PIXELS = 36e6;

/**
 * Options for reading the moving parts of a large film; undefined for one that is read whole: a small one, and one that is
 * stabilised, has masks or a background of a caller's own, or is compared by its colours.
 */
export function largeFilm(fullSize: Size, count: number, options: FilmOptions): MovingOptions | undefined {
  const { region = fullSize, size = region, background = 'median', mask = 'moving', steady = false } = options;
  const reduction = region.width / size.width;
  const isLarge = size.width * size.height * count > MIN_LARGE_PIXELS && count >= 3;
  const isOwn =
    typeof mask === 'function' || (typeof background === 'string' ? background !== 'median' : 'data' in background);
  if (!isLarge || isOwn || steady !== false || mask === 'none') return undefined;
  if (![1, 2, 4, 8].includes(reduction) || region.height / size.height !== reduction) return undefined;
  const still = stillOf(options);
  return {
    ...(options.size || options.pixels === 'all' ? { reduction } : {}),
    ...(still === undefined ? {} : { still }),
  };
}

/** Background as `readMoving` takes it: frames are counted among those read. */
function stillOf({ background, first = 0, every = 1 }: FilmOptions): MovingOptions['still'] {
  if (background === undefined || typeof background === 'string' || 'data' in background) return undefined;
  if ('file' in background) return background.file;
  const [from, to] = background.frames;
  return [Math.round((from - first) / every), Math.round((to - first) / every)];
}

/** Sentence on what was read of a large film. */
export function saidOf(
  name: string,
  count: number,
  { width, height }: Size,
  { reduction, isForced, width: thing }: Omit<MovingFilm, 'frames' | 'background'>,
): string {
  const film = `${name} is large: of its ${count} frames of ${width} x ${height} pixels the parts are read in which something moves`;
  if (reduction === 1) return `${film}.`;
  const size = `${film}, at 1/${reduction} of their width and height (${width / reduction} x ${height / reduction})`;
  const wide = thing === undefined ? '' : `, where what moves is about ${Math.round(thing / reduction)} pixels wide`;
  return isForced
    ? `${size}${wide}: they do not fit in memory otherwise. Give fewer frames by first and last to keep more.`
    : `${size}${wide}, which is enough: pixels = all keeps every pixel.`;
}

/** Stroke of a brush over a picture that is reduced. */
export const strokeIn = (stroke: Stroke, reduction: number): Stroke =>
  reduction === 1
    ? stroke
    : {
        ...stroke,
        radius: stroke.radius / reduction,
        points: stroke.points.map(([x, y]) => [x / reduction, y / reduction] as const),
      };
