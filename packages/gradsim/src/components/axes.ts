import { type Html, html } from './html.ts';

/** Rectangle within a drawing between the axes of a chart, in units of the drawing. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Distances of the box from the sides of a drawing. */
export const MARGIN = { left: 64, right: 14, top: 12, bottom: 34 };

/** Box of a drawing of this size. */
export const boxOf = (
  { width, height }: { readonly width: number; readonly height: number },
  margin: Box = MARGIN,
): Box => ({
  left: margin.left,
  right: width - margin.right,
  top: margin.top,
  bottom: height - margin.bottom,
});

/** Axis of a box: the scale, the values at which it has ticks, and their labels. */
export interface Axis {
  readonly scale: (value: number) => number;
  readonly ticks: readonly number[];
  readonly label: (value: number) => string;
}

/** Both axes of a chart: a grid of values, labelled to the left, and labels below the line at the bottom. */
export function axes(x: Axis, y: Axis, { left, right, bottom }: Box): Html {
  const grid = y.ticks.map((t) => {
    const at = round(y.scale(t));
    return html`<line class="grid" x1="${left}" x2="${right}" y1="${at}" y2="${at}"/><text class="tick" x="${left - 8}" y="${at}" dy="0.32em" text-anchor="end">${y.label(t)}</text>`;
  });
  const below = x.ticks.map(
    (t) =>
      html`<text class="tick" x="${round(x.scale(t))}" y="${bottom + 18}" text-anchor="middle">${x.label(t)}</text>`,
  );
  return html`${grid}${below}<line class="axis" x1="${left}" x2="${right}" y1="${bottom}" y2="${bottom}"/>`;
}

/** Ends of an axis that shows these values; equal ones get room to both sides. */
export const withRoom = (low: number, high: number): [number, number] =>
  low === high ? [low - (Math.abs(low) || 1) * 0.05, high + (Math.abs(high) || 1) * 0.05] : [low, high];

/** Rounds a coordinate of a drawing to hundredths. */
export const round = (value: number): number => Math.round(value * 100) / 100;
