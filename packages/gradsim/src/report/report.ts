import type { Estimate, Experiment } from '@gradsim/optim';
import {
  correlationSection,
  derivedTable,
  fieldChart,
  fieldsOfArrays,
  givenTable,
  goalBox,
  type Html,
  headline,
  html,
  htmlPage,
  iterationSection,
  limitLines,
  limitSection,
  motionSection,
  nothing,
  parameterTable,
  remarkSection,
  searchFacts,
  verdictBox,
} from '../components/index.ts';
import type { RepeatRecord } from '../experiment/record/record.ts';
import { trust } from '../experiment/record/remarks.ts';
import { arrayLines, intervalLines, verificationLines } from '../experiment/record/tables.ts';
import type { FinishedStage } from '../experiment/run.ts';
import { courseSection } from '../track/sections.ts';
import { pageScript, reportStyle } from './assets.ts';
import { residualSection } from './residuals.ts';
import { stripFigure } from './strip.ts';

/** Options of {@link reportHtml}. */
export interface ReportOptions {
  /** Markup before the stages. */
  readonly before?: Html;
  /** Title of each of several stages. Default: its name. */
  readonly titleOf?: (stage: FinishedStage) => string;
}

/**
 * A report on a finished experiment as one self-contained HTML page: whether it can be trusted, estimates with error
 * bars, undetermined directions, curves, playable frames, and the data to repeat it.
 *
 * ```ts
 * await writeFile('report.html', await reportHtml(experiment, stages));
 * ```
 */
export async function reportHtml(
  experiment: Pick<Experiment, 'name' | 'description'>,
  stages: readonly FinishedStage[],
  { before = nothing, titleOf = ({ record }) => record.stage }: ReportOptions = {},
): Promise<string> {
  const parts = await Promise.all(
    stages.map((stage) => stageSection(stage, stages.length > 1 ? titleOf(stage) : undefined)),
  );
  const hasPlayer = stages.some(({ strip }) => strip && strip.frames.length > 1);
  return htmlPage({
    title: experiment.name,
    style: reportStyle(),
    scripts: hasPlayer ? [pageScript('player.js')] : [],
    body: html`<main>
<h1>${experiment.name}</h1>
<p class="lead">${experiment.description}</p>
${before}
${parts}
</main>`,
  });
}

async function stageSection(stage: FinishedStage, title: string | undefined): Promise<Html> {
  const { record, estimate, strip, answers } = stage;
  return html`<section>
${title === undefined ? nothing : html`<h2>${title}</h2>`}
${goalBox(record)}
${answers ? headline({ ...estimate, answers, lines: trust(record) }) : verdictBox(record)}
${answers ? nothing : parameterTable(estimate)}
${arraySection(estimate)}
${answers ? nothing : derivedTable(estimate)}
${await stripFigure(strip, stage.clock)}
${answers ? limitSection(limitLines(record, answers)) : remarkSection(record)}
${stage.course ? courseSection(stage.course) : motionSection(stage.motion)}
<details><summary>${answers ? 'All numbers, and how they were found' : 'What was measured, and how these numbers were found'}</summary>
${answers ? html`${parameterTable(estimate)}${derivedTable(estimate)}` : nothing}
${givenTable(estimate)}
${furtherLines(stage)}
${searchFacts(record)}
${iterationSection(estimate, stage.curves)}
${await residualSection(stage)}
${correlationSection(estimate)}
</details>
${settings(record.repeat)}
</section>`;
}

/** HTML section with a picture of each component of unknowns that are arrays. */
function arraySection({ arrays }: Estimate): Html {
  const fields = fieldsOfArrays(arrays);
  return fields.length === 0 ? nothing : html`<div class="charts">${fields.map(fieldChart)}</div>`;
}

function furtherLines({ record }: FinishedStage): Html {
  const lines = [...arrayLines(record), ...intervalLines(record), ...verificationLines(record)];
  return lines.length === 0 ? nothing : html`<div class="further">${lines.map((line) => html`<p>${line}</p>`)}</div>`;
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
