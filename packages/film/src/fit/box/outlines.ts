import { refuseUnknownOptions } from '@gradsim/core';
import type { FilmCamera } from '../../camera.ts';
import type { Film } from '../../film.ts';
import { hullOf } from '../../outlines/hull.ts';
import { middleOf, reachesOf } from '../../outlines/reach.ts';
import type { SeenOutline } from '../../outlines/targets.ts';
import { type BoxState, rotated } from '../../starts/turning.ts';
import { cutAround, type Pictures, picturesIn, refuseOtherFilm } from '../cut.ts';
import { fitBox, type Known } from './fit.ts';
import { movedOn, sidesOf } from './picture.ts';

/** What is known of a box in a film. */
export interface BoxOutlineOptions {
  /** Of the box, along its axes, m. */
  readonly size: readonly number[];
  /** About how it is and moves, frame by frame: some pixels off at most. Frames without are left out. */
  readonly states: readonly (BoxState | undefined)[];
  /** Height of the floor, m: near to it, the shadow at the box's foot hides its rim. Default 0. */
  readonly floor?: number;
  /** The part of a frame's time that the shutter was open. Default: what the fastest frames tell. */
  readonly shutter?: number;
}

/** The outlines that were found. */
export interface BoxOutlines {
  /** By frame; none where the box does not explain what is seen. */
  readonly outlines: readonly (SeenOutline | undefined)[];
  /** The part of a frame's time that the shutter was open; 0 where nothing is fast enough to tell. */
  readonly shutter: number;
}

/** Pixels around the box that are compared as well. */
const MARGIN = 8;
/** The shutter is looked for from here on, as part of a frame. */
const SHUTTER = 0.35;
/** What moves by so many pixels from frame to frame tells it. */
const FAST = 12;
/** A box that is found so far from where it was expected, pixels, or that leaves so much of itself unexplained, is not found. */
const FAR = 10;
const STRANGE = 0.35;
/** Nor is one of which such a part looks like what is behind. */
const PLAIN = 0.5;
/** What a rim is off by in one frame, and for each pixel that it is blurred over. */
const DOUBT = 0.07;
const BLUR_DOUBT = 0.012;
/** What it is off by where the box stands on its own shadow, and how high above the floor that ends, in parts of its least side. */
const FOOT_DOUBT = 0.6;
const FOOT = 0.5;

/**
 * The outlines of a box, from all pixels around it: in each frame the pose whose picture comes nearest to what is seen, sides in
 * colours of their own, blurred by its motion while the shutter was open, before the film's background. Its outline in the middle of
 * the exposure is known better by far than that of a mask, which blur, and colours like those behind, pull to one side.
 *
 * ```ts
 * const { outlines } = boxOutlinesIn(film, camera, { size: [0.1, 0.06, 0.04], states });
 * ```
 * @throws for sizes that are not above 0, and for a camera or states of another film.
 */
export function boxOutlinesIn(film: Film, camera: FilmCamera, options: BoxOutlineOptions): BoxOutlines {
  refuseUnknownOptions<BoxOutlineOptions>('boxOutlinesIn', options, {
    size: 0,
    states: 0,
    floor: 0,
    shutter: 0,
  });
  const { size, states, floor = 0 } = options;
  if (size.length !== 3 || !size.every((side) => side > 0 && Number.isFinite(side)))
    throw new Error(`boxOutlinesIn: size is (${size.join(', ')}); give three lengths above 0, in metres.`);
  refuseOtherFilm('boxOutlinesIn', film, camera, states.length);
  const known: Known = { size, camera };
  const frameTime = 1 / film.frameRate;
  const picturesOf = (frame: number, state: BoxState): Pictures => {
    const points = [-0.25, 0, 0.25].flatMap((part) => shownAt(size, state, part * frameTime, camera));
    return picturesIn(film, frame, cutAround(points, MARGIN, camera));
  };
  const told = (options.shutter === undefined ? states : []).flatMap((state, frame) =>
    state ? [{ state, frame }] : [],
  );
  const fast = told
    .map((one) => ({ ...one, way: wayOf(size, one.state, frameTime, camera) }))
    .filter(({ way }) => way > FAST)
    .sort((a, b) => b.way - a.way)
    .slice(0, 5)
    .map(({ state, frame }) => fitBox(picturesOf(frame, state), state, SHUTTER * frameTime, known, true))
    .filter(({ strange }) => strange < STRANGE)
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b);
  const open = options.shutter ?? (fast[fast.length >> 1] ?? 0) / frameTime;
  const seconds = frameTime * Math.min(Math.max(open, 0), 1);
  const outlines = states.map((state, frame): SeenOutline | undefined => {
    if (!state) return undefined;
    const fitted = fitBox(picturesOf(frame, state), state, seconds, known, false);
    const [here, expected] = [fitted.state, state].map((one) => outlineOf(size, one, camera));
    const moved = Math.hypot(here.x - expected.x, here.y - expected.y);
    if (!(fitted.strange < STRANGE && fitted.plain < PLAIN && moved < FAR)) return undefined;
    const blur = wayOf(size, state, seconds, camera);
    const low = Math.min(...sidesOf(size).corners.map((c) => rotated(fitted.state.orientation, c)[1]));
    const height = fitted.state.position[1] + low - floor;
    const foot = FOOT_DOUBT * Math.min(Math.max(1 - height / (FOOT * Math.min(...size)), 0), 1);
    return { ...here, doubt: Math.hypot(DOUBT, BLUR_DOUBT * blur, foot) };
  });
  return { outlines, shutter: seconds / frameTime };
}

function shownAt(size: readonly number[], state: BoxState, after: number, camera: FilmCamera) {
  const { position, orientation } = movedOn(state, after);
  return sidesOf(size).corners.map((corner) =>
    camera.project(rotated(orientation, corner).map((c, k) => c + position[k])),
  );
}

function outlineOf(size: readonly number[], state: BoxState, camera: FilmCamera): Required<Omit<SeenOutline, 'doubt'>> {
  const line = hullOf(shownAt(size, state, 0, camera));
  const middle = middleOf(line);
  return { ...middle, reaches: reachesOf([line], middle.x, middle.y) };
}

/** Distance that the fastest corner of a box goes in a time, px. */
export function wayOf(size: readonly number[], state: BoxState, seconds: number, camera: FilmCamera): number {
  const [before, after] = [-0.5, 0.5].map((part) => shownAt(size, state, part * seconds, camera));
  return Math.max(...before.map(([x, y], k) => Math.hypot(after[k][0] - x, after[k][1] - y)));
}
