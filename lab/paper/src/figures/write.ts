import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { svgOf } from './chart.ts';
import type { AnyFigure, FigureRow } from './figure.ts';

/** File with the numbers behind the paper's figures, from the root of the repository; it is not a part of it. */
const PUBLISHED = '../shared/data/paper/published-curves.json';

/** Options of {@link writeFigure}. */
export interface WriteOptions {
  /** Folder of the study's results. */
  readonly from: string;
  readonly count: number;
  /** Folder in which picture and JSON are written. */
  readonly to: string;
  /** File of the published curves. */
  readonly published?: string;
  readonly command: string;
}

/** Writes a figure from the results of its study, as SVG and JSON, and returns its rows. */
export async function writeFigure(figure: AnyFigure, options: WriteOptions): Promise<readonly FigureRow[]> {
  const { from, count, to, published = PUBLISHED, command } = options;
  const atHand = existsSync(published) ? published : undefined;
  const { rows, curves, spec } = await figure.drawFrom(from, count, atHand);
  const missing = figure.published.length > 0 && atHand === undefined;
  mkdirSync(to, { recursive: true });
  const svg = await svgOf(
    missing ? { ...spec, title: { text: figure.title, subtitle: 'published curve not at hand' } } : spec,
  );
  writeFileSync(join(to, `${figure.name}.svg`), `${svg}\n`);
  const record = {
    figure: figure.name,
    title: figure.title,
    seeds: Math.max(0, ...rows.map(({ n }) => n)),
    spread: 'median; bands and quartiles are over seeds',
    ...circumstances(command),
    published: { curves: figure.published, drawn: !missing && figure.published.length > 0 },
    rows,
    curves,
  };
  writeFileSync(join(to, `${figure.name}.json`), `${JSON.stringify(record, rounded)}\n`);
  return rows;
}

/** Command, date and hardware of a run. */
export const circumstances = (command: string) => ({
  command,
  date: new Date().toISOString().slice(0, 10),
  hardware: `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, node ${process.version}`,
});

/** Numbers to six digits. */
const rounded = (_: string, value: unknown): unknown =>
  typeof value === 'number' && Number.isFinite(value) ? Number(value.toPrecision(6)) : value;
