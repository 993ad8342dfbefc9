// Tables and figures of the paper, computed anew: npm run -s paper -- table-3 figure-6 [--quick] [--json]; all of them if none is
// named. A line a row. What was computed is kept in the output folder; the same command resumes after it was ended. Ctrl+C
// ends it after the trials that run. Figures are written as SVG and JSON, and tables as JSON, into the folder of pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConvNetRows } from '@gradsim/baselines';
import { Command, InvalidArgumentError } from 'commander';
import { processTerminal, runProgram } from 'gradsim';
import { baselines1, baselines2, baselines3 } from './baselines/tables.ts';
import { tuning } from './baselines/tuning/table.ts';
import type { AnyFigure } from './figures/figure.ts';
import { FIGURES } from './figures/index.ts';
import { circumstances, writeFigure } from './figures/write.ts';
import { MEASURED_COLUMNS } from './measured-columns.ts';
import { table1, table2 } from './objects/tables.ts';
import { starts } from './starts/table.ts';
import { type AnyTable, textOf } from './table.ts';
import { table3 } from './table-3/table.ts';
import { table4 } from './wrong-models/table.ts';

/** Tables of the paper: the rows of gradsim, and those of the comparison methods. */
const TABLES: Readonly<Record<string, { readonly own: AnyTable; readonly baselines?: AnyTable }>> = {
  'table-1': { own: table1, baselines: baselines1 },
  'table-2': { own: table2, baselines: baselines2 },
  'table-3': { own: table3, baselines: baselines3 },
  'table-4': { own: table4 },
  starts: { own: starts },
  reinforce: { own: tuning },
};
const NAMES = [...Object.keys(TABLES), ...FIGURES.map(({ name }) => name)];

interface Options {
  readonly baselines: boolean;
  readonly quick?: boolean;
  readonly json?: boolean;
  readonly count?: number;
  readonly out: string;
  readonly convNet: string;
  readonly pictures: string;
  readonly published?: string;
  readonly workers: number;
}

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return value;
};

const program = new Command('paper')
  .description('tables and figures of the paper, computed anew')
  .argument('[names...]', `${NAMES.join(', ')}; all if none is named`)
  .option('--quick', 'few instances of each row, few seeds of each figure')
  .option('--count <n>', 'instances of each row, or seeds (default: those of the paper)', wholeNumber)
  .option('--no-baselines', 'leave out the rows of other methods')
  .option('--json', 'print a line of JSON a row')
  .option('--workers <n>', 'trials at a time', wholeNumber, 2)
  .option('--out <folder>', 'where results are kept, a folder a table or figure', 'out/paper')
  .option('--conv-net <folder>', 'where `npm run -s conv-net` left its rows', 'out/conv-net')
  .option('--pictures <folder>', 'where figures, and the numbers of tables and figures, are written', 'docs/paper')
  .option('--published <file>', "the paper's curves, to draw beside those of gradsim")
  .parse();

const options = program.opts<Options>();
const names = program.args.length > 0 ? program.args : NAMES.filter((name) => name !== 'reinforce');
const unknown = names.find((name) => !NAMES.includes(name));
if (unknown !== undefined) program.error(`There is no table or figure "${unknown}"; there are ${NAMES.join(', ')}.`);

/** Command that computes a table or figure as this run does, without where it is kept. */
function commandOf(name: string): string {
  const { count, quick, baselines } = options;
  const size = count === undefined ? (quick ? ' --quick' : '') : ` --count ${count}`;
  return `npm run -s paper -- ${name}${size}${baselines ? '' : ' --no-baselines'}`;
}

/** Fields of every line of JSON; null in rows that do not have them. */
const COMMON = {
  table: null,
  row: null,
  n: 0,
  measured: null,
  published: null,
  trusted: null,
  flaggedOfWrong: null,
  seconds: null,
};

/** Measured value of a row with the mean of its errors: that mean. */
const measuredOf = (row: { readonly mean?: number | null }): object => ('mean' in row ? { measured: row.mean } : {});

for (const name of names) {
  const figure = FIGURES.find((other) => other.name === name);
  const code = figure ? await showFigure(figure) : await showTable(name);
  // 5: some trials failed, which the rows tell.
  if (code !== 0 && code !== 5) {
    process.exitCode = code;
    break;
  }
}

/** Runs what is left of a table, prints its rows and writes them. Returns the exit code of `gradsim sweep`. */
async function showTable(name: string): Promise<number> {
  const { own, baselines } = TABLES[name];
  const all: object[] = [];
  let worst = 0;
  for (const table of options.baselines && baselines ? [own, baselines] : [own]) {
    const { folder, count, code } = await sweepStudy(table);
    const { rows, text } = table.rowsIn(folder, count);
    show(rows, text);
    all.push(...rows);
    worst = Math.max(worst, code);
    if (code !== 0 && code !== 5) return code;
  }
  if (options.baselines) {
    const rows = readConvNetRows(options.convNet, name);
    if (rows.length > 0) show(rows, textOf('ConvNet', rows, MEASURED_COLUMNS));
    all.push(...rows);
  }
  mkdirSync(options.pictures, { recursive: true });
  const record = { table: name, ...circumstances(commandOf(name)), rows: all };
  writeFileSync(join(options.pictures, `${name}.json`), `${JSON.stringify(record, null, 1)}\n`);
  return worst;
}

/** Runs what is left of a figure, prints its rows and writes it. Returns the exit code of `gradsim sweep`. */
async function showFigure(figure: AnyFigure): Promise<number> {
  const { folder, count, code } = await sweepStudy(figure);
  const { pictures: to, published } = options;
  const rows = await writeFigure(figure, { from: folder, count, to, published, command: commandOf(figure.name) });
  const lines = rows.map(({ row, n, measured, published }) => `  ${row}: ${measured} (n ${n}, the paper ${published})`);
  show(rows, [figure.name, ...lines].join('\n'));
  return code;
}

function show(rows: readonly object[], text: string): void {
  if (options.json)
    for (const row of rows) process.stdout.write(`${JSON.stringify({ ...COMMON, ...measuredOf(row), ...row })}\n`);
  else process.stdout.write(`${text}\n`);
}

/** Study of a table or a figure, and its number of instances. */
type SweptStudy = Pick<AnyTable, 'name' | 'study' | 'count' | 'quickCount'> & Pick<AnyFigure, 'folder'>;

/** Runs the trials that have no result yet; prints only to standard error. */
async function sweepStudy(
  of: SweptStudy,
): Promise<{ readonly folder: string; readonly count: number; readonly code: number }> {
  const count = options.count ?? (options.quick ? of.quickCount : of.count);
  const folder = join(options.out, of.folder ?? of.name);
  const settings = ['--out', folder, '--workers', String(options.workers), '--set', `count=${count}`];
  const print = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const code = await runProgram(['sweep', fileURLToPath(of.study), ...settings], { ...processTerminal(), print });
  return { folder, count, code };
}
