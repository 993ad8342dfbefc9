import { upperMedian } from '@gradsim/base';
import { GradsimError, refuseUnknownOptions } from '@gradsim/core';
import type { Check, Posterior } from '@gradsim/optim';
import type { WorkSteps } from '@gradsim/video';
import { runStepsWithPauses, timeOf } from '@gradsim/video';
import type { Film } from '../../film.ts';
import type { FilmCamera } from '../../film-camera.ts';
import type { ObservedOutline } from '../../outlines/observed.ts';
import { mainFrequency } from '../../starts/frequency.ts';
import { BEAM, type BeamRound } from '../../tuning/beam.ts';
import { PICTURES } from '../../tuning/pictures.ts';
import { fastestOf } from '../outlines.ts';
import { picturesIn, refuseOtherFilm } from '../pictures.ts';
import { type BeamOutlineOptions, BentBeam, STRAIGHT } from './beam.ts';
import { BendFit, type ExposedBend, type FittedBend } from './fit.ts';
import { layerOf } from './layer.ts';
import { LightRows } from './light-rows.ts';
import { decayOf, scatterOf, swingsOf } from './swings.ts';

/** Result of {@link fitBeamOutlines}. */
export interface BeamOutlines {
  /** Outlines in the middle of the exposure, by frame; undefined in frames that are not compared. */
  readonly outlines: readonly (ObservedOutline | undefined)[];
  /** Heights of the beam's free end relative to frame 0, m, by compared frame, and the times of these, s. */
  readonly tips: readonly number[];
  readonly times: readonly number[];
  /** Damping ratio of the swing, to about 0.002; at most 0.16. */
  readonly dampingRatio: number;
  /** Exposure time as a fraction of the frame interval; 0 if the beam is too slow to determine it. */
  readonly shutter: number;
  /**
   * Check for the problem that compares the outlines: the estimate is distrusted if something else is visible in front
   * of the beam.
   */
  readonly check: Check<Posterior>;
}

type Bend = readonly number[];

/**
 * Outlines of a beam that is clamped at one end, straight and at rest in frame 0, fitted to all of its pixels: the
 * image of the beam in frame 0, separated from the background by its known position, is bent in front of the background
 * of each other frame, and blurred by its motion while the shutter is open, until it matches that frame. Stripes and
 * shading of the beam do not matter. The background has to be a picture without the beam: parts of it are hidden in
 * every frame, so that it cannot be computed from them.
 *
 * A frame shows the mean position over the exposure, which is nearer to the rest position than the position in the
 * middle of the exposure: by 1.6 % at five frames per swing and an exposure of half a frame, which would be mistaken
 * for damping. The returned outlines are those in the middle of the exposure.
 *
 * ```ts
 * const { outlines } = await fitBeamOutlines(film, camera, { length: 0.8, thickness: 0.05, width: 0.06, clamp: [0, 0.4, 0] });
 * ```
 * @throws for sizes that are not above 0, for a beam outside the camera's view, and for a camera of another film.
 */
export async function fitBeamOutlines(
  film: BeamFilm,
  camera: FilmCamera,
  options: BeamOutlineOptions,
): Promise<BeamOutlines> {
  refuseUnknownOptions<BeamOutlineOptions>('fitBeamOutlines', options, {
    length: 0,
    thickness: 0,
    width: 0,
    clamp: 0,
    direction: 0,
    signal: 0,
  });
  for (const name of ['length', 'thickness', 'width'] as const)
    if (!(options[name] > 0 && Number.isFinite(options[name])))
      throw new GradsimError('film/option-out-of-range', `fitBeamOutlines: ${name} is ${options[name]}.`, {
        field: name,
        hint: 'It must be above 0, in metres.',
      });
  refuseOtherFilm('fitBeamOutlines', film, camera, film.count);
  return runStepsWithPauses(beamSteps(film, camera, options), options.signal);
}

type BeamFilm = Pick<Film, 'frames' | 'background' | 'count'> & Partial<Pick<Film, 'isCompared'>>;

