import type { Estimate } from '@gradsim/optim';
import { allRemarks, type Remarkable } from '../experiment/record/remarks.ts';
import { formatNumber, formatUnit } from '../terminal/numbers.ts';
import { type Html, html, nothing } from './html.ts';
import { list } from './verdict.ts';

/** Share of a bar, of its square, from which a measured quantity is said to cause it. */
const MIN_VARIANCE_SHARE = 0.3;

/** Kinds of findings that say where a bar comes from. */
const OF_BARS: readonly string[] = ['priors', 'tolerance'];

/** Answer whose bar is explained: the first that is estimated. */
export const explainedAnswer = (
  answers: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, unknown>>,
): string => Object.keys(answers).find((each) => each in parameters) ?? Object.keys(parameters)[0];

/** Remarks on an estimate; first, which measured quantity dominates the bar of its first answer. */
export function limitLines(
  record: Remarkable & Pick<Estimate, 'given'>,
  answers: Readonly<Record<string, string>>,
): string[] {
  const { parameters, given } = record;
  const name = explainedAnswer(answers, parameters);
  const { ofGiven = {}, standardError = null, determinedBy = null } = parameters[name] ?? {};
  const [largest] = Object.entries(ofGiven).sort(([, a], [, b]) => b - a);
  const share = largest && standardError ? (largest[1] / standardError) ** 2 : 0;
  const dominant =
    share > MIN_VARIANCE_SHARE
      ? `${Math.round(100 * share)} % of the bar of ${name} (of its square) comes from ${largest[0]}, given as ${formatNumber(given[largest[0]].value)} with a tolerance of ${formatNumber(given[largest[0]].tolerance, 2)} ${formatUnit(given[largest[0]].unit)}: to know ${name} better, measure that better.`
      : determinedBy === 'priors'
        ? `The bar of ${name} comes mostly from what was known before the film, such as how exactly outlines in films are found: a larger view makes it smaller.`
        : `The bar of ${name} comes from the film itself, not from what you measured: a sharper, longer or larger view makes it smaller.`;
  // One account: what the checks say of priors and tolerances is said above, or of unknowns that nobody asked for.
  const findings = record.verdict.findings.filter(({ kind, isCritical }) => isCritical || !OF_BARS.includes(kind));
  const verdict = { ...record.verdict, findings };
  return [...(standardError === null ? [] : [dominant]), ...allRemarks({ ...record, verdict })];
}

/** HTML section of remarks, of which all but the first are folded. */
export function limitSection([first, ...others]: readonly string[]): Html {
  if (first === undefined) return nothing;
  return html`<section class="limits"><h3>What to know about these numbers</h3><p>${first}</p>
${others.length > 0 ? html`<details><summary>What else to know</summary>${list(others)}</details>` : nothing}</section>`;
}
