import { embedded } from '#embedded';
import { type Html, html, htmlPage, nothing } from '../../components/index.ts';
import { pageScript, reportStyle } from '../../report/assets.ts';
import { formatNumber, formatSeconds } from '../../terminal/numbers.ts';
import type { PageData } from './data.ts';
import type { MachineRow } from './machines.ts';

/**
 * HTML page of one study, or of two for comparison, as one self-contained file; its script is `client/main.ts`. The
 * reports stored beside it are frames.
 * @param refresh interval at which the page reloads itself, s.
 */
export function studyPage(data: PageData, refresh?: number): string {
  const title = data.studies.map(({ name }) => name).join(' and ');
  // No data can close the element that contains it.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  return htmlPage({
    title,
    style: reportStyle() + embedded('study.css'),
    scripts: [pageScript('study.js')],
    scriptsOfFrames: [pageScript('player.js')],
    ...(refresh === undefined ? {} : { refresh }),
    body: html`<main class="study">
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
</main><script type="application/json" id="data">${{ markup: json }}</script>`,
  });
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
