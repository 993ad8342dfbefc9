import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES, frameName, type IndexLine } from '../sample.ts';
import { countTable, histogram } from './histogram.ts';

/** Maximum number of films on the page. */
const MAX_SHOWN_SAMPLES = 100;
/** Numbers of the frames shown of each film. */
const FRAMES = [0, 8, 20, 40, 59];

/**
 * Writes `page.html` into a dataset's folder: some frames of at most a hundred films, and distributions of values over
 * all films.
 */
export async function writePage(
  out: string,
  lines: readonly IndexLine[],
  about: {
    readonly kind: string;
    readonly samples: number;
    readonly seed: number;
    readonly redrawn: Readonly<Record<string, number>>;
  },
): Promise<void> {
  const step = Math.max(1, lines.length / MAX_SHOWN_SAMPLES);
  const shown = Array.from(
    { length: Math.min(MAX_SHOWN_SAMPLES, lines.length) },
    (_, k) => lines[Math.floor(k * step)],
  );
  const names = Object.keys(lines[0]?.values ?? {});
  const parts = [
    `<h1>${about.samples} films, ${about.kind}, seed ${about.seed}</h1>`,
    '<section>',
    ...names.map((name) =>
      histogram(
        name,
        lines.map(({ values }) => values[name]),
      ),
    ),
    countTable('substeps', countsOf(lines.map(({ substeps }) => String(substeps)))),
    countTable('shape', countsOf(lines.map(({ shape }) => shape))),
    countTable('split', countsOf(lines.map(({ split }) => split))),
    countTable('drawn again', about.redrawn),
    '</section><section>',
    ...shown.map((line) => sampleStrip(out, line)),
    '</section>',
  ];
  writeFileSync(join(out, 'page.html'), `${HEAD}${parts.join('\n')}\n`);
}

const HEAD = `<!doctype html><meta charset="utf-8"><title>Dataset</title>
<style>
body { font: 14px system-ui, sans-serif; margin: 1.5rem; color: #222; }
section { display: flex; flex-wrap: wrap; gap: 1rem; margin-bottom: 2rem; }
figure { margin: 0; } figcaption { font-size: 12px; margin-bottom: 2px; }
svg { background: #f4f4f4; } svg text { font-size: 10px; } rect { fill: #37c; }
td { font-size: 12px; padding-right: 1rem; } img { width: 96px; height: 96px; }
</style>
`;

function sampleStrip(out: string, { sample, folder, shape, split, values }: IndexLine): string {
  const images = FRAMES.map((frame) => {
    const bytes = readFileSync(join(out, folder, FILES.frames, frameName(frame)));
    return `<img alt="frame ${frame}" src="data:image/png;base64,${bytes.toString('base64')}">`;
  });
  const { mass, ke, mu } = values;
  const text = `${sample} ${shape}, ${split}: ${mass.toFixed(2)} kg, ke ${ke.toFixed(0)}, mu ${mu.toFixed(2)}`;
  return `<figure><figcaption>${text}</figcaption>${images.join('')}</figure>`;
}

function countsOf(texts: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}