function* beamSteps(film: BeamFilm, camera: FilmCamera, options: BeamOutlineOptions): WorkSteps<BeamOutlines> {
  const beam = new BentBeam(camera, options);
  const { cut } = beam;
  if (cut.width < BEAM.narrowest || cut.height < 2)
    throw new GradsimError(
      'film/not-seen',
      'fitBeamOutlines: the camera does not see the beam: are clamp and direction in its axes?',
    );
  const bendFit = new BendFit(beam, layerOf(picturesIn(film, 0, cut), beam));
  const [light, background] = [film.frames, film.background].map((from) => new LightRows(from, cut));
  const fit: FitFrame = (frame, ...how) => bendFit.fit({ frame, light, background }, ...how);
  const frames = [...Array(film.count).keys()].filter((frame) => film.isCompared?.(frame) ?? true);
  const times = frames.map((frame) => timeOf(film.frames, frame));
  const rough = yield* roughBends(frames, fit, options);
  // A frame shows the mean position of the beam: with that, and with its displacement in a frame, it is fitted once
  // more.
  const tips = rough.map((bend) => beam.tipHeight(bend));
  const { frameRate } = film.frames;
  const perFrame = mainFrequency(tips, film.frames.times ? times : frameRate) / frameRate;
  const moments = times.map((time) => time * frameRate);
  const decay = decayOf(tips, moments, perFrame);
  const starts = swingsOfBends(rough, moments, perFrame, decay);
  const ways = starts.map(({ bendChange }) => Math.max(...bendFit.displacements(bendChange).map(Math.abs)));
  // Frame 0 is the reference of the others.
  const fast = yield* inSteps(fastestOf([0, ...ways.slice(1)], BEAM.fast, BEAM.mostFast), (k) =>
    fit(frames[k], { ...starts[k], shutter: PICTURES.shutter, soft: 0 }, BEAM.near, true),
  );
  const median = (name: 'shutter' | 'soft'): number =>
    fast.length > 0 ? upperMedian(fast.map((one) => one[name])) : 0;
  const [shutter, soft] = [median('shutter'), median('soft')];
  const all = [...frames.keys()];
  const found = yield* inSteps(all, (k) => fit(frames[k], { ...starts[k], shutter, soft }, BEAM.near));
  const bends = inTheMiddle(
    swingsOfBends(
      found.map((one) => one.bend),
      moments,
      perFrame,
      decay,
    ),
    Math.PI * perFrame * shutter,
  );
  const middles = bends.map((bend) => beam.outline(bend));
  const heights = middles.map(({ y }) => y);
  const held = BEAM.perScatter * scatterOf(heights, moments, perFrame, decay);
  const outlines = Array<ObservedOutline | undefined>(film.count).fill(undefined);
  middles.forEach((middle, k) => {
    const own = [middles[k - 1], middles[k + 1]].map((beside) => (beside ? Math.abs(beside.y - middle.y) : 0));
    const uncertainty = Math.hypot(
      BEAM.uncertainty,
      BEAM.perWay * Math.max(...own),
      PICTURES.scatterFactor * found[k].scatter,
      held,
    );
    outlines[frames[k]] = { ...middle, uncertainty };
  });
  const check = checkOf(found.map(({ outlierFraction }) => outlierFraction));
  return {
    outlines,
    tips: bends.map((bend) => beam.tipHeight(bend)),
    times,
    dampingRatio: decay / (2 * Math.PI * perFrame),
    shutter,
    check,
  };
}

/** Results of a function of each frame, a step each. */
function* inSteps<T>(frames: readonly number[], of: (frame: number) => T): WorkSteps<T[]> {
  const results: T[] = [];
  for (const frame of frames) {
    results.push(of(frame));
    yield;
  }
  return results;
}

type FitFrame = (frame: number, start: ExposedBend, rounds: readonly BeamRound[], findsBlur?: boolean) => FittedBend;

