import { createHash } from 'node:crypto';
import { type Html, html, nothing } from '../report/html.ts';
import { MARK_OF_PAGES } from '../report/marks.ts';
import { PLAYER_SCRIPT } from '../report/player.ts';
import { STYLE } from '../report/style.ts';
import { formatNumber, formatSeconds } from '../terminal/numbers.ts';
import type { MachineRow } from './machines.ts';
import type { PageData } from './page-data.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

const hashed = (script: string): string => `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/**
 * Content security policy: the page shows its own content, runs its own script and the reports' player, and embeds the
 * reports stored beside it as frames.
 */
const POLICY = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${hashed(PAGE_SCRIPT)} ${hashed(PLAYER_SCRIPT)}; frame-src 'self' file:`;

/**
 * HTML page of one study, or of two for comparison, as one self-contained file.
 * @param refresh interval at which the page reloads itself, s.
 */
export function studyPage(data: PageData, refresh?: number): string {
  const title = data.studies.map(({ name }) => name).join(' and ');
  // No data can close the element that contains it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ markup: MARK_OF_PAGES }}${
  refresh === undefined
    ? ''
    : html`
<meta http-equiv="refresh" content="${refresh}">`
}
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${{ markup: STYLE }}${{ markup: PAGE_STYLE }}</style>
</head>
<body><main class="study">
<h1>${title}</h1>
<div class="facts" id="facts"></div>
<div class="chips" id="chips"></div>
${machineTable(data.machines)}
<section id="unknowns" hidden><h2>Unknowns</h2><div class="card" id="summary"></div></section>
<section><h2>Charts</h2><div class="charts" id="charts"></div></section>
<section><h2>Trials</h2>
<div class="tools"><input id="filter" type="search" placeholder="filter: a text, or seconds>2, error of mass<0.01; several with ;" aria-label="filter"><span id="count"></span><button type="button" id="csv">CSV of these</button></div>
<div class="rows" id="rows" tabindex="0"></div>
<div class="card detail" id="detail" hidden></div></section>
</main><script type="application/json" id="data">${{ markup: json }}</script><script>${{ markup: PAGE_SCRIPT }}</script></body>
</html>
`.markup;
}

/** HTML table of the trials, rates and failures of each machine; empty without machines. */
function machineTable(machines: readonly MachineRow[]): Html {
  if (machines.length === 0) return nothing;
  const rows = machines.map(
    ({ study, machine, trials, failed, aMinute, cpuSeconds }) =>
      html`<tr><td class="text">${machine}</td><td class="text">${study}</td><td>${trials}</td><td${{ markup: failed > 0 ? ' class="failed"' : '' }}>${failed}</td><td>${aMinute === null ? '–' : formatNumber(aMinute, 3)}</td><td>${formatSeconds(cpuSeconds)}</td></tr>`,
  );
  return html`<section><h2>Machines</h2><div class="card"><table>
<thead><tr><th class="text">machine</th><th class="text">study</th><th>trials</th><th>failed</th><th>trials a minute</th><th>processor</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>`;
}
