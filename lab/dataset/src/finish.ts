import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePage } from './page/page.ts';
import { type DatasetScene, folderOf, INDEX, type IndexLine } from './sample.ts';

/** Settings that a dataset is made with. */
export interface DatasetSettings {
  readonly kind: DatasetScene['kind'];
  readonly count: number;
  readonly seed: number;
  readonly size: number;
}

/** Summary of a dataset that was made: printed, and partly stored in `dataset.json`. */
export interface MadeDataset extends DatasetSettings {
  readonly out: string;
  readonly samples: number;
  readonly failed: number;
  /** Number of rejected draws, by reason. */
  readonly redrawn: Readonly<Record<string, number>>;
  /** Processor time of all samples made so far, s, and its mean per sample, s. */
  readonly cpuSeconds: number;
  readonly cpuSecondsPerSample: number;
}

/** A line of the study's results file. */
interface ResultLine {
  readonly id: string;
  readonly ended: {
    readonly status: string;
    readonly result?: { readonly lines: readonly IndexLine[] };
    readonly cost: { readonly cpuSeconds?: number };
  };
}

/** Moves the samples of all trials to their final folders, and writes the index, `dataset.json` and the page. */
export async function finishDataset(out: string, settings: DatasetSettings): Promise<MadeDataset> {
  const results = readFileSync(join(out, 'study/results.jsonl'), 'utf8').trimEnd().split('\n');
  const lines: IndexLine[] = [];
  let [failed, cpuSeconds] = [0, 0];
  mkdirSync(join(out, 'samples'), { recursive: true });
  for (const text of results.filter((line) => line !== '')) {
    const { id, ended }: ResultLine = JSON.parse(text);
    cpuSeconds += ended.cost.cpuSeconds ?? 0;
    if (!ended.result) {
      failed++;
      continue;
    }
    lines.push(...ended.result.lines);
    moveSamples(out, join(out, 'study/trials', id));
  }
  lines.sort((a, b) => a.sample - b.sample);
  writeFileSync(join(out, INDEX), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const redrawn: Record<string, number> = {};
  for (const line of lines)
    for (const [reason, count] of Object.entries(line.redrawn)) redrawn[reason] = (redrawn[reason] ?? 0) + count;
  const about = { format: 1, ...settings, samples: lines.length, redrawn };
  writeFileSync(join(out, 'dataset.json'), `${JSON.stringify(about)}\n`);
  await writePage(out, lines, about);
  const cpuSecondsPerSample = lines.length > 0 ? cpuSeconds / lines.length : 0;
  return { out, ...settings, samples: lines.length, failed, redrawn, cpuSeconds, cpuSecondsPerSample };
}

/** Moves the samples of a trial to the folders that the index names. */
function moveSamples(out: string, trial: string): void {
  if (!existsSync(trial)) return;
  for (const name of readdirSync(trial)) {
    const place = join(out, folderOf(Number(name)));
    rmSync(place, { recursive: true, force: true });
    renameSync(join(trial, name), place);
  }
  rmSync(trial, { recursive: true });
}
