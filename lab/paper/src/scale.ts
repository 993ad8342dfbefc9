// Draws what `npm run -s bench -- scale` printed: node lab/paper/dist/scale.js docs/lab/scale.jsonl docs/lab/scale.svg
import { readFileSync, writeFileSync } from 'node:fs';
import { COLORS, svgOf } from './figures/chart.ts';

/** Line of the benchmark `scale`; without times, why a size stops. */
interface Row {
  readonly model: string;
  readonly elements: number;
  readonly forwardMs?: number;
  readonly backwardMs?: number;
  readonly bytesPerElement?: number;
}

const NAMES: Readonly<Record<string, string>> = {
  fem: 'tetrahedra',
  contact: 'boxes on the ground',
  mpm: 'material points',
  raster: 'faces, a picture',
};
/** Values that are shown, with their axes' titles. */
const PANELS = {
  forwardMs: 'forward, ms of the processor',
  backwardMs: 'backward, ms of the processor',
  bytesPerElement: 'bytes an element',
} as const;

const [from, to] = process.argv.slice(2);
if (!to) throw new Error('Name the file of lines that the benchmark printed, and the picture to write.');
const rows = readFileSync(from, 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line));
const log = { type: 'log' } as const;
const domain = Object.values(NAMES);
const svg = await svgOf({
  hconcat: Object.entries(PANELS).map(([field, title]) => ({
    width: 230,
    height: 210,
    data: {
      values: rows
        .map((row) => ({ of: NAMES[row.model], x: row.elements, y: row[field as keyof typeof PANELS] }))
        .filter(({ y }) => y !== undefined),
    },
    mark: { type: 'line', point: true, strokeWidth: 2 },
    encoding: {
      x: { field: 'x', type: 'quantitative', title: 'elements', scale: log, axis: { format: '.0e', tickCount: 5 } },
      y: { field: 'y', type: 'quantitative', title, scale: log, axis: { format: '.0e', tickCount: 6 } },
      color: { field: 'of', type: 'nominal', scale: { domain, range: [...COLORS] } },
    },
  })),
});
writeFileSync(to, `${svg}\n`);
