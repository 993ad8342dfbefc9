import { type StopSignal, upperMedian } from '@gradsim/base';
import type { Film } from '../film.ts';
import type { ObservedOutline } from '../outlines/observed.ts';
import type { ThreadModule } from '../threads/start.ts';
import { TwoThreads } from '../threads/two-threads.ts';
import { PICTURES } from '../tuning/pictures.ts';
import { cutAround, picturesIn } from './pictures.ts';
import { type FittedState, type FrameFit, fitState, type Shape } from './shape.ts';
import { type ShapeKind, type ShapeRecord, type StartOf, shapeOf } from './shapes.ts';

/** Outlines fitted to a film. */
export interface FittedOutlines {
  /** Outlines by frame; undefined in frames whose pixels the shape does not explain. */
  readonly outlines: readonly (ObservedOutline | undefined)[];
  /** Exposure time as a fraction of the frame interval; 0 if nothing is fast enough to determine it. */
  readonly shutter: number;
}

/** Frames of a film, and its background. */
export type FilmPictures = Pick<Film, 'frames' | 'background'>;

const THREAD: ThreadModule = {
  address: () => new URL('./thread.js', import.meta.url),
  startInPage: () => new Worker(new URL('./thread.js', import.meta.url), { type: 'module' }),
};

/**
 * Fits a shape to all pixels around it, frame by frame, on two threads where there are two: first the exposure time, from
 * the fastest frames, then each frame with that exposure. Of several starts in a frame, as before and after a bounce, the one
 * that explains most pixels is taken. A frame gets no outline if too many pixels stay unexplained, or the fitted shape looks
 * like the background or is far from its expected position.
 *
 * @param starts approximate states by frame; an empty list where the shape is not expected.
 * @param options `shutter`: exposure time as a fraction of the frame interval, if known.
 */
export async function fitOutlines<K extends ShapeKind>(
  film: FilmPictures,
  record: ShapeRecord<K>,
  starts: readonly (readonly StartOf<K>[])[],
  { shutter, signal }: { readonly shutter?: number; readonly signal?: StopSignal },
): Promise<FittedOutlines> {
  const shape: Shape<StartOf<K>, unknown> = shapeOf(record);
  const threads = new TwoThreads(THREAD, record, (fit: FrameFit<StartOf<K>>) => fitState(shape, fit));
  const fitTo =
    (frame: number, start: StartOf<K>, exposure: number, findsExposure = false) =>
    () => ({
      pictures: picturesIn(film, frame, cutAround(shape.corners(start), shape.tuning.margin, film.frames)),
      start,
      exposure,
      findsExposure,
    });
  try {
    const first = PICTURES.shutter * shape.wholeFrame;
    const fast = shutter === undefined ? fastFrames(shape, starts) : [];
    const exposed = await threads.map(
      fast.map((frame) => fitTo(frame, starts[frame][0], first, true)),
      signal,
    );
    const open = Math.min(Math.max(shutter ?? shutterOf(shape, exposed), 0), 1);
    const exposure = shape.wholeFrame * open;
    const found = await threads.map(
      starts.flatMap((own, frame) => own.map((start) => fitTo(frame, start, exposure))),
      signal,
    );
    let next = 0;
    const outlines = starts.map((own) =>
      outlineOf(
        shape,
        own.map((start) => ({ start, found: found[next++] })),
        exposure,
      ),
    );
    return { outlines, shutter: exposure / shape.wholeFrame };
  } finally {
    threads.end();
  }
}

/** Outline of the state that explains most pixels, of those found from several starts; undefined if it is not the shape. */
function outlineOf<Start, State>(
  shape: Shape<Start, State>,
  all: readonly { readonly start: Start; readonly found: FittedState<State> }[],
  exposure: number,
): ObservedOutline | undefined {
  if (all.length === 0) return undefined;
  const { steps, mostOutliers, maxDistance } = shape.tuning;
  const { start, found } = all.reduce((best, each) =>
    each.found.outlierFraction < best.found.outlierFraction ? each : best,
  );
  const here = shape.outline(found.state);
  const expected = shape.outline(
    shape.stateAt(
      start,
      steps.map(() => 0),
      exposure,
    ),
  );
  const isFound =
    found.outlierFraction < mostOutliers &&
    found.backgroundFraction < PICTURES.mostBackground &&
    Math.hypot(here.x - expected.x, here.y - expected.y) < maxDistance;
  return isFound ? { ...here, uncertainty: shape.uncertainty(start, found) } : undefined;
}

/** The fastest frames with a single start. */
const fastFrames = <Start>({ tuning, speed }: Shape<Start, unknown>, starts: readonly (readonly Start[])[]): number[] =>
  fastestOf(
    starts.map((own) => (own.length === 1 ? speed(own[0]) : 0)),
    tuning.fastSpeed,
    tuning.mostFast,
  );

/** Exposure time as a fraction of the frame interval: the median over the fastest frames; 0 if none is fast. */
function shutterOf<State>({ tuning, wholeFrame }: Shape<never, State>, found: readonly FittedState<State>[]): number {
  const exposures = found.flatMap((one) => (one.outlierFraction < tuning.mostOutliers ? [one.exposure] : []));
  return exposures.length === 0 ? 0 : upperMedian(exposures) / wholeFrame;
}

/** Indices of the fastest frames among those faster than `minSpeed`, at most `maxCount` of them. */
export const fastestOf = (speeds: readonly number[], minSpeed: number, maxCount: number): number[] =>
  [...speeds.keys()]
    .filter((frame) => speeds[frame] > minSpeed)
    .sort((a, b) => speeds[b] - speeds[a])
    .slice(0, maxCount);
