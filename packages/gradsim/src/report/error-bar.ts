import type { DerivedEstimate, ParameterEstimate } from '@gradsim/optim';
import { scaleLinear } from 'd3-scale';
import { type Html, html, nothing } from './html.ts';

/** Width of the error bar's drawing, CSS pixels. */
const WIDTH = 180;
/** Height of the error bar's drawing, CSS pixels. */
const HEIGHT = 26;
/** Vertical position of the axis from the upper edge, CSS pixels. */
const MIDDLE = HEIGHT / 2;

/**
 * Chart of one estimate: a dot with a bar of two standard errors to either side, and the truth as a tick; each chart
 * has its own scale.
 */
export function errorBar({ estimate, standardError, truth }: ParameterEstimate | DerivedEstimate): Html {
  const reach = Number.isFinite(standardError) ? 2 * standardError! : 0;
  const marks = [estimate - reach, estimate + reach, ...(truth === undefined ? [] : [truth])];
  const [low, high] = [Math.min(...marks), Math.max(...marks)];
  if (!(high > low)) return nothing;
  const x = scaleLinear([low, high], [8, WIDTH - 8]);
  const at = (value: number): string => x(value).toFixed(1);
  return html`<svg class="error-bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img" aria-label="estimate with two standard errors">
<line class="axis" x1="0" x2="${WIDTH}" y1="${MIDDLE}" y2="${MIDDLE}"/>
${reach > 0 ? html`<line class="reach" x1="${at(estimate - reach)}" x2="${at(estimate + reach)}" y1="${MIDDLE}" y2="${MIDDLE}"/>` : nothing}
${truth === undefined ? nothing : html`<line class="truth-tick" x1="${at(truth)}" x2="${at(truth)}" y1="3" y2="${HEIGHT - 3}"/>`}
<circle class="end" cx="${at(estimate)}" cy="${MIDDLE}" r="4"/>
</svg>`;
}
