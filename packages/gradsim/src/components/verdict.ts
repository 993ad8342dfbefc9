import type { StageRecord } from '../experiment/record/record.ts';
import { allRemarks, endingOf, type Remarkable, trust } from '../experiment/record/remarks.ts';
import { formatNumber, formatSeconds } from '../terminal/numbers.ts';
import { type Html, html, nothing } from './html.ts';

/** HTML box that says whether the goal is reached; empty for a problem without a goal. */
export function goalBox({ goal }: Pick<StageRecord, 'goal'>): Html {
  return goal ? html`<div class="${goal.reached ? 'reached' : 'distrust'}"><b>${goal.note}</b></div>` : nothing;
}

/** HTML box that says whether the estimate is trusted, and why not. */
export function verdictBox(record: Pick<StageRecord, 'verdict' | 'goal'>): Html {
  const [first, ...others] = trust(record);
  if (first === undefined) return nothing;
  return html`<div class="${record.verdict.trusted ? 'reached' : 'distrust'}"><b>${first}</b>${list(others)}</div>`;
}

/** HTML list of sentences; empty without any. */
export const list = (lines: readonly string[]): Html =>
  lines.length === 0 ? nothing : html`<ul class="remarks">${lines.map((line) => html`<li>${line}</li>`)}</ul>`;

/** HTML section of the remarks on an estimate. */
export function remarkSection(record: Remarkable): Html {
  const lines = allRemarks(record);
  return lines.length === 0
    ? nothing
    : html`<section><h3>What to know about these numbers</h3>${list(lines)}</section>`;
}

/** HTML line on how a search ended, and what it took. */
export function searchFacts(
  record: Pick<StageRecord, 'goal' | 'stopped' | 'iterations' | 'loss' | 'residual' | 'seconds' | 'compileSeconds'> &
    Pick<StageRecord, 'method' | 'methodReason' | 'device'>,
): Html {
  return html`<div class="facts"><span><b>${endingOf(record)}</b> after ${record.iterations} iterations</span>
<span><b>${formatNumber(record.loss, 4)}</b> loss</span>
${record.residual === null ? nothing : html`<span><b>${formatNumber(record.residual, 4)}</b> root mean square residual</span>`}
<span><b>${formatSeconds(record.seconds)}</b> in all, ${formatSeconds(record.compileSeconds)} to compile</span>
<span>by <b>${record.method}</b>, ${record.methodReason}</span>
<span>device <b>${record.device}</b></span></div>`;
}
