import type { MotionColumn } from '@gradsim/film';
import { type Html, html, lineChart, list, nothing, table } from '../components/index.ts';
import { formatEstimate, formatNumber, formatUnit } from '../terminal/numbers.ts';
import type { Course } from './course.ts';
import { FIT_COLUMNS, fitRows, fitSentence, type MotionFit } from './fit.ts';
import { scaleSentence } from './scale.ts';
import type { TrackResult } from './tables.ts';

/** Words for columns. */
const NAMES: Readonly<Record<string, string>> = {
  vx: 'vx, speed along x',
  vy: 'vy, speed along y',
  ax: 'ax, acceleration along x',
  ay: 'ay, acceleration along y',
  kinetic: 'kinetic: energy of motion',
  potential: 'potential: energy of height',
  energy: 'energy: of motion and height',
};
const SIZE = { width: 420, height: 240 } as const;

/** HTML of the facts of a track: counts, scale, and what makes it less than it seems. */
export function trackFacts({ seen, remarks, scale, axes, frameRate }: TrackResult): Html {
  const { points } = seen;
  return html`<div class="facts"><span><b>${points.length}</b> points, frames ${points[0].frame} to ${points[points.length - 1].frame}</span>
<span><b>${formatNumber(frameRate)}</b> frames a second</span>
<span>each to <b>${formatNumber(points[0].error, 2)}</b> px</span>
<span>origin at ${formatNumber(axes.origin[0], 5)}, ${formatNumber(axes.origin[1], 5)} px, x axis turned by ${formatNumber(axes.angle, 4)} degrees</span></div>
${list([scaleSentence(scale), ...remarks])}`;
}

/** Graphs of all columns, with the curve of a model if there is one, and the table of their numbers. */
export function trackMotion({ seen, motion, model }: Omit<Course, 'fits'>): Html {
  const { points } = seen;
  const curveOf = (column: MotionColumn): { readonly x: number; readonly y: number }[] => {
    const own = model?.columns.find(({ name }) => name === column.name);
    const times = own ? model!.times : motion.times;
    return (own ?? column).values.map((y, k) => ({ x: times[k], y }));
  };
  return html`<h3>The motion</h3>
<p class="legend">${model ? 'Circles are what the film shows, lines the fitted model. ' : ''}Bars are standard errors. Velocities and accelerations are those of cubics through ${motion.window} points around each one${motion.jumps.length > 0 ? ', none of which reaches over a bounce' : ''}. Values show under the pointer, and in the table.</p>
<div class="charts">${motion.columns.map((column) =>
    lineChart({
      title: NAMES[column.name] ?? column.name,
      unit: formatUnit(column.unit),
      over: 'seconds',
      ...SIZE,
      points: curveOf(column),
      measured: column.values.map((y, k) => ({ x: motion.times[k], y, error: column.errors[k] })),
    }),
  )}</div>
<div class="numbers" role="region" aria-label="Table of the motion" tabindex="0">${table(
    ['t, s', ...motion.columns.map(({ name, unit }) => `${name}, ${formatUnit(unit)}`)],
    points.map((_, k) => [
      formatNumber(motion.times[k], 5),
      ...motion.columns.map(({ values, errors }) =>
        Number.isFinite(values[k]) ? `${formatEstimate(values[k], errors[k])} ± ${formatNumber(errors[k], 2)}` : '',
      ),
    ]),
  )}</div>`;
}

/** Formulas that are fitted to the motion that a film shows, its graphs, and its table. */
export const courseSection = (course: Course): Html =>
  html`${course.fits.map((fit) => fitSection(fit, course))}${trackMotion(course)}`;

/** A formula, its parameters, and what it leaves. */
export function fitSection(fit: MotionFit, { motion }: Pick<TrackResult, 'motion'>): Html {
  const column = motion.columns.find(({ name }) => name === fit.column)!;
  const along = fit.over === 't' ? motion.times : motion.columns.find(({ name }) => name === fit.over)!.values;
  const order = along.map((_, k) => k).sort((a, b) => along[a] - along[b]);
  const overUnit = fit.over === 't' ? 's' : formatUnit(motion.columns.find(({ name }) => name === fit.over)!.unit);
  const over = { over: fit.over === 't' ? 'seconds' : fit.over, overUnit, ...SIZE };
  const chart = (what: string, curve: readonly number[], values: readonly number[]): Html =>
    lineChart({
      title: what,
      unit: formatUnit(column.unit),
      ...over,
      points: order.map((k) => ({ x: along[k], y: curve[k] })),
      measured: order.map((k) => ({ x: along[k], y: values[k], error: column.errors[k] })),
    });
  return html`<h3>${fit.text}</h3>
${table(FIT_COLUMNS, fitRows(fit))}
<p class="legend">${fitSentence(fit)}</p>
${fit.remarks.length > 0 ? list(fit.remarks) : nothing}
<div class="charts">${[
    chart(`${NAMES[fit.column] ?? fit.column} over ${fit.over}`, fit.fitted, column.values),
    chart(
      'what it leaves',
      fit.residuals.map(() => 0),
      fit.residuals,
    ),
  ]}</div>`;
}
