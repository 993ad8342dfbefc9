import { asymmetricEnds } from '@gradsim/base';
import type { DerivedEstimate, Estimate, ParameterEstimate } from '@gradsim/optim';
import { notableGiven, otherGivenSentence } from '../experiment/record/notable-given.ts';
import { formatError, formatEstimate, formatNumber, formatStandardError, formatUnit } from '../terminal/numbers.ts';
import { errorBar } from './error-bar.ts';
import { fieldChart, fieldsOf } from './field-chart.ts';
import { type Html, html, nothing } from './html.ts';

/** HTML table in a card; the first cell of a row is its name, and `legend` stands below. */
export const table = (head: readonly string[], rows: readonly (readonly (Html | string)[])[], legend?: Html): Html =>
  html`<div class="card"><table class="parameters"><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>${legend ? html`<p class="legend">${legend}</p>` : nothing}</div>`;

const named = (name: string, unit: string): Html =>
  html`<span class="name">${name}</span> <span class="unit">${formatUnit(unit)}</span>`;

const estimateOf = (estimate: number, standardError: number | null): Html =>
  html`<span class="value">${formatEstimate(estimate, standardError)}</span>`;

function errorOf({
  estimate,
  standardError,
  interval,
}: Pick<DerivedEstimate, 'estimate' | 'standardError' | 'interval'>): Html {
  const text = formatStandardError(standardError, 'none', interval, estimate);
  if (standardError === null || !Number.isFinite(standardError)) return html`<span class="none">${text}</span>`;
  return asymmetricEnds(estimate, interval) ? html`${text}` : html`± ${text}`;
}

/** Keys of the pictures of {@link errorBar}. */
const KEYS = html`<span class="key reach-key"></span>two standard errors to either side`;

/** HTML table of the parameters of an estimate; like ones as a picture of all, with the table folded. */
export function parameterTable({ parameters }: Pick<Estimate, 'parameters'>): Html {
  const all = Object.entries(parameters);
  if (all.length === 0) return nothing;
  const hasTruth = all.some(([, p]) => p.truth !== undefined);
  const hasPrior = all.some(([, p]) => p.prior);
  const row = ([name, p]: (typeof all)[number]): (Html | string)[] => [
    named(name, p.unit),
    formatNumber(p.initial),
    ...(hasTruth ? [p.truth === undefined ? '' : formatNumber(p.truth, 6)] : []),
    estimateOf(p.estimate, p.standardError),
    ...(hasTruth ? [formatError(p.estimate, p.truth)] : []),
    html`${errorOf(p)}${sourceOf(p)}`,
    errorBar(p),
  ];
  const rows = table(
    [
      'parameter',
      'initial',
      ...(hasTruth ? ['truth'] : []),
      'estimate',
      ...(hasTruth ? ['error'] : []),
      'standard error',
      '',
    ],
    all.map(row),
    html`<span class="key estimate"></span>estimate${KEYS}<span class="key start-key"></span>start of the search${hasPrior ? html`<span class="key prior-key"></span>known before, two standard deviations` : nothing}${hasTruth ? html`<span class="key truth-key"></span>truth` : nothing}`,
  );
  const fields = fieldsOf(parameters);
  if (fields.length === 0) return rows;
  return html`<div class="charts">${fields.map(fieldChart)}</div>
<details><summary>All ${all.length} numbers</summary>${rows}</details>`;
}

const sourceOf = ({ determinedBy }: ParameterEstimate): Html =>
  determinedBy === 'priors' || determinedBy === 'range'
    ? html` <span class="none">by its ${determinedBy === 'range' ? 'range' : 'prior'}</span>`
    : nothing;

/** HTML table of derived quantities. */
export function derivedTable({ derived }: Pick<Estimate, 'derived'>): Html {
  const all = Object.entries(derived);
  if (all.length === 0) return nothing;
  const hasTruth = all.some(([, d]) => d.truth !== undefined);
  const row = ([name, d]: (typeof all)[number]): (Html | string)[] => [
    named(name, d.unit),
    d.from.join(', '),
    ...(hasTruth ? [d.truth === undefined ? '' : formatNumber(d.truth, 6)] : []),
    estimateOf(d.estimate, d.standardError),
    ...(hasTruth ? [formatError(d.estimate, d.truth)] : []),
    errorOf(d),
    errorBar(d),
  ];
  return table(
    [
      'derived value',
      'from',
      ...(hasTruth ? ['truth'] : []),
      'value',
      ...(hasTruth ? ['error'] : []),
      'standard error',
      '',
    ],
    all.map(row),
  );
}

/** HTML table of the given quantities that matter, with their measured values and those of the fit. */
export function givenTable(estimate: Pick<Estimate, 'given' | 'parameters'>): Html {
  const chosen = notableGiven(estimate);
  const others = otherGivenSentence(chosen);
  const further = others === undefined ? nothing : html`<div class="further"><p>${others}</p></div>`;
  if (chosen.notable.length === 0) return further;
  const row = ([name, g]: (typeof chosen.notable)[number]): (Html | string)[] => [
    named(name, g.unit),
    `${formatNumber(g.value, 6)} ± ${formatNumber(g.tolerance, 2)}`,
    estimateOf(g.estimate, g.standardError),
    g.standardError === null ? '' : `± ${formatNumber(g.standardError, 2)}`,
    errorBar({ ...g, prior: { mean: g.value, standardDeviation: g.tolerance } }),
    partsOf(name, estimate.parameters),
  ];
  return html`${table(
    ['given', 'measured', 'with the film', 'standard error', '', 'causes'],
    chosen.notable.map(row),
    html`<span class="key prior-key"></span>measured, with two tolerances<span class="key estimate"></span>with the film${KEYS}`,
  )}${further}`;
}

/** Smallest share of a variance that is reported, 0 to 1. */
const SOME_PART = 0.05;

/** Text: shares of the parameters' variances that a given quantity causes, as far as they exceed `SOME_PART`. */
function partsOf(given: string, parameters: Estimate['parameters']): string {
  return Object.entries(parameters)
    .flatMap(([name, { ofGiven, standardError }]) => {
      const part = ((ofGiven?.[given] ?? 0) / (standardError || Number.POSITIVE_INFINITY)) ** 2;
      return part > SOME_PART ? [{ name, part }] : [];
    })
    .sort((a, b) => b.part - a.part)
    .map(({ name, part }) => `${formatNumber(100 * part, 2)} % of the variance of ${name}`)
    .join(', ');
}
