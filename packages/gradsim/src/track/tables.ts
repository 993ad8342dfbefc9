import type { PlaneAxes, PlaneMotion, SeenPoints } from '@gradsim/film';
import type { MotionFit } from './fit.ts';
import type { TrackScale } from './scale.ts';

/** Result of `gradsim track`. */
export interface TrackResult {
  readonly film: string;
  readonly frameRate: number;
  readonly axes: PlaneAxes;
  readonly scale: TrackScale;
  readonly seen: SeenPoints;
  readonly motion: PlaneMotion;
  readonly fits: readonly MotionFit[];
  readonly remarks: readonly string[];
}

/** Digits of numbers in tables: more than the errors leave. */
const DIGITS = 9;
const short = (value: number): number => Number(value.toPrecision(DIGITS));
/** A cell of a table: empty where a value is not determined. */
const cellOf = (value: number): string => (Number.isFinite(value) ? String(short(value)) : '');

/** The motion as CSV: a line a point, each quantity with its standard error; both are empty where the points do not tell it. */
export function motionCsv({ seen, motion }: TrackResult): string {
  const { points } = seen;
  const headings = motion.columns.flatMap(({ name, unit }) => [`${name} [${unit}]`, `${name} error [${unit}]`]);
  const rows = points.map(({ frame, time, x, y }, k) => [
    frame,
    ...[time, x, y, ...motion.columns.flatMap(({ values, errors }) => [values[k], errors[k]])].map(cellOf),
  ]);
  const lines = [['frame', 't [s]', 'px [pixels]', 'py [pixels]', ...headings], ...rows];
  return lines.map((cells) => `${cells.join(',')}\n`).join('');
}

/** Result as JSON. */
export function summaryOf({ seen, motion, fits, axes, scale, film, frameRate, remarks }: TrackResult) {
  return {
    film,
    frameRate,
    axes,
    scale,
    window: motion.window,
    points: seen.points.map(({ frame, time, x, y, error, isMark }) => ({
      frame,
      time: short(time),
      px: short(x),
      py: short(y),
      error: short(error),
      isMark,
    })),
    columns: Object.fromEntries(
      motion.columns.map(({ name, unit, values, errors }) => [
        name,
        { unit, values: values.map(short), errors: errors.map(short) },
      ]),
    ),
    fits: fits.map(({ parameters, fitted, residuals, ...rest }) => ({
      ...rest,
      parameters: Object.fromEntries(
        parameters.map(({ name, value, standardError, byScale }) => [
          name,
          { value, standardError: Number.isFinite(standardError) ? standardError : null, byScale },
        ]),
      ),
      residuals: residuals.map(short),
    })),
    remarks,
  };
}
