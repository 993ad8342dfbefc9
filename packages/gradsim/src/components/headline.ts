import { asymmetricEnds } from '@gradsim/base';
import type { ParameterEstimate } from '@gradsim/optim';
import { formatEstimate, formatNumber, formatUnit } from '../terminal/numbers.ts';
import { errorBar } from './error-bar.ts';
import { type Html, html, nothing } from './html.ts';
import { list } from './verdict.ts';

/** Value and standard error with as many digits as the error makes significant. */
export function valueText({ estimate, standardError }: Pick<Answered, 'estimate' | 'standardError'>): string {
  const value = formatEstimate(estimate, standardError);
  if (standardError === null || !Number.isFinite(standardError)) return value;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(standardError)));
  return digits > 12 ? value : estimate.toFixed(digits);
}

/** Sentence with the 95 % interval. */
export function intervalText({ interval, unit }: Pick<Answered, 'interval' | 'unit'>): string {
  if (!interval?.every(Number.isFinite)) return 'This film cannot show it';
  const digits = Math.max(0, 1 - Math.floor(Math.log10((interval[1] - interval[0]) / 4)));
  const [low, high] = interval.map((end) => (digits > 12 ? formatNumber(end) : end.toFixed(digits)));
  return `95 % sure to be between ${low} and ${high}${unit ? ` ${formatUnit(unit)}` : ''}`;
}

/** Quantity with its bar, as a headline shows it. */
export type Answered = Pick<ParameterEstimate, 'estimate' | 'standardError' | 'interval' | 'unit'>;

/** Result whose answers are shown. */
export interface Headline {
  readonly parameters: Readonly<Record<string, Answered>>;
  readonly derived: Readonly<Record<string, Answered>>;
  readonly verdict: { readonly trusted: boolean };
  /** Unknowns that are the answer, with the meaning of each. */
  readonly answers: Readonly<Record<string, string>>;
  /** Sentences on whether it is trusted, and why not. */
  readonly lines: readonly string[];
}

/** The answers of a result, each with its bar, and whether to trust them. */
export function headline({ parameters, derived, verdict: { trusted }, answers, lines }: Headline): Html {
  const all = { ...derived, ...parameters };
  const found = Object.keys(answers).filter((name) => name in all);
  const names = found.length > 0 ? found : Object.keys(parameters).slice(0, 1);
  const [verdict, ...reasons] = lines;
  return html`<div class="number${trusted ? ' trusted' : ''}">${names.map((name) => one(name, all[name], answers[name]))}
${
  verdict === undefined
    ? nothing
    : html`<p class="verdict"><b aria-hidden="true">${trusted ? '✓' : '!'}</b> ${verdict}</p>${list(reasons)}`
}</div>`;
}

function one(name: string, answer: Answered, meaning: string | undefined): Html {
  const { estimate, standardError, interval, unit } = answer;
  const isKnown = standardError !== null && Number.isFinite(standardError) && !asymmetricEnds(estimate, interval);
  return html`<div class="one"><p class="name">${name}${meaning ? html`<span>: ${meaning}</span>` : nothing}</p>
<p class="value">${valueText(answer)}${isKnown ? html`<span class="error"> ± ${formatNumber(standardError, 2)}</span>` : nothing}${unit ? html`<span class="unit"> ${formatUnit(unit)}</span>` : nothing}</p>
<div class="bar">${errorBar({ estimate, standardError, interval })}</div>
${interval || standardError === Number.POSITIVE_INFINITY ? html`<p class="interval">${intervalText(answer)}.</p>` : nothing}</div>`;
}
