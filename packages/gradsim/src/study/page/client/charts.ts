import type { Cell } from '../csv.ts';
import { begin, colour, drawAxes, drawLine, drawNone, isWide, MARGIN, type Place, paint, scaleOf } from './canvas.ts';
import { at, data, isTwo, known, make, numbers, onRedraw, unknowns, view } from './data.ts';
import { choose } from './trials.ts';

/** Number of points above which they are drawn small. */
const MAX_LARGE_POINTS = 2000;
/** Distance within which a click chooses a point, px. */
const MAX_CLICK_DISTANCE = 20;

/** Values that charts can show, by name: columns of numbers, and truths and estimates of the unknowns. */
const series = new Map<string, readonly Cell[]>(
  data.columns
    .filter(({ cells, isConstant }) => !isConstant && cells.some((cell) => typeof cell === 'number'))
    .map(({ name, cells }) => [name, cells]),
);
for (const name of unknowns) {
  if (known.includes(name)) series.set(`truth of ${name}`, data.unknowns[name].truth);
  series.set(`estimate of ${name}`, data.unknowns[name].estimate);
}

/** Shows the charts: trials as points, and distributions. */
export function drawCharts(): void {
  const choices = [...series.keys()];
  if (choices.length === 0) return;
  const firstOf = (kind: string): string | undefined =>
    data.columns.find((each) => each.of === kind && series.has(each.name))?.name;
  const firstX = known.length > 0 ? `truth of ${known[0]}` : (firstOf('setting') ?? 'seconds');
  const firstY = unknowns.length > 0 ? `estimate of ${known[0] ?? unknowns[0]}` : (firstOf('summary') ?? 'seconds');
  const points = chart(
    'Trials',
    [
      [choices, firstX],
      [choices, firstY],
    ],
    drawScatter,
  );
  points.onclick = ({ offsetX, offsetY }) => chooseNearest(offsetX, offsetY);
  if (known.length > 0)
    chart('Error over claimed error', [[known, known[0]]], (place, name) => drawHistogram(place, `z of ${name}`, true));
  chart('Distribution', [[choices, known.length > 0 ? `error of ${known[0]}` : firstY]], (place, name) =>
    drawHistogram(place, name),
  );
  chart('Time, s', [], (place) => drawHistogram(place, 'seconds'));
  chart('Memory, MB', [], (place) => drawHistogram(place, 'MB'));
}

/** Adds a chart with menus of what it shows. */
function chart(
  title: string,
  menus: readonly (readonly [options: readonly string[], first: string])[],
  draw: (place: Place, ...chosen: string[]) => void,
): HTMLCanvasElement {
  const canvas = make('canvas');
  const selects = menus.map(([options, first]) => {
    const select = make('select', { 'aria-label': title }, ...options.map((option) => make('option', {}, option)));
    if (options.includes(first)) select.value = first;
    select.onchange = redraw;
    return select;
  });
  function redraw(): void {
    draw(begin(canvas), ...selects.map(({ value }) => value));
  }
  at('charts').append(make('figure', { class: 'chart' }, make('figcaption', {}, title, ...selects), canvas));
  onRedraw(redraw);
  return canvas;
}

/** Points of the chart of trials: place, px, and row. */
let points: (readonly [x: number, y: number, row: number])[] = [];

const isNumber = (cell: Cell | undefined): cell is number => typeof cell === 'number' && Number.isFinite(cell);

