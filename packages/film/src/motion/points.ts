import { median } from '@gradsim/base';
import { GradsimError } from '@gradsim/core';
import type { Track } from '@gradsim/video';
import type { Film } from '../film.ts';
import { markError } from '../mark-error.ts';
import { noiseOf } from './smooth.ts';

/** Place of something in a frame. */
export interface SeenPoint {
  /** Number of the frame in the file. */
  readonly frame: number;
  /** Time since the first frame that was read, s. */
  readonly time: number;
  /** Place in the picture, px of the file from the left and the upper edge. */
  readonly x: number;
  readonly y: number;
  /** Standard error of either, px. */
  readonly error: number;
  /** True for a mark that a person set. */
  readonly isMark: boolean;
}

/** Places of something, by {@link pointsIn}. */
export interface SeenPoints {
  readonly points: readonly SeenPoint[];
  /** Track that was followed; undefined if only marks count. */
  readonly track?: Track;
  /** Scatter of the marks about a smooth path, px; undefined for fewer than seven. */
  readonly scatterOfMarks?: number;
  /**
   * Median of what marks are off the track in the same frames, to the right and down, px; undefined without such frames.
   */
  readonly marksOff?: readonly [right: number, down: number];
}

/** Parts of a film that tell where things in it are; without its pictures, so that it can be handed on. */
export type TrackedFilm = Pick<Film, 'info' | 'count' | 'times' | 'tracks' | 'reduction' | 'frameRate' | 'number'>;

/** Places that a person marked. */
export interface MarksOfPerson {
  readonly points: readonly Pick<Track['points'][number], 'frame' | 'x' | 'y'>[];
}

/** Options of {@link pointsIn}. */
export interface SeenPointsOptions {
  /** Name of the track that is followed. Default: the largest, or the one nearest to the marks. */
  readonly track?: string;
  /** Marks, in px and frames of the file. In their frames they replace what was followed. */
  readonly marks?: MarksOfPerson;
  /** Standard error of a mark, px. Default: that of a click, by the size of the picture. */
  readonly markError?: number;
  /** True if marks count alone. Default false. */
  readonly marksAlone?: boolean;
}

/** Smallest noise of a track that is followed by itself, px: masks of a still thing repeat themselves. */
const LEAST_NOISE = 0.02;

/**
 * Places of a thing in a film: of its track, of marks that a person set, or of both. The error of those of the track is the
 * noise that they show.
 *
 * @throws if the film has no such track, nothing moves in it and nothing is marked, and for marks in frames that were not
 * read.
 */
export function pointsIn(film: TrackedFilm, options: SeenPointsOptions = {}): SeenPoints {
  const { marks, marksAlone = false } = options;
  const marked = marks ? marksOf(film, marks, options.markError ?? markError(film.info)) : [];
  const track = marksAlone ? undefined : trackOf(film, marked, options.track);
  const followed = track ? followedIn(film, track) : [];
  const own = new Set(marked.map(({ frame }) => frame));
  const points = [...marked, ...followed.filter(({ frame }) => !own.has(frame))].sort((a, b) => a.frame - b.frame);
  const both = marked.flatMap((mark) => {
    const other = followed.find(({ frame }) => frame === mark.frame);
    return other ? [[mark.x - other.x, mark.y - other.y]] : [];
  });
  const scatter = noiseOf(
    marked.map(({ time }) => time),
    [marked.map(({ x }) => x), marked.map(({ y }) => y)],
  );
  return {
    points,
    ...(track ? { track } : {}),
    ...(scatter === undefined ? {} : { scatterOfMarks: scatter }),
    ...(both.length > 0 ? { marksOff: [median(both.map(([dx]) => dx)), median(both.map(([, dy]) => dy))] } : {}),
  };
}

function marksOf(film: TrackedFilm, { points }: MarksOfPerson, error: number): SeenPoint[] {
  const frames = new Map(Array.from({ length: film.count }, (_, frame) => [film.number(frame), frame]));
  return points.map(({ frame, x, y }) => {
    const index = frames.get(frame);
    if (index === undefined)
      throw new GradsimError('film/no-such-frame', `A mark is in frame ${frame}, which is not among those read.`, {
        hint: `Frames are counted from 0; those from ${film.number(0)} to ${film.number(film.count - 1)} are read.`,
      });
    return { frame, time: film.times[index], x, y, error, isMark: true };
  });
}

/** The track of a name, else the one nearest to the marks, else the largest. */
function trackOf(film: TrackedFilm, marks: readonly SeenPoint[], name: string | undefined): Track | undefined {
  const { tracks } = film;
  if (name !== undefined) {
    const own = tracks.find((track) => track.name === name);
    if (own) return own;
    throw new GradsimError('film/no-such-track', `There is no track ${name} in the film.`, {
      hint: tracks.length === 0 ? 'Nothing moves in it.' : `There are ${tracks.map((track) => track.name).join(', ')}.`,
    });
  }
  if (marks.length === 0) {
    if (tracks.length === 0) throw new GradsimError('film/not-seen', 'Nothing that moves is found in the film.');
    return tracks[0];
  }
  const away = (track: Track): number => {
    const followed = new Map(followedIn(film, track).map((point) => [point.frame, point]));
    const distances = marks.flatMap(({ frame, x, y }) => {
      const other = followed.get(frame);
      return other ? [Math.hypot(x - other.x, y - other.y)] : [];
    });
    return distances.length === 0 ? Number.POSITIVE_INFINITY : median(distances);
  };
  const nearest = tracks.map((track) => ({ track, far: away(track) })).sort((a, b) => a.far - b.far)[0];
  return nearest && nearest.far < Number.POSITIVE_INFINITY ? nearest.track : tracks[0];
}

/** Points of a track in frames and pixels of the file, where the thing is seen whole. */
function followedIn(film: TrackedFilm, track: Track): SeenPoint[] {
  const whole = track.points.filter(({ blob, frame }) => blob?.isWhole !== false && film.number(frame) !== null);
  const of = (key: 'x' | 'y'): number[] => whole.map((point) => point[key] * film.reduction);
  const times = whole.map(({ frame }) => film.times[frame]);
  const [x, y] = [of('x'), of('y')];
  const error = Math.max(LEAST_NOISE, noiseOf(times, [x, y]) ?? markError(film.info));
  return whole.map(({ frame }, k) => ({
    frame: film.number(frame)!,
    time: times[k],
    x: x[k],
    y: y[k],
    error,
    isMark: false,
  }));
}
