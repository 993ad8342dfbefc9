import { existsSync } from 'node:fs';
import { basename, isAbsolute, join, relative, sep } from 'node:path';
import { standardErrorsOff } from '@gradsim/base';
import { readTextSync } from '@gradsim/base/files';
import type { EstimatedParameter } from '../define/index.ts';
import { readStudy } from '../load/study-record.ts';
import type { Outcome } from '../results/outcome.ts';
import { RESULTS, readResults } from '../results/results-file.ts';
import { type Json, TRIALS } from '../trial.ts';
import { type Cell, csvLine } from './csv.ts';
import { MachineCounts, type MachineRow } from './machines.ts';

/** Column of values of all trials, in the order of the rows of {@link PageData}. */
export interface Column {
  readonly name: string;
  readonly of: 'setting' | 'summary' | 'error' | 'z' | 'cost';
  /** Exact values. */
  readonly cells: Cell[];
  /** Folder that all cells are in, where all are absolute paths; the table of the page leaves it out. */
  readonly folder?: string;
  /** True of a setting that all trials have alike, which the table of the page leaves out. */
  readonly isConstant?: boolean;
}

/** Columns of an estimated unknown: estimate, standard error, and truth, null where unknown. */
export interface UnknownColumns {
  readonly unit: string;
  readonly estimate: (number | null)[];
  readonly standardError: (number | null)[];
  readonly truth: (number | null)[];
}

/** Data of the page of one or two studies, one row per trial. */
export interface PageData {
  readonly studies: readonly { readonly name: string; readonly asked: number }[];
  readonly ids: string[];
  /** Index of the study to which each row belongs, 0 or 1. */
  readonly study: number[];
  /** Status of each row: `done`, or the reason why the trial failed. */
  readonly status: string[];
  readonly messages: (string | null)[];
  readonly settings: Json[];
  readonly columns: readonly Column[];
  readonly unknowns: Readonly<Record<string, UnknownColumns>>;
  /** Machines that ran trials from a queue server; empty if there was none. */
  readonly machines: readonly MachineRow[];
  /** Reports of estimates by row: pages embedded up to a total size of `MAX_EMBEDDED`, else paths. */
  readonly reports: Readonly<Record<number, { readonly page: string } | { readonly path: string }>>;
}

/** Maximum total size of embedded reports, bytes. */
const MAX_EMBEDDED = 32e6;

/** Reads the data of a page of studies. @throws for a folder without one. */
export function pageDataOf(folders: readonly string[]): PageData {
  const columns = new Map<string, Column>();
  const unknowns = new Map<string, UnknownColumns>();
  const reports: Record<number, { page: string } | { path: string }> = {};
  const ids: string[] = [];
  const study: number[] = [];
  const status: string[] = [];
  const messages: (string | null)[] = [];
  const settings: Json[] = [];
  const machines = new MachineCounts();
  let embedded = 0;
  const put = (of: Column['of'], name: string, cell: Cell): void => {
    const key = `${of} ${name}`;
    const column = columns.get(key) ?? { name, of, cells: [] };
    columns.set(key, column);
    column.cells[ids.length] = cell;
  };
  const putUnknown = (name: string, { unit, truth, ...found }: EstimatedParameter): void => {
    const columns = unknowns.get(name) ?? { unit, estimate: [], standardError: [], truth: [] };
    unknowns.set(name, columns);
    const row = ids.length;
    columns.estimate[row] = found.estimate;
    columns.standardError[row] = found.standardError;
    columns.truth[row] = truth ?? null;
    if (truth === undefined) return;
    put('error', `error of ${name}`, truth === 0 ? found.estimate : found.estimate / truth - 1);
    const z = standardErrorsOff(found, truth);
    if (z !== null) put('z', `z of ${name}`, z);
  };
  const add = (folder: string, of: number, outcome: Outcome): void => {
    const { id, settings: given, attempts, ended, from } = outcome;
    machines.add(basename(folders[of]), outcome);
    for (const [name, cell] of cellsOf(given)) put('setting', name, cell);
    if (ended.status === 'done') {
      for (const [name, cell] of Object.entries(ended.summary)) put('summary', name, cell);
      for (const [name, unknown] of Object.entries(unknownsOf(ended.result))) putUnknown(name, unknown);
      const path = join(TRIALS, id, 'estimate', 'report.html');
      if (existsSync(join(folder, path))) {
        const page = readTextSync(join(folder, path));
        embedded += page.length;
        // Relative to the folder of the page.
        reports[ids.length] =
          embedded < MAX_EMBEDDED ? { page } : { path: relative(folders[0], join(folder, path)).split(sep).join('/') };
      }
    }
    for (const [name, cell] of Object.entries(ended.cost)) put('cost', COSTS.get(name) ?? name, cell);
    put('cost', 'attempts', attempts);
    if (from) put('cost', 'machine', from.machine);
    study.push(of);
    status.push(ended.status === 'done' ? 'done' : ended.reason);
    messages.push(ended.status === 'done' ? null : ended.message);
    settings.push(given);
    ids.push(id);
  };
  const studies = folders.map((folder, of) => {
    const { trials } = readStudy(folder);
    readResults(join(folder, RESULTS), (outcome) => add(folder, of, outcome));
    return { name: basename(folder), asked: trials };
  });
  const order = ['setting', 'summary', 'error', 'z', 'cost'];
  return {
    studies,
    ids,
    study,
    status,
    messages,
    settings,
    columns: distinct(
      [...columns.values()]
        .map((column) => ({ ...column, cells: filled(column.cells, ids.length) }))
        .map((column) => ({
          ...column,
          ...commonFolder(column.cells),
          isConstant:
            column.of === 'setting' && ids.length > 1 && column.cells.every((cell) => cell === column.cells[0]),
        }))
        .sort((a, b) => order.indexOf(a.of) - order.indexOf(b.of)),
    ),
    unknowns: Object.fromEntries(
      [...unknowns].map(([name, { unit, estimate, standardError, truth }]) => [
        name,
        {
          unit,
          estimate: filled(estimate, ids.length),
          standardError: filled(standardError, ids.length),
          truth: filled(truth, ids.length),
        },
      ]),
    ),
    machines: machines.rows(),
    reports,
  };
}

