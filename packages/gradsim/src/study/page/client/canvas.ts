import { shown } from './data.ts';

/** Canvas to draw on, with its size in CSS pixels. */
export interface Place {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
}

/** Scale of an axis, with the values of its ticks. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

export const MARGIN = { left: 56, right: 10, top: 8, bottom: 26 };

/** Colour of the page's style sheet. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Colour of a study. */
export const paint = (which: number): string => colour(which ? '--truth' : '--accent');

/** Empties a canvas, at the resolution of the screen. */
export function begin(canvas: HTMLCanvasElement): Place {
  const ratio = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const context = canvas.getContext('2d')!;
  context.scale(ratio, ratio);
  context.font = '12px system-ui, sans-serif';
  return { context, width, height };
}

/** True for positive values that are best seen on a logarithmic scale. */
export const isWide = (sorted: readonly number[]): boolean =>
  sorted.length > 2 && sorted[0] > 0 && sorted[sorted.length - 1] / sorted[0] > 30;

/**
 * Scale of sorted values.
 * @param pad room beyond them, in parts of their range.
 */
export function scaleOf(
  sorted: readonly number[],
  { isLog, from, to, pad = 0.04 }: { isLog: boolean; from: number; to: number; pad?: number },
): Scale {
  const change = isLog ? Math.log10 : (value: number) => value;
  let [low, high] = [change(sorted[0]), change(sorted[sorted.length - 1])];
  if (low === high) {
    const by = Math.abs(low) * 0.05 || 1;
    low -= by;
    high += by;
  }
  const more = (high - low) * pad;
  low -= more;
  high += more;
  const scale = (value: number): number => from + ((change(value) - low) / (high - low)) * (to - from);
  return Object.assign(scale, { ticks: isLog ? decades(low, high) : rounded(low, high) });
}

/** Ticks at powers of ten between two logarithms; at round values where there are fewer than two. */
function decades(low: number, high: number): number[] {
  const ticks: number[] = [];
  const step = Math.max(1, Math.ceil((high - low) / 6));
  for (let k = Math.ceil(low); k <= high; k += step) ticks.push(10 ** k);
  return ticks.length > 1 ? ticks : rounded(10 ** low, 10 ** high);
}

/** Some five round values between two. */
function rounded(first: number, last: number): number[] {
  const raw = (last - first) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= raw)! * power;
  const ticks: number[] = [];
  for (let value = Math.ceil(first / step) * step; value <= last + step * 1e-9; value += step)
    ticks.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return ticks;
}

/** Draws a grid at the ticks of both scales, with their values. */
export function drawAxes({ context, width, height }: Place, x: Scale, y: Scale): void {
  context.strokeStyle = colour('--line');
  context.fillStyle = colour('--soft');
  context.textAlign = 'center';
  for (const tick of x.ticks) {
    drawLine(context, [x(tick), MARGIN.top], [x(tick), height - MARGIN.bottom]);
    context.fillText(shown(tick, 3), Math.min(width - 18, x(tick)), height - 9);
  }
  context.textAlign = 'right';
  for (const tick of y.ticks) {
    drawLine(context, [MARGIN.left, y(tick)], [width - MARGIN.right, y(tick)]);
    context.fillText(shown(tick, 3), MARGIN.left - 6, y(tick) + 4);
  }
}

/** Draws a line through points in the current style. */
export function drawLine(context: CanvasRenderingContext2D, ...points: readonly (readonly [number, number])[]): void {
  context.beginPath();
  for (const [x, y] of points) context.lineTo(x, y);
  context.stroke();
}

/** Says that there is nothing to draw. */
export function drawNone({ context, width, height }: Place): void {
  context.fillStyle = colour('--soft');
  context.textAlign = 'center';
  context.fillText('no such values', width / 2, height / 2);
}