/**
 * Bends fitted without blur: each frame's fit starts at the bend of the frame before, and if that explains too few
 * pixels, at the best of bends over the whole range.
 */
function* roughBends(frames: readonly number[], fit: FitFrame, options: BeamOutlineOptions): WorkSteps<Bend[]> {
  const still = { bendChange: STRAIGHT, shutter: 0, soft: 0 };
  let bend = STRAIGHT;
  return yield* inSteps(frames, (frame) => {
    const own = fit(frame, { bend, ...still }, BEAM.far);
    if (own.outlierFraction < BEAM.mostOutliers) bend = own.bend;
    else {
      // It moved further than its thickness: any bend is possible.
      const [nearest] = anyBend(options)
        .map((tried) => ({
          tried,
          outlierFraction: fit(frame, { bend: tried, ...still }, [BEAM.far[BEAM.far.length - 1]]).outlierFraction,
        }))
        .sort((a, b) => a.outlierFraction - b.outlierFraction);
      const other = fit(frame, { bend: nearest.tried, ...still }, BEAM.far);
      bend = (other.outlierFraction < own.outlierFraction ? other : own).bend;
    }
    return bend;
  });
}

/** Bends in the first mode over the whole range, whose free ends are half of the beam's thickness apart. */
function anyBend({ length, thickness }: BeamOutlineOptions): Bend[] {
  const most = Math.ceil((BEAM.farthest * length) / (thickness / 2));
  return Array.from({ length: 2 * most + 1 }, (_, k) =>
    STRAIGHT.map((_, i) => (i === 0 ? (k - most) * (thickness / 2) : 0)),
  );
}

/** Bend of the beam at one frame, with the oscillation fitted to each of its components. */
interface SwingingBend {
  readonly bend: Bend;
  /** Change of the bend in a frame interval, at the frame's rate of change, m. */
  readonly bendChange: Bend;
  /** Displacement of the bend from its rest position, m. */
  readonly part: Bend;
}

function swingsOfBends(
  bends: readonly Bend[],
  moments: readonly number[],
  perFrame: number,
  decay: number,
): SwingingBend[] {
  const swings = STRAIGHT.map((_, i) =>
    swingsOf(
      bends.map((bend) => bend[i]),
      moments,
      perFrame,
      decay,
    ),
  );
  return bends.map((bend, frame) => ({
    bend,
    bendChange: swings.map((own) => own[frame].velocity),
    part: swings.map((own) => own[frame].part),
  }));
}

/**
 * Bends in the middle of the exposure, from their means over the exposure. The mean displacement of a swing over an
 * exposure is the displacement in its middle times sin(x) / x. The exposure of frame 0 begins at the release.
 *
 * @param x half of the swing's phase change during an exposure, rad.
 */
function inTheMiddle(swings: readonly SwingingBend[], x: number): Bend[] {
  const [more, before] = x > 0 ? [x / Math.sin(x) - 1, (Math.sin(x) - x) / (2 * x)] : [0, 0];
  return swings.map(({ bend, part }, frame) =>
    frame === 0 ? STRAIGHT : bend.map((b, i) => b + more * part[i] + before * swings[0].part[i]),
  );
}

/** Check that nothing hides the beam, by the unexplained fraction of its pixels in each frame. */
function checkOf(outlierFractions: readonly number[]): Check<Posterior> {
  const usual = upperMedian(outlierFractions);
  const hidden = outlierFractions.flatMap((part, frame) => (part > usual + BEAM.hidden ? [frame] : []));
  const isTooMuch = hidden.length > PICTURES.mostUnseen * outlierFractions.length;
  return {
    kind: 'check',
    rank: 80,
    isCritical: true,
    find: () =>
      isTooMuch && {
        note: `In ${hidden.length} of ${outlierFractions.length} frames, among ${hidden[0]} to ${hidden[hidden.length - 1]}, something else is seen where the beam is. Look at them by \`gradsim look\`, and leave them out by \`first\` and \`last\`.`,
      },
  };
}
