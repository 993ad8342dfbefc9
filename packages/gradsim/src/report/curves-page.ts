import { scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import { formatNumber } from '../terminal/numbers.ts';
import { type Html, html, nothing } from './html.ts';
import { MARK_OF_PAGES } from './marks.ts';
import { POLICY } from './player.ts';
import { STYLE } from './style.ts';

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
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ markup: MARK_OF_PAGES }}
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}
.curve.reference { stroke: var(--truth); stroke-width: 1.5; stroke-dasharray: 5 4; }
.marker { stroke: var(--soft); stroke-dasharray: 2 3; }
.key.curve-key { border-color: var(--accent); }
.key.reference-key { border-top-style: dashed; border-color: var(--truth); }
.charts { grid-template-columns: repeat(auto-fill, minmax(420px, 1fr)); }
.chart .legend { margin: 0 4px 8px; }
</style>
</head>
<body><main>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${before}
<div class="charts">${charts.map(curveChart)}</div>
</main></body>
</html>
`.markup;
}

function curveChart({ title, xLabel, yLabel, curves, marker }: CurveChart): Html {
  const { width, height } = SIZE;
  const all = curves.flatMap(({ points }) => points);
  const extent = (values: readonly number[]): [number, number] => [Math.min(...values), Math.max(...values)];
  const x = scaleLinear(extent(all.map((p) => p.x)), [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear(extent([0, ...all.map((p) => p.y)]), [height - MARGIN.bottom, MARGIN.top]).nice();
  const path = line<{ x: number; y: number }>(
    (p) => round(x(p.x)),
    (p) => round(y(p.y)),
  );
  const bottom = height - MARGIN.bottom;
  return html`<figure class="chart">
<figcaption>${title}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}: ${yLabel} against ${xLabel}">
${y.ticks(5).map((t) => html`<line class="grid" x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${round(y(t))}" y2="${round(y(t))}"/><text class="tick" x="${MARGIN.left - 8}" y="${round(y(t))}" dy="0.32em" text-anchor="end">${formatNumber(t, 3)}</text>`)}
${x.ticks(6).map((t) => html`<text class="tick" x="${round(x(t))}" y="${bottom + 18}" text-anchor="middle">${formatNumber(t, 4)}</text>`)}
<text class="tick" x="${(MARGIN.left + width - MARGIN.right) / 2}" y="${height - 6}" text-anchor="middle">${xLabel}</text>
<line class="axis" x1="${MARGIN.left}" x2="${width - MARGIN.right}" y1="${bottom}" y2="${bottom}"/>
${marker ? html`<line class="marker" x1="${round(x(marker.x))}" x2="${round(x(marker.x))}" y1="${MARGIN.top}" y2="${bottom}"/><text class="tick" x="${round(x(marker.x)) + 5}" y="${MARGIN.top + 6}">${marker.label}</text>` : nothing}
${curves.map(({ points, isReference }) => html`<path class="curve${isReference ? ' reference' : ''}" d="${path(points) ?? ''}"/>`)}
</svg>
<p class="legend">${curves.map(({ name, isReference }) => html`<span class="key ${isReference ? 'reference-key' : 'curve-key'}"></span>${name}`)}</p>
</figure>`;
}

const round = (value: number): number => Math.round(value * 100) / 100;
