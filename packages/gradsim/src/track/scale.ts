import { median } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import {
  outlineDiameter,
  type PlaneMotion,
  planeScale,
  type SeenPoints,
  type TrackedFilm,
  unevenTimes,
} from '@gradsim/film';
import { formatNumber } from '../terminal/numbers.ts';

/** Scale of a film in the plane of a motion. */
export interface TrackScale {
  readonly pixelsPerMetre: number;
  readonly relativeError: number;
  /** Source of the scale. */
  readonly by: string;
}

/** Known length in a film: one between two places, px, or the diameter of what is followed, m. */
export interface KnownLength {
  readonly length?: number;
  readonly between?: readonly number[];
  readonly size?: number;
  /** Relative standard deviation of either. */
  readonly lengthTolerance: number;
}

/** Source of a scale by the size of what is followed, and its relative error above which a marked length is better. */
const BY_OUTLINE = 'the size of its outline';
const MAX_SCALE_ERROR = 0.02;

/** Scale by the marked length, or by the size of what is followed. @throws where nothing was followed. */
export function scaleOf(film: TrackedFilm, { track }: SeenPoints, known: KnownLength): TrackScale {
  const { length, between, size, lengthTolerance } = known;
  if (length !== undefined) {
    const { pixelsPerMetre, relativeError } = planeScale(film.info, {
      ends: between!,
      span: length,
      fieldOfView: null,
      lengthTolerance,
      angleTolerance: 0,
    });
    return { pixelsPerMetre, relativeError, by: 'the marked length' };
  }
  const outline = track && outlineDiameter(film, track);
  if (!outline)
    throw new GradsimError(
      'gradsim/option-missing',
      'The size of the thing gives a scale only if it is followed by itself, and seen whole.',
      { field: '--size', hint: 'Mark a known length instead.' },
    );
  return {
    pixelsPerMetre: outline.pixels / size!,
    relativeError: Math.hypot(outline.error / outline.pixels, lengthTolerance),
    by: BY_OUTLINE,
  };
}

export const scaleSentence = ({ pixelsPerMetre, relativeError, by }: TrackScale): string =>
  `${formatNumber(pixelsPerMetre, 5)} pixels a metre, by ${by}, to ${formatNumber(100 * relativeError, 2)} %: all lengths share this error, which bars do not hold.`;

/** Part of the size by which a thing may grow or shrink before it counts as not moving in a plane that faces the camera. */
const MAX_SIZE_CHANGE = 0.08;
/** Number of errors that marks may be off what was followed. */
const MAX_MARK_ERRORS = 3;

/** Sentences on what makes a track less than it seems. */
export function remarksOn(
  film: TrackedFilm,
  seen: SeenPoints,
  motion: PlaneMotion,
  { by, relativeError }: TrackScale,
): string[] {
  const { points, track, marksOff, scatterOfMarks } = seen;
  const uneven = unevenTimes(film.info);
  const marks = points.filter(({ isMark }) => isMark);
  const rough = points.filter((_, k) => motion.isRough[k]).map(({ frame }) => frame);
  const areas = track?.points.flatMap(({ area, blob }) => (area && blob?.isWhole !== false ? [area] : [])) ?? [];
  const part = Math.max(3, Math.floor(areas.length / 5));
  const grown = Math.sqrt(median(areas.slice(-part)) / median(areas.slice(0, part)));
  const missing = points[points.length - 1].frame - points[0].frame + 1 - points.length;
  return [
    ...(uneven ? [`Frames at uneven times: ${uneven}, used as stated.`] : []),
    ...(missing > 0 ? [`In ${missing} frames between the first and the last it was not seen whole.`] : []),
    ...(by === BY_OUTLINE && relativeError > MAX_SCALE_ERROR
      ? ['For a scale the thing is small in the picture: a longer length that is marked by its two ends is more exact.']
      : []),
    ...(motion.jumps.length > 0
      ? [
          `The velocity jumps before frames ${framesOf(motion.jumps.map((k) => points[k].frame))}, as at a bounce: velocities and accelerations are those of either side.`,
        ]
      : []),
    ...(rough.length > 0
      ? [
          `Velocities and accelerations are rough at ${rough.length} points: frames ${framesOf(rough)}. Bars are larger there, and may be too small; windows of fewer points are narrower.`,
        ]
      : []),
    ...(Math.abs(Math.log(grown)) > MAX_SIZE_CHANGE
      ? [
          `Its outline ${grown > 1 ? 'grows' : 'shrinks'} by ${formatNumber(100 * Math.abs(grown - 1), 2)} % on the way: it comes nearer or goes away, or its mask is wrong, and the scale by ${by} holds at one distance alone.`,
        ]
      : []),
    ...(marksOff && Math.hypot(...marksOff) > MAX_MARK_ERRORS * marks[0].error
      ? [
          `Marks are off what was followed in the same frames by ${formatNumber(marksOff[0], 2)} px to the right and ${formatNumber(marksOff[1], 2)} px down: another point of the thing, or another thing.`,
        ]
      : []),
    ...(scatterOfMarks !== undefined && scatterOfMarks > 2 * marks[0].error
      ? [
          `The marks scatter by ${formatNumber(scatterOfMarks, 2)} px about a smooth path, and their error is given as ${formatNumber(marks[0].error, 2)} px.`,
        ]
      : []),
  ];
}

/** Most frames that are listed. */
const MAX_LISTED = 12;

const framesOf = (frames: readonly number[]): string =>
  `${frames.slice(0, MAX_LISTED).join(', ')}${frames.length > MAX_LISTED ? ` and ${frames.length - MAX_LISTED} more` : ''}`;
