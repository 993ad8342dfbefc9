import { asymmetricEnds } from '@gradsim/base';
import type { ParameterEstimate } from '@gradsim/optim';
import { formatEstimate, formatNumber, formatUnit } from '../terminal/numbers.ts';
import { errorBar } from './error-bar.ts';
import { type Html, html, nothing } from './html.ts';
import { list } from './verdict.ts';

/** Value and standard error with as many digits as the error makes significant. */
export function valueText({ estimate, standardError }: Pick<ParameterEstimate, 'estimate' | 'standardError'>): string {
  const value = formatEstimate(estimate, standardError);
  if (standardError === null || !Number.isFinite(standardError)) return value;
  const digits = Math.max(0, 1 - Math.floor(Math.log10(standardError)));
  return digits > 12 ? value : estimate.toFixed(digits);
}

/** Sentence with the 95 % interval. */
export function intervalText({ interval, unit }: Pick<ParameterEstimate, 'interval' | 'unit'>): string {
  if (!interval?.every(Number.isFinite)) return 'This film cannot show it';
  const digits = Math.max(0, 1 - Math.floor(Math.log10((interval[1] - interval[0]) / 4)));
  const [low, high] = interval.map((end) => (digits > 12 ? formatNumber(end) : end.toFixed(digits)));
  return `95 % sure to be between ${low} and ${high}${unit ? ` ${formatUnit(unit)}` : ''}`;
}

/** Result whose answers are shown. */
export interface Headline {
  readonly parameters: Readonly<Record<string, ParameterEstimate>>;
  readonly verdict: { readonly trusted: boolean };
  /** Unknowns that are the answer, with the meaning of each. */
  readonly answers: Readonly<Record<string, string>>;
  /** Sentences on whether it is trusted, and why not. */
  readonly lines: readonly string[];
}

/** The answers of a result, each with its bar, and whether to trust them. */
export function headline({ parameters, verdict: { trusted }, answers, lines }: Headline): Html {
  const found = Object.keys(answers).filter((name) => name in parameters);
  const names = found.length > 0 ? found : Object.keys(parameters).slice(0, 1);
  const [verdict, ...reasons] = lines;
  return html`<div class="number${trusted ? ' trusted' : ''}">${names.map((name) => one(name, parameters[name], answers[name]))}
${
  verdict === undefined
    ? nothing
    : html`<p class="verdict"><b aria-hidden="true">${trusted ? '✓' : '!'}</b> ${verdict}</p>${list(reasons)}`
}</div>`;
}

function one(name: string, answer: ParameterEstimate, meaning: string | undefined): Html {
  const { estimate, standardError, interval, unit } = answer;
  const isKnown = standardError !== null && Number.isFinite(standardError) && !asymmetricEnds(estimate, interval);
  return html`<div class="one"><p class="name">${name}${meaning ? html`<span>: ${meaning}</span>` : nothing}</p>
<p class="value">${valueText(answer)}${isKnown ? html`<span class="error"> ± ${formatNumber(standardError, 2)}</span>` : nothing}${unit ? html`<span class="unit"> ${formatUnit(unit)}</span>` : nothing}</p>
<div class="bar">${errorBar({ ...answer, initial: undefined })}</div>
${interval || standardError === Number.POSITIVE_INFINITY ? html`<p class="interval">${intervalText(answer)}.</p>` : nothing}</div>`;
}
