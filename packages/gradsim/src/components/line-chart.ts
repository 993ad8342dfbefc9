import { scaleLinear, scaleLog } from 'd3-scale';
import { line } from 'd3-shape';
import { formatNumber } from '../terminal/numbers.ts';
import { axes, boxOf, MARGIN, round, withRoom } from './axes.ts';
import { type Html, html, nothing } from './html.ts';

/** Chart of a curve over iterations, or over another counter. */
export interface LineChart {
  readonly title: string;
  /** Unit, shown beside the title. */
  readonly unit?: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Name of the horizontal axis, along which whole numbers count. Default `iterations`; `seconds` may be any numbers. */
  readonly over?: string;
  /** Unit of the numbers along the horizontal axis, if they may be any. Default: s, over `seconds`. */
  readonly overUnit?: string;
  /** Lower end of the vertical axis. Default: by the points. */
  readonly from?: number;
  /** Measured values that the curve fits, drawn as circles that say their values, with a bar of their standard errors. */
  readonly measured?: readonly { readonly x: number; readonly y: number; readonly error?: number }[];
  /** True for a logarithmic vertical axis if all values are above 0. */
  readonly isLog?: boolean;
  /** A reference value, drawn as a dashed line. */
  readonly reference?: { readonly value: number; readonly label: string };
  /** Curves of other methods, drawn thin and dashed. */
  readonly others?: readonly { readonly name: string; readonly points: LineChart['points'] }[];
  /** Standard error of the last value, drawn as a band of two standard errors to either side of it. */
  readonly standardError?: number | null;
  readonly width: number;
  readonly height: number;
}

/**
 * A line chart as SVG, coloured by the report's style sheet, and by that of the studio, which draws the same. Where a
 * point is not finite the curve has a gap. (d3-scale and d3-shape return strings and need no DOM.)
 */
export function lineChart(chart: LineChart): Html {
  const { title, unit, width, height, reference } = chart;
  const points = chart.points.filter(({ y }) => Number.isFinite(y));
  const measured = (chart.measured ?? []).filter(({ y }) => Number.isFinite(y));
  const box = boxOf(chart);
  const overUnit = chart.overUnit ?? (chart.over === 'seconds' ? 's' : undefined);
  const isAny = overUnit !== undefined;
  if (points.length === 0) return nothing;
  const others = (chart.others ?? []).map((other) => ({
    ...other,
    points: other.points.filter(({ y }) => Number.isFinite(y)),
  }));
  const shown = [points, measured, ...others.map((other) => other.points)].flat();
  const lowest = Math.min(...shown.map(({ y }) => y));
  const isLog = chart.isLog === true && lowest > 0;
  const x = scaleLinear()
    .domain(
      isAny
        ? [chart.points[0].x, chart.points[chart.points.length - 1].x]
        : [points[0].x, Math.max(...shown.map((p) => p.x), points[0].x + 1)],
    )
    .range([box.left, box.right]);
  const y = (isLog ? scaleLog() : scaleLinear())
    .domain(valueRange(chart, points, shown, isLog))
    .nice()
    .range([box.bottom, box.top]);
  const pathOf = (of: LineChart['points']): string =>
    (
      line<{ x: number; y: number }>(
        (p) => x(p.x),
        (p) => y(p.y),
      ).defined((p) => Number.isFinite(p.y))([...of]) ?? ''
    ).replace(/\d+\.\d+/g, (n) => String(round(Number(n))));
  const last = points[points.length - 1];

  return html`<figure class="chart">
<figcaption>${title}${unit ? html` <span class="unit">${unit}</span>` : nothing}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${title} against ${chart.over ?? 'iterations'}">
${axes(
  {
    scale: x,
    ticks: x
      .ticks(isAny ? (overUnit === 's' ? 6 : 4) : Math.min(6, x.domain()[1] - points[0].x || 1))
      .filter((t) => isAny || Number.isInteger(t)),
    label: (t) => (isAny ? `${t} ${overUnit}` : String(t)),
  },
  { scale: y, ticks: ticksOf(y, isLog), label: (t) => tickLabel(t, isLog) },
  box,
)}
${band(chart, last.y, y)}
${reference && !isLog ? html`<line class="truth" x1="${box.left}" x2="${box.right}" y1="${round(y(reference.value))}" y2="${round(y(reference.value))}"/>` : nothing}
${others.map((other) => html`<path class="curve other" d="${pathOf(other.points)}"><title>${other.name}</title></path>`)}
<path class="curve" d="${pathOf(chart.points)}"/>
${measured.map((p) => html`${bar(p, x, y, box)}<circle class="measured" cx="${round(x(p.x))}" cy="${round(y(p.y))}" r="2.5"><title>${formatNumber(p.x, 4)}: ${formatNumber(p.y, 4)}${p.error ? ` ± ${formatNumber(p.error, 2)}` : ''}</title></circle>`)}
${measured.length > 0 ? nothing : html`<circle class="end" cx="${round(x(last.x))}" cy="${round(y(last.y))}" r="3.5"><title>${formatNumber(last.y, 7)}</title></circle>`}
</svg>${others.length > 0 ? html`<p class="legend">${others.map((other) => html`<span class="key other-key"></span>${other.name}`)}</p>` : nothing}</figure>`;
}

/** Bar of the standard error of a measured value. */
function bar(
  { x: at, y: value, error }: NonNullable<LineChart['measured']>[number],
  x: (value: number) => number,
  y: (value: number) => number,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): Html {
  if (!error || !Number.isFinite(error)) return nothing;
  const within = (end: number): number => round(Math.min(bottom, Math.max(top, y(end))));
  return html`<path class="measured-error" d="M${round(x(at))} ${within(value - error)}V${within(value + error)}"/>`;
}

function valueRange(
  { reference, standardError, from }: LineChart,
  points: LineChart['points'],
  shown: LineChart['points'],
  isLog: boolean,
): [number, number] {
  const values = shown.map((p) => p.y);
  if (reference && !isLog) values.push(reference.value);
  const last = points[points.length - 1].y;
  const [low, high] = [from ?? Math.min(...values), Math.max(...values)];
  if (low === high) return isLog ? [low / 2, high * 2] : withRoom(low, high);
  // A band wider than the other data is clipped by the chart, not the other way round.
  const reach = isLog || !standardError ? 0 : Math.min(2 * standardError, high - low);
  return [Math.min(low, last - reach), Math.max(high, last + reach)];
}

function band({ standardError, width }: LineChart, last: number, y: (value: number) => number): Html {
  if (!standardError) return nothing;
  const inside = (at: number): number => Math.max(MARGIN.top, at);
  const [top, bottom] = [inside(y(last + 2 * standardError)), inside(y(last - 2 * standardError))];
  const right = width - MARGIN.right;
  return html`<rect class="band" x="${MARGIN.left}" width="${right - MARGIN.left}" y="${round(top)}" height="${round(Math.max(bottom - top, 0))}"/>`;
}

function ticksOf(y: { ticks: (count: number) => number[] }, isLog: boolean): number[] {
  const ticks = y.ticks(5);
  if (!isLog) return ticks;
  const decades = ticks.filter((t) => Math.abs(Math.log10(t) - Math.round(Math.log10(t))) < 1e-9);
  if (decades.length < 2) return ticks.filter((_, k) => k % Math.ceil(ticks.length / 5) === 0);
  return decades.filter((_, k) => k % Math.ceil(decades.length / 6) === 0);
}

const tickLabel = (value: number, isLog: boolean): string =>
  isLog && (value < 0.01 || value >= 1e4) ? value.toExponential().replace('e+', 'e') : formatNumber(value, 4);
