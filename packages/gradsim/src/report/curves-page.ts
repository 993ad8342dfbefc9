import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { axes, boxOf, round } from '../components/axes.ts';
import { type Html, html, htmlPage, nothing } from '../components/index.ts';
import { formatNumber } from '../terminal/numbers.ts';
import { reportStyle } from './assets.ts';

/** A curve of a {@link CurveChart}. */
export interface Curve {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** True for a reference, drawn thin and dashed. */
  readonly isReference?: boolean;
}

/** Chart of curves that share both axes. */
export interface CurveChart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly curves: readonly Curve[];
  /** Labelled vertical line at `x`. */
  readonly marker?: { readonly x: number; readonly label: string };
}

const SIZE = { width: 480, height: 300 };
const MARGIN = { left: 52, right: 16, top: 18, bottom: 44 };

/**
 * A self-contained page of charts, in the style of the reports of `gradsim estimate`.
 *
 * ```ts
 * const page = curvesPage('Losses', 'How it falls.', [
 *   { title: 'loss', xLabel: 'mass, kg', yLabel: 'loss', curves: [{ name: 'all frames', points: [{ x: 0, y: 1 }, { x: 1, y: 0 }] }] },
 * ]);
 * ```
 * @param before what stands between the lead and the charts.
 */
export function curvesPage(title: string, lead: string, charts: readonly CurveChart[], before: Html = nothing): string {
  return htmlPage({
    title,
    style: reportStyle(),
    body: html`<main class="curves">
<h1>${title}</h1>
<p class="lead">${lead}</p>
${before}
<div class="charts">${charts.map(curveChart)}</div>
</main>`,
  });
}

function curveChart({ title, xLabel, yLabel, curves, marker }: CurveChart): Html {
  const { width, height } = SIZE;
  const box = boxOf(SIZE, MARGIN);
  const all = curves.flatMap(({ points }) => points);
  const extent = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  const x = scaleLinear(extent(all.map((p) => p.x)), [box.left, box.right]);
  const y = scaleLinear(extent([0, ...all.map((p) => p.y)]), [box.bottom, box.top]).nice();
  const path = line<{ x: number; y: number }>(
    (p) => round(x(p.x)),
    (p) => round(y(p.y)),
  );
  const axis = (scale: typeof x, count: number, digits: number) => ({
    scale,
    ticks: scale.ticks(count),
    label: (t: number) => formatNumber(t, digits),
  });
  return html`<figure class="chart">
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: ${yLabel} against ${xLabel}">
${axes(axis(x, 6, 4), axis(y, 5, 3), box)}
<text class="tick" x="${(box.left + box.right) / 2}" y="${height - 6}" text-anchor="middle">${xLabel}</text>
${marker ? html`<line class="marker" x1="${round(x(marker.x))}" x2="${round(x(marker.x))}" y1="${box.top}" y2="${box.bottom}"/><text class="tick" x="${round(x(marker.x)) + 5}" y="${box.top + 6}">${marker.label}</text>` : nothing}
${curves.map(({ points, isReference }) => html`<path class="curve${isReference ? ' reference' : ''}" d="${path(points) ?? ''}"/>`)}
</svg>
<p class="legend">${curves.map(({ name, isReference }) => html`<span class="key ${isReference ? 'reference-key' : 'curve-key'}"></span>${name}`)}</p>
</figure>`;
}
