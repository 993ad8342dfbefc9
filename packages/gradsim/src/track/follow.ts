import { type MarksOfPerson, planeMotion, pointsIn, type TrackedFilm, trackerProject } from '@gradsim/film';
import { fitMotion } from './fit.ts';
import { type KnownLength, remarksOn, scaleOf } from './scale.ts';
import type { TrackResult } from './tables.ts';

/** Measurements beside a film in which something is followed, and formulas to fit. */
export interface TrackSettings extends KnownLength {
  /** Name of the film in pages and files. */
  readonly film: string;
  /** Place of the origin, px. Default: the first point. */
  readonly origin?: readonly number[];
  /** Angle of the x axis, degrees. */
  readonly axis: number;
  /** Number of the thing that is followed. */
  readonly object?: number;
  /** Marks of a person, in px and frames of the file, and their standard error, px. */
  readonly marks?: MarksOfPerson;
  readonly markError?: number;
  /** True if nothing is followed by itself. */
  readonly marksAlone?: boolean;
  readonly mass?: number;
  readonly gravity: number;
  readonly window?: number;
  /** Formulas to fit, and values at which their searches start, by name. */
  readonly fit: readonly string[];
  readonly start: Readonly<Record<string, number>>;
}

/**
 * Motion of something in a film without a model of it, and formulas that are fitted to it.
 * @throws for marks and formulas that are wrong, and where too little is seen.
 */
export function follow(film: TrackedFilm, settings: TrackSettings): TrackResult {
  const { object, marks, markError, marksAlone = false, mass, gravity, window } = settings;
  const seen = pointsIn(film, {
    ...(object === undefined ? {} : { track: String(object) }),
    ...(marks ? { marks } : {}),
    ...(markError === undefined ? {} : { markError }),
    marksAlone,
  });
  const [first] = seen.points;
  const scale = scaleOf(film, seen, settings);
  const axes = {
    pixelsPerMetre: scale.pixelsPerMetre,
    origin: (settings.origin ?? [first.x, first.y]) as [number, number],
    angle: settings.axis,
  };
  const rest = { ...(mass === undefined ? {} : { mass }), gravity };
  const motion = planeMotion(seen.points, { ...axes, ...rest, ...(window === undefined ? {} : { window }) });
  const larger = planeMotion(seen.points, {
    ...axes,
    ...rest,
    pixelsPerMetre: axes.pixelsPerMetre / (1 + scale.relativeError),
    window: motion.window,
  });
  const fits = settings.fit.map((text) => fitMotion(text, [motion, larger], settings.start));
  const remarks = remarksOn(film, seen, motion, scale);
  return { film: settings.film, frameRate: film.frameRate, axes, scale, seen, motion, fits, remarks };
}

/** Project of Tracker. @param path of the film, from the folder of the project. */
export const projectOf = (
  { axes, seen, frameRate }: TrackResult,
  { info }: TrackedFilm,
  { mass, length, between }: TrackSettings,
  path: string,
): string =>
  trackerProject({
    film: path,
    info,
    frameRate,
    points: seen.points,
    name: 'gradsim',
    ...axes,
    ...(mass === undefined ? {} : { mass }),
    ...(length === undefined ? {} : { stick: { ends: between!, length } }),
  });
