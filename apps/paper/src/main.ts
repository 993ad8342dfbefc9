// Tables of the paper, computed anew: npm run -s paper -- table-3 [--quick] [--json]. A line a row. What was computed is kept in the
// output folder; the same command goes on after it was ended. Ctrl+C ends it after the trials that run.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { processTerminal, runProgram } from 'gradsim';
import { baselines1, baselines2, baselines3 } from './baselines/tables.ts';
import { tuning } from './baselines/tuning/table.ts';
import { table1, table2 } from './objects/tables.ts';
import { starts } from './starts/table.ts';
import type { AnyTable } from './table.ts';
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
const NAMES = Object.keys(TABLES).join(', ');

interface Options {
  readonly baselines: boolean;
  readonly quick?: boolean;
  readonly json?: boolean;
  readonly count?: number;
  readonly out: string;
  readonly workers: number;
}

const wholeNumber = (text: string): number => {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('It must be a whole number of at least 1.');
  return value;
};

const program = new Command('paper')
  .description('tables of the paper, computed anew')
  .argument('<tables...>', NAMES)
  .option('--quick', 'few instances of each row')
  .option('--count <n>', 'instances of each row (default: those of the paper)', wholeNumber)
  .option('--no-baselines', 'leave out the rows of other methods')
  .option('--json', 'print a line of JSON a row')
  .option('--workers <n>', 'trials at a time', wholeNumber, 2)
  .option('--out <folder>', 'where results are kept, a folder a table', 'out/paper')
  .parse();

const options = program.opts<Options>();
const wanted = program.args.flatMap((name) => {
  const { own, baselines } = TABLES[name] ?? program.error(`There is no table "${name}"; there are ${NAMES}.`);
  return options.baselines && baselines ? [own, baselines] : [own];
});
for (const table of wanted) {
  const count = options.count ?? (options.quick ? table.quickCount : table.count);
  const folder = join(options.out, table.name);
  const code = await sweep(table, folder, count);
  const { rows, text } = table.rowsIn(folder, count);
  if (options.json) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else process.stdout.write(`${text}\n`);
  // 5: some trials failed, which the rows tell.
  if (code !== 0 && code !== 5) {
    process.exitCode = code;
    break;
  }
}

/** Runs the trials that have no result yet; prints only to standard error. Returns the exit code of `gradsim sweep`. */
function sweep({ study }: AnyTable, folder: string, count: number): Promise<number> {
  const settings = ['--out', folder, '--workers', String(options.workers), '--set', `count=${count}`];
  const print = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  return runProgram(['sweep', fileURLToPath(study), ...settings], { ...processTerminal(), print });
}