const COSTS: ReadonlyMap<string, string> = new Map([
  ['cpuSeconds', 'processor s'],
  ['megabytes', 'MB'],
]);

/** Columns of the page and of the table before those of the trials. */
const FIRST = ['study', 'trial', 'status'];

/** Gives columns of one name names of their own: a table with a column twice is read by no one. */
function distinct(columns: readonly Column[]): Column[] {
  const taken = new Set(FIRST);
  return columns.map((column) => {
    let { name } = column;
    if (taken.has(name)) name = `${name} (${column.of})`;
    while (taken.has(name)) name += "'";
    taken.add(name);
    return { ...column, name };
  });
}

/** Cells for all `count` rows, null for trials without a value. */
const filled = <T>(cells: readonly (T | null)[], count: number): (T | null)[] =>
  Array.from({ length: count }, (_, row) => cells[row] ?? null);

/** Folder that all texts of a column are in; none unless all of them are absolute paths. */
function commonFolder(cells: readonly Cell[]): { folder?: string } {
  const texts = cells.filter((cell) => typeof cell === 'string');
  if (texts.length < 2 || !texts.every((text) => isAbsolute(text))) return {};
  let folder = texts[0].slice(0, texts[0].lastIndexOf('/') + 1);
  for (const text of texts)
    while (!text.startsWith(folder)) folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  return folder === '' ? {} : { folder };
}

/** Flattens settings to columns, nested ones named by their paths, such as `a.b`. Hashes of files are left out. */
function cellsOf(settings: Json, path = ''): [string, Cell][] {
  if (typeof settings !== 'object' || settings === null) return [[path, settings]];
  return Object.entries(settings)
    .filter(([name]) => name !== 'sha256')
    .flatMap(([name, value]) => cellsOf(value as Json, path === '' ? name : `${path}.${name}`));
}

/** Estimated unknowns of a result that has `parameters` like an estimate; else none. */
function unknownsOf(result: Json): Record<string, EstimatedParameter> {
  const { parameters } = (result ?? {}) as { parameters?: Json };
  if (typeof parameters !== 'object' || parameters === null) return {};
  return Object.fromEntries(
    Object.entries(parameters as Record<string, unknown>).filter((entry): entry is [string, EstimatedParameter] => {
      const value = entry[1] as Partial<EstimatedParameter> | null;
      return typeof value?.estimate === 'number';
    }),
  );
}

/**
 * CSV of the trials, with a header line; every cell is exact.
 * @param forSpreadsheet puts an apostrophe before texts that a spreadsheet would take for a formula.
 */
export function csvOf({ studies, ids, study, status, columns }: PageData, forSpreadsheet = false): string {
  const head = [...FIRST, ...columns.map(({ name }) => name)];
  const rows = ids.map((id, row) => [
    studies[study[row]].name,
    id,
    status[row],
    ...columns.map(({ cells }) => cells[row]),
  ]);
  const cellOf = (cell: Cell): Cell => (forSpreadsheet ? unevaluated(cell) : cell);
  return [head, ...rows].map((cells) => `${csvLine(cells.map(cellOf))}\n`).join('');
}

/** A text that no spreadsheet evaluates; numbers stay, those in texts too. */
const unevaluated = (cell: Cell): Cell =>
  typeof cell === 'string' && /^[=+\-@\t\r]/.test(cell) && (cell.trim() === '' || Number.isNaN(Number(cell)))
    ? `'${cell}`
    : cell;
