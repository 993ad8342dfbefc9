import type { Estimate } from '@gradsim/optim';
import { scaleLinear } from 'd3-scale';
import { formatNumber } from '../terminal/numbers.ts';
import { axes, boxOf, round, withRoom } from './axes.ts';
import { type Html, html, nothing } from './html.ts';

/** Value of one of many like unknowns. */
export interface FieldValue {
  readonly estimate: number;
  readonly standardError: number | null;
  readonly truth?: number;
}

/** Like unknowns, such as the velocities along x of all particles, in order. */
export interface FieldValues {
  readonly title: string;
  readonly unit: string;
  readonly values: readonly FieldValue[];
}

const SIZE = { width: 420, height: 230 };
const BOX = boxOf(SIZE);
/** Number of values up to which each is drawn; more are a histogram. */
const MAX_DRAWN = 240;
/** Number of bars of a histogram. */
const BARS = 40;
/** Number of like unknowns from which they are a field. */
export const MIN_FIELD_UNKNOWNS = 12;

/**
 * Named parameters that differ in one whole number alone, such as `velocity 0 x`, `velocity 1 x`, ..., in fields; those
 * with fewer than {@link MIN_FIELD_UNKNOWNS} like them in none.
 */
export function fieldsOf(parameters: Estimate['parameters']): FieldValues[] {
  const fields = new Map<string, FieldValue[]>();
  for (const [name, parameter] of Object.entries(parameters)) {
    const words = name.split(' ');
    const numbered = words.filter((word) => isWhole(word));
    if (numbered.length !== 1) continue;
    const title = words.filter((word) => !isWhole(word)).join(' ');
    const key = `${title}\n${parameter.unit}`;
    fields.set(key, [...(fields.get(key) ?? []), parameter]);
  }
  return [...fields]
    .filter(([, values]) => values.length >= MIN_FIELD_UNKNOWNS)
    .map(([key, values]) => ({ title: key.split('\n')[0], unit: key.split('\n')[1], values }));
}

const isWhole = (word: string): boolean => word !== '' && Number.isInteger(Number(word));

/** Fields of the unknowns that are arrays: one of each component, over frames and elements in order. */
export function fieldsOfArrays(arrays: Estimate['arrays']): FieldValues[] {
  return Object.entries(arrays).flatMap(([name, { estimate, standardErrors, truth, shape, unit }]) =>
    Array.from({ length: shape[2] }, (_, component) => ({
      title: shape[2] === 1 ? name : `${name}, component ${component}`,
      unit,
      values: Array.from({ length: shape[0] * shape[1] }, (__, k) => {
        const at = k * shape[2] + component;
        return {
          estimate: estimate[at],
          standardError: standardErrors?.[at] ?? null,
          ...(truth ? { truth: truth[at] } : {}),
        };
      }),
    })),
  );
}

/**
 * Picture of a field of unknowns, coloured by the report's style sheet: each value with a line of two standard errors to
 * either side and its truth, or a histogram where they are too many.
 * @returns nothing if no value is finite.
 */
export function fieldChart({ title, unit, values }: FieldValues): Html {
  const finite = values.filter(({ estimate }) => Number.isFinite(estimate));
  if (finite.length === 0) return nothing;
  const isHistogram = finite.length > MAX_DRAWN;
  return html`<figure class="chart field"><figcaption>${title}${unit ? html` <span class="unit">${unit}</span>` : nothing}</figcaption>
<svg viewBox="0 0 ${SIZE.width} ${SIZE.height}" role="img" aria-label="${title}: ${String(finite.length)} values${isHistogram ? ', as a histogram' : ''}">${isHistogram ? histogram(finite) : dots(finite)}</svg></figure>`;
}

type Scale = ReturnType<typeof scaleLinear<number, number>>;

const vertical = (low: number, high: number): Scale =>
  scaleLinear().domain(withRoom(low, high)).nice().range([BOX.bottom, BOX.top]);

const valueAxis = (y: Scale) => ({ scale: y, ticks: y.ticks(5), label: (t: number) => formatNumber(t, 4) });

function dots(values: readonly FieldValue[]): Html {
  const reaches = values.map(({ standardError }) =>
    standardError !== null && Number.isFinite(standardError) ? 2 * standardError : 0,
  );
  // A line far longer than the values are apart is clipped by the chart.
  const all = values.flatMap(({ estimate, truth }) => (truth === undefined ? [estimate] : [estimate, truth]));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = Math.min(Math.max(...reaches), most - least || Number.POSITIVE_INFINITY);
  const y = vertical(least - room, most + room);
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [BOX.left + 6, BOX.right - 6]);
  const inside = (at: number): number => round(Math.min(Math.max(y(at), BOX.top), BOX.bottom));
  const across = { scale: x, ticks: x.ticks(6).filter(Number.isInteger), label: String };
  return html`${axes(across, valueAxis(y), BOX)}${values.map(({ estimate, truth }, k) => {
    const at = round(x(k));
    return html`${reaches[k] > 0 ? html`<line class="reach" x1="${at}" x2="${at}" y1="${inside(estimate - reaches[k])}" y2="${inside(estimate + reaches[k])}"/>` : nothing}${truth === undefined ? nothing : html`<line class="truth-tick" x1="${at - 4}" x2="${at + 4}" y1="${inside(truth)}" y2="${inside(truth)}"/>`}<circle class="end" cx="${at}" cy="${inside(estimate)}" r="2.5"><title>${String(k)}: ${formatNumber(estimate, 5)}</title></circle>`;
  })}`;
}

function histogram(values: readonly FieldValue[]): Html {
  const all = values.map(({ estimate }) => estimate);
  const [low, high] = all.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [all[0], all[0]]);
  const counts = Array<number>(BARS).fill(0);
  for (const value of all) counts[Math.min(BARS - 1, Math.floor((BARS * (value - low)) / (high - low || 1)))]++;
  const y = vertical(0, Math.max(...counts));
  const x = scaleLinear([low, high === low ? low + 1 : high], [BOX.left, BOX.right]);
  const wide = (BOX.right - BOX.left) / BARS;
  const across = { scale: x, ticks: x.ticks(5), label: (t: number) => formatNumber(t, 4) };
  return html`${axes(across, valueAxis(y), BOX)}${counts.map((count, k) => html`<rect class="bar" x="${round(BOX.left + k * wide)}" width="${round(wide - 1)}" y="${round(y(count))}" height="${round(y(0) - y(count))}"/>`)}`;
}
