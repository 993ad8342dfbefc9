import type { Estimate, Experiment, Iteration, ParameterEstimate } from '@gradsim/optim';
import { notableGiven, otherGivenSentence } from '../experiment/notable-given.ts';
import type { RepeatRecord } from '../experiment/record.ts';
import { endingOf, remarks } from '../experiment/remarks.ts';
import type { FinishedStage } from '../experiment/run.ts';
import { arrayLines, intervalLines, verificationLines } from '../experiment/tables.ts';
import { formatError, formatEstimate, formatNumber, formatSeconds, formatStandardError } from '../terminal/numbers.ts';
import { errorBar } from './error-bar.ts';
import { fieldChart, fieldsOf, fieldsOfArrays } from './field-chart.ts';
import { type Html, html, nothing } from './html.ts';
import { lineChart } from './line-chart.ts';
import { MARK_OF_PAGES } from './marks.ts';
import { motionSection } from './motion.ts';
import { PLAYER_SCRIPT, POLICY } from './player.ts';
import { stripFigure } from './strip.ts';
import { STYLE } from './style.ts';
import { goalBox, residualSection, verdictBox } from './verdict.ts';

/**
 * A report on a finished experiment as one self-contained HTML page: whether it can be trusted, estimates with error
 * bars, undetermined directions, curves, playable frames, and the data to repeat it.
 *
 * ```ts
 * await writeFile('report.html', await reportHtml(experiment, stages));
 * ```
 */