function drawScatter(place: Place, nameX: string, nameY: string): void {
  const [xs, ys] = [series.get(nameX)!, series.get(nameY)!] as [readonly number[], readonly number[]];
  const rows = view.visible.filter((row) => isNumber(xs[row]) && isNumber(ys[row]));
  points = [];
  if (rows.length === 0) {
    drawNone(place);
    return;
  }
  const { context, width, height } = place;
  const [sx, sy] = [xs, ys].map((cells) => numbers(rows.map((row) => cells[row])));
  const isSame = nameX.startsWith('truth of ') && nameY === nameX.replace('truth', 'estimate');
  // Truth and estimate share one scale, so that the dashed line is straight.
  const isBoth = isWide(sx) && sy[0] > 0;
  const x = scaleOf(sx, { isLog: isSame ? isBoth : isWide(sx), from: MARGIN.left, to: width - MARGIN.right });
  const y = scaleOf(sy, { isLog: isSame ? isBoth : isWide(sy), from: height - MARGIN.bottom, to: MARGIN.top });
  drawAxes(place, x, y);
  if (isSame) {
    const [low, high] = [Math.max(sx[0], sy[0]), Math.min(sx[sx.length - 1], sy[sy.length - 1])];
    context.strokeStyle = colour('--soft');
    context.setLineDash([5, 4]);
    drawLine(context, [x(low), y(low)], [x(high), y(high)]);
    context.setLineDash([]);
  }
  const isMany = rows.length > MAX_LARGE_POINTS;
  context.globalAlpha = isMany ? 0.35 : 0.75;
  for (const row of rows) {
    const [px, py] = [x(xs[row]), y(ys[row])];
    points.push([px, py, row]);
    context.fillStyle = paint(data.study[row]);
    circle(context, px, py, isMany ? 2 : 3);
    context.fill();
  }
  context.globalAlpha = 1;
  const mark = points.find(([, , row]) => row === view.chosen);
  if (!mark) return;
  context.strokeStyle = colour('--ink');
  context.lineWidth = 2;
  circle(context, mark[0], mark[1], 6);
  context.stroke();
  context.lineWidth = 1;
}

function circle(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}

function chooseNearest(px: number, py: number): void {
  let [best, distance]: [number | undefined, number] = [undefined, MAX_CLICK_DISTANCE ** 2];
  for (const [x, y, row] of points) {
    const d = (x - px) ** 2 + (y - py) ** 2;
    if (d < distance) [best, distance] = [row, d];
  }
  if (best !== undefined) choose(best);
}

/** Range of a histogram of errors in claimed errors, and its number of bars. */
const [WIDEST, BARS] = [5, 40];

/** @param isNormal true to draw the density of a standard normal distribution over it. */
function drawHistogram(place: Place, name: string, isNormal = false): void {
  const cells = (series.get(name) ?? []) as readonly number[];
  const rows = view.visible.filter((row) => isNumber(cells[row]));
  if (rows.length === 0) {
    drawNone(place);
    return;
  }
  const { context, width, height } = place;
  const sorted = numbers(rows.map((row) => cells[row]));
  const limits = isNormal ? [-WIDEST, WIDEST] : [sorted[0], sorted[sorted.length - 1]];
  const x = scaleOf(limits, {
    isLog: !isNormal && isWide(sorted),
    from: MARGIN.left,
    to: width - MARGIN.right,
    pad: isNormal ? 0 : 0.02,
  });
  const bins = isNormal ? BARS : Math.max(6, Math.min(50, Math.round(2 * Math.cbrt(rows.length) + 4)));
  const [left, right] = limits.map(x);
  const counts = data.studies.map(() => Array<number>(bins).fill(0));
  for (const row of rows) {
    const bin = Math.floor(((x(cells[row]) - left) / (right - left || 1)) * bins);
    counts[data.study[row]][Math.max(0, Math.min(bins - 1, bin))]++;
  }
  const expected = (z: number): number => (0.3989 * Math.exp((-z * z) / 2) * 2 * WIDEST) / bins;
  const shares = counts.map((each) => {
    const total = isTwo || isNormal ? each.reduce((sum, value) => sum + value, 0) || 1 : 1;
    return each.map((value) => value / total);
  });
  const most = Math.max(...shares.flat(), isNormal ? expected(0) : 0);
  const y = scaleOf([0, most], { isLog: false, from: height - MARGIN.bottom, to: MARGIN.top, pad: 0 });
  drawAxes(place, x, y);
  const step = (right - left) / bins;
  for (const [which, each] of shares.entries()) {
    context.fillStyle = paint(which);
    context.globalAlpha = isTwo ? 0.5 : 0.8;
    for (const [k, value] of each.entries())
      context.fillRect(left + k * step + 0.5, y(value), Math.max(1, step - 1), y(0) - y(value));
  }
  context.globalAlpha = 1;
  if (!isNormal) return;
  context.strokeStyle = colour('--ink');
  context.lineWidth = 1.5;
  const zs = Array.from({ length: 101 }, (_, k) => WIDEST * (k / 50 - 1));
  drawLine(context, ...zs.map((z) => [x(z), y(expected(z))] as const));
  context.lineWidth = 1;
}
