import { type Table, tableOf } from '@gradsim/base/tables';
import { GradsimError } from '@gradsim/core';
import { damagedFile, MOST_ROWS, tooLarge } from '../faults.ts';
import type { FileToOpen, RecordedFile, RecordedPart } from '../recorded.ts';
import { type Column, decode, type Schema, type Value } from './decode.ts';
import { namesOf, titlesOf } from './lerobot.ts';

/** Column that says the episode of each row, as LeRobot has it. */
const EPISODE_COLUMN = 'episode_index';
/** Most numbers of a list. */
const MAX_LIST_LENGTH = 1000;
/** Columns that are named, at most. */
const MAX_NAMED_COLUMNS = 40;

/** Lists the episodes of a Parquet file; one without episodes is one table. */
export async function openParquet(file: FileToOpen): Promise<RecordedFile> {
  const { name, bytes } = file;
  const schema = await decode<Schema>(name, bytes, { what: 'schema' });
  if (!(schema.rows > 0)) throw damagedFile(name, 'Parquet', 'it has no rows');
  if (schema.rows > MOST_ROWS) throw tooLarge(name, `${schema.rows} rows, more than ${MOST_ROWS}`);
  const columns = schema.columns.filter(({ type }) => type !== undefined);
  const isOfEpisodes = columns.some((column) => column.name === EPISODE_COLUMN && !column.isList);
  const names = isOfEpisodes ? await namesOf(file) : new Map<string, readonly string[]>();
  const part = (own: string, from: number, to: number): RecordedPart => ({
    name: own,
    description: `${to - from} rows`,
    rowContent: 'columns',
    table: () => read(file, columns, names, { part: own, from, to, isOfEpisodes }),
  });
  const episodes = isOfEpisodes ? await episodesOf(file, schema.rows) : undefined;
  const list = columns.map((column) => `${column.name}${column.isList ? ' (list)' : ''}`);
  return {
    format: 'parquet',
    title: isOfEpisodes ? 'A data set of LeRobot, in Parquet' : 'A table in Parquet',
    partName: isOfEpisodes ? 'episode' : 'table',
    parts: episodes?.map(({ episode, from, to }) => part(String(episode), from, to)) ?? [part('rows', 0, schema.rows)],
    remarks: [
      `Columns: ${list.slice(0, MAX_NAMED_COLUMNS).join(', ')}${list.length > MAX_NAMED_COLUMNS ? ` and ${list.length - MAX_NAMED_COLUMNS} more` : ''}`,
      ...(isOfEpisodes && !columns.some((column) => /effort|torque|current/.test(column.name))
        ? [
            'It has no torques or currents: gradsim new robot, which finds masses by them, cannot use it, unless the state has them by name.',
          ]
        : []),
    ],
  };
}

interface Episode {
  readonly episode: number;
  readonly from: number;
  readonly to: number;
}

/** Episodes by their rows, which follow one another. @throws for an episode in two places. */
async function episodesOf({ name, bytes }: FileToOpen, rows: number): Promise<Episode[]> {
  const request = { what: 'rows', columns: [EPISODE_COLUMN], from: 0, to: rows } as const;
  const [values] = await decode<Value[][]>(name, bytes, request);
  const found: Episode[] = [];
  let from = 0;
  for (let k = 1; k <= values.length; k++) {
    if (k < values.length && values[k] === values[from]) continue;
    const episode = values[from];
    if (typeof episode !== 'number' || !Number.isInteger(episode))
      throw damagedFile(name, 'Parquet', `${EPISODE_COLUMN} is ${episode} in row ${from + 1}`);
    found.push({ episode, from, to: k });
    from = k;
  }
  const twice = found.find(({ episode }, k) => found.findIndex((own) => own.episode === episode) < k);
  if (twice) throw damagedFile(name, 'Parquet', `rows of episode ${twice.episode} are in two places`);
  return found;
}

interface EpisodeRange {
  readonly part: string;
  readonly from: number;
  readonly to: number;
  readonly isOfEpisodes: boolean;
}

async function read(
  { name, bytes }: FileToOpen,
  columns: readonly Column[],
  names: ReadonlyMap<string, readonly string[]>,
  { part, from, to, isOfEpisodes }: EpisodeRange,
): Promise<Table> {
  const values = await decode<Value[][]>(name, bytes, {
    what: 'rows',
    columns: columns.map((column) => column.name),
    from,
    to,
  });
  const parts = columns.map((column, c) => cellsOf(name, column, values[c], names.get(column.name), isOfEpisodes));
  const titles = parts.flatMap((own) => own.titles);
  const rows = Array.from({ length: to - from }, (_, k) => parts.flatMap((own) => own.cells(k)));
  const left = columns.filter((_, c) => parts[c].titles.length === 0).map((column) => column.name);
  return tableOf(titles, rows, {
    name: isOfEpisodes ? `${name} episode ${part}` : name,
    ...(left.length > 0 ? { source: `left out, as lists of no one length: ${left.join(' ')}` } : {}),
  });
}

interface Cells {
  readonly titles: readonly string[];
  readonly cells: (row: number) => readonly (string | number | undefined)[];
}

/** Cells of a column: a list is as many as it has numbers; one whose lengths differ, as clouds of points do, has none. */
function cellsOf(
  name: string,
  column: Column,
  values: readonly Value[],
  names: readonly string[] | undefined,
  isOfEpisodes: boolean,
): Cells {
  const plain = (value: number | string | null): string | number | undefined =>
    value === null ? undefined : typeof value === 'number' && column.type === 'FLOAT' ? shortestDecimal(value) : value;
  if (!column.isList)
    return {
      titles: titlesOf(column.name, undefined, undefined, isOfEpisodes),
      cells: (k) => [plain(values[k] as number | string | null)],
    };
  const count = (values.find((value) => Array.isArray(value)) as readonly unknown[] | undefined)?.length ?? 0;
  const odd = values.findIndex((value) => Array.isArray(value) && value.length !== count);
  if (odd >= 0 || count > MAX_LIST_LENGTH) return { titles: [], cells: () => [] };
  if (names && names.length !== count && names.length > 1)
    throw new GradsimError(
      'recordings/names-differ',
      `${name}: ${column.name} has ${count} numbers, and info.json names ${names.length}.`,
      { field: column.name, hint: 'Correct the names there, or take info.json away.' },
    );
  const titles = titlesOf(column.name, count, names?.length === count ? names : undefined, isOfEpisodes);
  return {
    titles,
    cells: (k) => {
      const own = values[k] as readonly (number | null)[] | null;
      return titles.map((_, j) => (own === null ? undefined : plain(own[j])));
    },
  };
}

/** Shortest number in decimals that single precision rounds to the same. */
function shortestDecimal(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const own = Number(value.toPrecision(digits));
    if (Math.fround(own) === value) return own;
  }
  return value;
}