export async function reportHtml(experiment: Experiment, stages: readonly FinishedStage[]): Promise<string> {
  const parts = await Promise.all(stages.map((stage) => stageSection(stage, stages.length > 1)));
  const hasPlayer = stages.some(({ strip }) => strip && strip.frames.length > 1);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${{ markup: MARK_OF_PAGES }}
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${experiment.name}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body><main>
<h1>${experiment.name}</h1>
<p class="lead">${experiment.description}</p>
${parts}
</main>${hasPlayer ? html`<script>${{ markup: PLAYER_SCRIPT }}</script>` : nothing}</body>
</html>
`;
  return page.markup;
}

async function stageSection(stage: FinishedStage, isOneOfMany: boolean): Promise<Html> {
  const { record, estimate, strip } = stage;
  return html`<section>
${isOneOfMany ? html`<h2>${record.stage}</h2>` : nothing}
${goalBox(record)}
${verdictBox(record)}
${parameterTable(estimate)}
${arraySection(estimate)}
${derivedSection(estimate)}
${await stripFigure(strip, stage.clock)}
${motionSection(stage.motion)}
${remarkList(stage)}
<details><summary>What was measured, and how these numbers were found</summary>
${givenSection(estimate)}
${furtherLines(stage)}
${facts(stage)}
<h3>Over the iterations</h3>
<div class="charts">${charts(stage)}</div>
${await residualSection(stage)}
${correlationTable(estimate)}
</details>
${settings(record.repeat)}
</section>`;
}

function facts({ record }: FinishedStage): Html {
  const compile = formatSeconds(record.compileSeconds);
  return html`<div class="facts"><span><b>${endingOf(record)}</b> after ${record.iterations} iterations</span>
<span><b>${formatNumber(record.loss, 4)}</b> loss</span>
${record.residual === null ? nothing : html`<span><b>${formatNumber(record.residual, 4)}</b> root mean square residual</span>`}
<span><b>${formatSeconds(record.seconds)}</b> in all, ${compile} to compile</span>
<span>by <b>${record.method}</b>, ${record.methodReason}</span>
<span>device <b>${record.device}</b></span></div>`;
}

function parameterTable({ parameters }: Estimate): Html {
  const rows = Object.entries(parameters);
  if (rows.length === 0) return nothing;
  const hasTruth = rows.some(([, p]) => p.truth !== undefined);
  const row = ([name, p]: (typeof rows)[number]): Html => html`<tr>
<td><span class="name">${name}</span> <span class="unit">${p.unit}</span></td>
<td>${formatNumber(p.initial)}</td>
${hasTruth ? html`<td>${p.truth === undefined ? '' : formatNumber(p.truth, 6)}</td>` : nothing}
<td class="value">${formatEstimate(p.estimate, p.standardError)}</td>
${hasTruth ? html`<td>${formatError(p.estimate, p.truth)}</td>` : nothing}
<td>${p.standardError !== null && Number.isFinite(p.standardError) ? `± ${formatNumber(p.standardError, 2)}` : html`<span class="none">${formatStandardError(p.standardError, 'none', p.interval)}</span>`}${p.determinedBy === 'priors' || p.determinedBy === 'range' ? html` <span class="none">by its ${p.determinedBy === 'range' ? 'range' : 'prior'}</span>` : nothing}</td>
<td>${errorBar(p)}</td></tr>`;
  const fields = fieldsOf(parameters);
  const table = html`<div class="card"><table class="parameters">
<thead><tr><th>parameter</th><th>initial</th>${hasTruth ? html`<th>truth</th>` : nothing}<th>estimate</th>${hasTruth ? html`<th>error</th>` : nothing}<th>standard error</th><th></th></tr></thead>
<tbody>${rows.map(row)}</tbody></table>
<p class="legend"><span class="key estimate"></span>estimate<span class="key reach-key"></span>two standard errors to either side<span class="key start-key"></span>start of the search${rows.some(([, p]) => p.prior) ? html`<span class="key prior-key"></span>known before, two standard deviations` : nothing}${hasTruth ? html`<span class="key truth-key"></span>truth` : nothing}</p></div>`;
  if (fields.length === 0) return table;
  return html`<div class="charts">${fields.map(fieldChart)}</div>
<details><summary>All ${rows.length} numbers</summary>${table}</details>`;
}

/** HTML section with a picture of each component of unknowns that are arrays. */
function arraySection({ arrays }: Estimate): Html {
  const fields = fieldsOfArrays(arrays);
  return fields.length === 0 ? nothing : html`<div class="charts">${fields.map(fieldChart)}</div>`;
}

/** HTML section of derived quantities. */
function derivedSection({ derived }: Estimate): Html {
  const rows = Object.entries(derived);
  if (rows.length === 0) return nothing;
  const hasTruth = rows.some(([, d]) => d.truth !== undefined);
  const row = ([name, d]: (typeof rows)[number]): Html => html`<tr>
<td><span class="name">${name}</span> <span class="unit">${d.unit}</span></td>
<td>${d.from.join(', ')}</td>
${hasTruth ? html`<td>${d.truth === undefined ? '' : formatNumber(d.truth, 6)}</td>` : nothing}
<td class="value">${formatEstimate(d.estimate, d.standardError)}</td>
${hasTruth ? html`<td>${formatError(d.estimate, d.truth)}</td>` : nothing}
<td>${d.standardError !== null && Number.isFinite(d.standardError) ? `± ${formatNumber(d.standardError, 2)}` : html`<span class="none">${formatStandardError(d.standardError, 'none')}</span>`}</td>
<td>${errorBar(d)}</td></tr>`;
  return html`<div class="card derived"><table class="parameters">
<thead><tr><th>derived value</th><th>from</th>${hasTruth ? html`<th>truth</th>` : nothing}<th>value</th>${hasTruth ? html`<th>error</th>` : nothing}<th>standard error</th><th></th></tr></thead>
<tbody>${rows.map(row)}</tbody></table></div>`;
}

/** HTML section of the given quantities that matter, with their measured values and those of the fit. */
function givenSection(estimate: Estimate): Html {
  const chosen = notableGiven(estimate);
  const others = otherGivenSentence(chosen);
  const further = others === undefined ? nothing : html`<div class="further"><p>${others}</p></div>`;
  if (chosen.notable.length === 0) return further;
  const row = ([name, g]: (typeof chosen.notable)[number]): Html => html`<tr>
<td><span class="name">${name}</span> <span class="unit">${g.unit}</span></td>
<td>${formatNumber(g.value, 6)} ± ${formatNumber(g.tolerance, 2)}</td>
<td class="value">${formatEstimate(g.estimate, g.standardError)}</td>
<td>${g.standardError === null ? nothing : `± ${formatNumber(g.standardError, 2)}`}</td>
<td>${errorBar({ ...g, prior: { mean: g.value, standardDeviation: g.tolerance } })}</td>
<td>${partsOf(name, estimate.parameters)}</td></tr>`;
  return html`<div class="card derived"><table class="parameters">
<thead><tr><th>given</th><th>measured</th><th>with the film</th><th>standard error</th><th></th><th>causes</th></tr></thead>
<tbody>${chosen.notable.map(row)}</tbody></table>
<p class="legend"><span class="key prior-key"></span>measured, with two tolerances<span class="key estimate"></span>with the film<span class="key reach-key"></span>two standard errors to either side</p></div>${further}`;
}

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

/** Smallest share of a variance that is reported, 0 to 1. */
const SOME_PART = 0.05;

function furtherLines({ record }: FinishedStage): Html {
  const lines = [...arrayLines(record), ...intervalLines(record), ...verificationLines(record)];
  return lines.length === 0 ? nothing : html`<div class="further">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
}

