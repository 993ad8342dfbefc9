import type { Estimate, ParameterSpec, Problem } from '@gradsim/optim';
import { fromRows, layoutOf } from '@gradsim/render';
import { resizeFrames } from '@gradsim/video';
import type { SceneRenderer } from '../scenes/renderers.ts';
import type { Footage } from './footage.ts';
import { CLEAR, FIRST, FRAME_RATE, FULL, windowMask } from './footage.ts';
import { dropModel, substepsPerFrame } from './model.ts';
import { LEAD } from './parameters.ts';
import { TOUCHDOWN, touchdown } from './touchdown.ts';

/** A window around the ball in every frame, in pixels. */
export const WINDOW = { width: 16, height: 24 };
/** Fingers hide parts of the ball, and skin is reddish: there a frame tells a tenth of what others do. */
const IN_HAND_WEIGHT = 0.1;
/** Of the pixels, times all of a window: these err together, by what the camera's shift leaves, and tell as much as one. */
const WINDOW_VARIANCE = 0.0036 * WINDOW.width * WINDOW.height;
/** Area of the ball, in pixels of the video, to which masks are brought. */
const MEAN_AREA = 490;

/** Numbers of frames of the video that do not show the ball alone. */
const DISTURBED: ReadonlySet<number> = new Set([
  140, // leaves the region of the hand
  189,
  190,
  191, // before the socket
  199,
  200,
  206,
  207, // over the edge of the carpet
  201,
  202,
  203, // touching it
]);

/** How the windows are drawn. */
export interface WindowPicture {
  /** Pixels of the video to a pixel: 4 or 8. */
  readonly scale: number;
  /** Moments that are averaged in each frame, for motion blur. The shutter is open nearly all the time. */
  readonly instants: number;
  /** Softness of outlines, in pixels. */
  readonly softness: number;
  readonly hasFloor: boolean;
  readonly renderer: SceneRenderer;
}

/** What is estimated from windows, and what they show. */
export interface WindowProblem {
  readonly problem: Problem;
  readonly instants: number;
  /** Frames of the observation that are compared. */
  readonly chosen: readonly number[];
  /** What the windows show, in the layout of the pictures. */
  readonly target: Float64Array;
}

/**
 * The drop in windows that follow the ball, in every frame that shows it.
 *
 * The ball's colour depends on the light and on the speed; taken for size, it would feign a distance. So every mask is
 * brought to an area: where the ball is and how wide it is count, how bright it is does not.
 *
 * @param areas the ball's relative area by frame from an estimate before, see {@link shownAreas}.
 */
export function windowProblem(
  footage: Footage,
  parameters: readonly ParameterSpec[],
  { scale, instants, softness, hasFloor, renderer }: WindowPicture,
  areas: ReadonlyMap<number, number> = new Map(),
): WindowProblem {
  const seen = footage.centres.length;
  const frames = hasFloor ? LEAD + seen : TOUCHDOWN + 1;
  const corners = windowCorners(footage, frames, scale);
  const model = dropModel({
    whole: { width: FULL.width / scale, height: FULL.height / scale },
    window: { size: WINDOW, corners: corners.flatMap((c) => Array<number[]>(instants).fill(c).flat()) },
    softness,
    hasFloor,
    renderer,
    subdivisions: 1,
  });
  const layout = layoutOf(model);
  const target = new Float64Array(frames * layout.pixels);
  const weights = new Float64Array(frames * layout.pixels).fill(1);
  const chosen: number[] = [];
  for (let k = LEAD; k < frames; k++) {
    const frame = k - LEAD;
    if (!footage.centres[frame] || DISTURBED.has(FIRST + frame)) continue;
    const [x, y] = corners[k].map((c) => (c * scale) / 2);
    const region = { x, y, width: (WINDOW.width * scale) / 2, height: (WINDOW.height * scale) / 2 };
    const mask = resizeFrames(windowMask(footage, frame, region), WINDOW).data;
    const area = mask.reduce((sum, m) => sum + m, 0) * scale ** 2;
    if (!(area > MEAN_AREA / 4)) continue;
    const gain = ((areas.get(k) ?? 1) * MEAN_AREA) / area;
    chosen.push(k);
    target.set(
      fromRows(
        layout,
        Float64Array.from(mask, (m) => m * gain),
        1,
      ),
      k * layout.pixels,
    );
    if (frame < CLEAR - FIRST) weights.fill(IN_HAND_WEIGHT, k * layout.pixels, (k + 1) * layout.pixels);
  }
  const problem = {
    model,
    frames: frames * instants,
    frameRate: FRAME_RATE * instants,
    substeps: substepsPerFrame(hasFloor) / instants,
    parameters,
    observations: [
      { field: 'pixels.alpha', target, weights, frames: chosen, instants },
      ...(hasFloor ? [] : [touchdown(frames * instants, TOUCHDOWN * instants, WINDOW_VARIANCE)]),
    ],
    options: { iterations: 40, tolerance: 3e-4 },
  };
  return { problem, instants, chosen, target };
}

/** First column and row of the windows; where the ball is not seen, of the window before. */
function windowCorners({ centres }: Footage, frames: number, scale: number): number[][] {
  const within = (middle: number, window: number, whole: number): number =>
    Math.min(Math.max(Math.round((2 * middle) / scale - window / 2), 0), Math.floor(whole / scale) - window);
  let place = centres.find((c) => c)!;
  return Array.from({ length: frames }, (_, k) => {
    place = centres[k - LEAD] ?? place;
    return [within(place.x, WINDOW.width, FULL.width), within(place.y, WINDOW.height, FULL.height)];
  });
}

/** What the estimate shows in a frame of the observation, in the layout of the pictures. */
export function shownFrame(
  { instants, problem }: WindowProblem,
  estimate: Estimate,
  frame: number,
): Float64Array {
  const { pixels } = layoutOf(problem.model);
  const all = estimate.predicted['pixels.alpha'];
  const shown = new Float64Array(pixels);
  for (let i = 0; i < instants; i++) {
    for (let p = 0; p < pixels; p++) shown[p] += all[(frame * instants + i) * pixels + p] / instants;
  }
  return shown;
}

/** The ball's area in every compared frame at an estimate, over its mean: how perspective makes it larger or smaller. */
export function shownAreas(windows: WindowProblem, estimate: Estimate): Map<number, number> {
  const area = (k: number): number => shownFrame(windows, estimate, k).reduce((sum, a) => sum + a, 0);
  const sums = windows.chosen.map(area);
  const mean = sums.reduce((total, a) => total + a, 0) / sums.length;
  return new Map(windows.chosen.map((k, i) => [k, sums[i] / mean]));
}
