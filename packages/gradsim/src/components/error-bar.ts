import { asymmetricEnds, type Interval } from '@gradsim/base';
import { type Html, html, nothing } from './html.ts';

/** Values that an error bar shows. */
export interface ErrorBarValues {
  readonly estimate: number;
  readonly standardError: number | null;
  /** 95 % interval, which is drawn where it is lopsided. */
  readonly interval?: Interval | null;
  /** Value from which the search started. */
  readonly initial?: number;
  readonly truth?: number;
  /** Knowledge from before the film: a prior, or the measured value of a given quantity with its tolerance. */
  readonly prior?: { readonly mean: number; readonly standardDeviation: number; readonly isLogNormal?: boolean };
}

/** Size of the drawing, CSS pixels. */
const [WIDTH, HEIGHT] = [180, 26];
/** Distance of the axis from the upper edge, and of the ends of the scale from the sides, CSS pixels. */
const [MIDDLE, MARGIN] = [HEIGHT / 2, 8];
/** Distance within which the start or the prior widens the scale, in lengths of the error bar. */
const MAX_SCALE_DISTANCE = 4;

/**
 * Chart of one estimate: a dot with a bar of two standard errors to either side, or of a lopsided 95 % interval, a band of two standard deviations around
 * what was known before, a thin tick where the search started, and the truth as a thick tick; each chart
 * has its own scale. The command's report and the studio draw the same.
 *
 * ```ts
 * errorBar(estimate.parameters.friction).markup; // <svg class="error-bar" ...
 * ```
 * @returns nothing where there is no extent to draw.
 */
export function errorBar({ estimate, standardError, interval, initial, truth, prior }: ErrorBarValues): Html {
  const errors = standardError !== null && Number.isFinite(standardError) ? 2 * standardError : 0;
  const [from, to] = asymmetricEnds(estimate, interval) ?? [estimate - errors, estimate + errors];
  const reach = (to - from) / 2;
  const near = (value: number): number[] =>
    Math.abs(value - estimate) <= 2 * MAX_SCALE_DISTANCE * reach ? [value] : [];
  const band = prior && bandOf(prior);
  const marks = [
    ...[from, to],
    ...(truth === undefined ? [] : [truth]),
    ...(initial === undefined ? [] : near(initial)),
    ...(band?.flatMap(near) ?? []),
  ];
  const [low, high] = [Math.min(...marks), Math.max(...marks)];
  if (!(high > low)) return nothing;
  const within = (value: number): number => Math.min(Math.max((value - low) / (high - low), 0), 1);
  const at = (value: number): string => (MARGIN + (WIDTH - 2 * MARGIN) * within(value)).toFixed(1);
  const shows = (value: number | undefined): value is number => value !== undefined && value >= low && value <= high;
  return html`<svg class="error-bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="${labelOf(reach > 0, shows(initial), band !== undefined)}">
${band ? html`<rect class="prior" x="${at(band[0])}" width="${(Number(at(band[1])) - Number(at(band[0]))).toFixed(1)}" y="4" height="${HEIGHT - 8}"/>` : nothing}
<line class="axis" x1="0" x2="${WIDTH}" y1="${MIDDLE}" y2="${MIDDLE}"/>
${reach > 0 ? html`<line class="reach" x1="${at(from)}" x2="${at(to)}" y1="${MIDDLE}" y2="${MIDDLE}"/>` : nothing}
${shows(initial) ? html`<line class="start-tick" x1="${at(initial)}" x2="${at(initial)}" y1="5" y2="${HEIGHT - 5}"/>` : nothing}
${truth === undefined ? nothing : html`<line class="truth-tick" x1="${at(truth)}" x2="${at(truth)}" y1="3" y2="${HEIGHT - 3}"/>`}
<circle class="end" cx="${at(estimate)}" cy="${MIDDLE}" r="4"/>
</svg>`;
}

const labelOf = (hasReach: boolean, hasStart: boolean, hasPrior: boolean): string =>
  [
    `estimate${hasReach ? ' with two standard errors' : ''}`,
    ...(hasStart ? ['where the search started'] : []),
    ...(hasPrior ? ['what was known before, with two standard deviations'] : []),
  ].join(', ');

/** Values two standard deviations below and above the mean of a prior. */
function bandOf({ mean, standardDeviation, isLogNormal }: NonNullable<ErrorBarValues['prior']>): readonly number[] {
  return [-2, 2].map((times) =>
    isLogNormal ? mean * Math.exp(times * standardDeviation) : mean + times * standardDeviation,
  );
}