function remarkList({ record }: FinishedStage): Html {
  const lines = [...remarks(record), ...record.verdict.unseen.map(({ note }) => note)];
  if (lines.length === 0) return nothing;
  return html`<section><h3>What to know about these numbers</h3>
<ul class="remarks">${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`;
}

/** Number of parameters above which curves are drawn only for the least determined ones, and no correlations. */
const MANY = 12;

/** Parameters whose curves are drawn: those with the largest relative standard errors, or all if they are few. */
function charted(parameters: Estimate['parameters']): [string, ParameterEstimate][] {
  const all = Object.entries(parameters);
  if (all.length <= MANY) return all;
  const spread = ({ standardError, estimate }: ParameterEstimate): number =>
    standardError !== null && Number.isFinite(standardError) ? standardError / Math.abs(estimate) : Number.MAX_VALUE;
  return all.sort(([, a], [, b]) => spread(b) - spread(a)).slice(0, MANY - 1);
}

function charts({ estimate: { parameters, history, goal }, curves }: FinishedStage): Html[] {
  const points = (value: (line: Iteration) => number): { x: number; y: number }[] =>
    history.map((line) => ({ x: line.iteration, y: value(line) }));
  const size = { width: 420, height: 230 };
  const loss = lineChart({
    title: 'loss',
    points: points((line) => line.loss),
    isLog: history.every(({ loss }) => loss >= 0),
    ...size,
  });
  const traces = charted(parameters).map(([name, { unit, truth, standardError }]) =>
    lineChart({
      title: name,
      unit,
      points: points((line) => line.parameters[name]),
      reference: truth === undefined ? undefined : { value: truth, label: 'truth' },
      standardError: Number.isFinite(standardError) ? standardError : null,
      ...size,
    }),
  );
  const toGoal = history.filter(({ distance }) => distance !== undefined);
  const distances = lineChart({
    title: 'distance from the goal, of the best so far',
    unit: goal?.unit,
    points: toGoal.map(({ iteration, distance }) => ({ x: iteration, y: distance! })),
    others: curves?.map(({ name, distances: of }) => ({ name, points: of.map((y, x) => ({ x, y })) })),
    isLog: true,
    ...size,
  });
  return [loss, ...(toGoal.length > 1 ? [distances] : []), ...traces];
}

function correlationTable({ parameters, correlation }: Estimate): Html {
  const names = Object.keys(parameters);
  if (correlation.length < 2 || names.length > MANY) return nothing;
  const cell = (value: number | null): Html => {
    if (value === null) return html`<td>–</td>`;
    const colour = value < 0 ? '--truth' : '--accent';
    const share = Math.round(Math.min(1, Math.abs(value)) * 55);
    return html`<td style="background: color-mix(in srgb, var(${colour}) ${share}%, transparent)">${value.toFixed(2)}</td>`;
  };
  return html`<section><h3>Correlations of the estimates</h3>
<div class="card"><table class="correlation"><thead><tr><th></th>${names.map((name) => html`<th>${name}</th>`)}</tr></thead>
<tbody>${names.map((name, r) => html`<tr><th>${name}</th>${correlation[r].map(cell)}</tr>`)}</tbody></table></div></section>`;
}

function settings(repeat: RepeatRecord): Html {
  const {
    command,
    seed,
    device,
    deviceDescription,
    options,
    settings: given,
    experiment,
    video,
    versions,
    platform,
  } = repeat;
  const pairs = (values: object): string =>
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ');
  const rows: [string, string][] = [
    ['seed', String(seed)],
    ['device', `${device}: ${deviceDescription}`],
    ['options', pairs({ ...options.search, ...options.uncertainty, memory: options.memory }) || 'defaults'],
    ['settings', pairs(given) || 'none'],
    ['experiment', `${experiment.file}, SHA-256 ${experiment.sha256}`],
    ...(video ? [['video', `${video.file}, SHA-256 ${video.sha256}`] as [string, string]] : []),
    ['versions', pairs(versions)],
    ['platform', platform],
  ];
  return html`<details><summary>To run it again</summary>
<pre>${command}</pre>
<dl>${rows.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></details>`;
}
