import type { Estimate } from '@gradsim/optim';
import { fieldsOf } from './field-chart.ts';
import { type Html, html, nothing } from './html.ts';

/** Number of unknowns that the table shows, the first ones. */
const MAX_SHOWN = 12;
/** Correlation from which on a pair is said to trade off. */
const MIN_CORRELATION = 0.5;

/** HTML section of the correlations of an estimate's unknowns; nothing for one unknown, and for fields of like ones. */
export function correlationSection({ parameters, correlation }: Pick<Estimate, 'parameters' | 'correlation'>): Html {
  const names = Object.keys(parameters).slice(0, MAX_SHOWN);
  if (correlation.length < 2 || fieldsOf(parameters).length > 0) return nothing;
  const cell = (value: number | null): Html => {
    if (value === null) return html`<td>–</td>`;
    // By classes, since the studio's policy allows no style within markup.
    const tenths = Math.round(10 * Math.min(1, Math.abs(value)));
    return html`<td class="${value < 0 ? 'minus' : 'plus'} of-${tenths}">${value.toFixed(2)}</td>`;
  };
  return html`<section><h3>Correlations of the estimates</h3>
<div class="card"><table class="correlation"><thead><tr><th></th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${names.map((name, r) => html`<tr><th scope="row">${name}</th>${correlation[r].slice(0, MAX_SHOWN).map(cell)}</tr>`)}</tbody></table>
<p class="legend">${tradeOff(correlation, Object.keys(parameters))}</p></div></section>`;
}

/** Sentence on the pair with the strongest correlation. */
function tradeOff(correlation: Estimate['correlation'], names: readonly string[]): string {
  let [most, pair]: [number, string] = [0, ''];
  correlation.forEach((row, i) => {
    row.slice(0, i).forEach((value, j) => {
      if (value === null || Math.abs(value) <= Math.abs(most)) return;
      [most, pair] = [value, `${names[j]} and ${names[i]}`];
    });
  });
  if (Math.abs(most) < MIN_CORRELATION) return 'No two unknowns trade off by much.';
  return `Most of all, ${pair} trade off: the observations are met almost as well with more of one and ${most > 0 ? 'more' : 'less'} of the other (correlation ${most.toFixed(2)}).`;
}
