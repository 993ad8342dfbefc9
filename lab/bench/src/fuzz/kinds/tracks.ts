import { readTracks, type Track } from '@gradsim/video';
import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { WronglyAccepted } from '../kind.ts';
import type { KnownText, SpoiltValue } from '../text-case.ts';
import { anyText, spoiltText, wholeText } from '../text-case.ts';

/**
 * Tracks as CSV, as written by gradsim, Tracker or scripts with OpenCV: valid, with one invalid cell, or randomly
 * changed.
 */
export const tracks: Kind = { name: 'tracks', limit: 30, draw };

interface Table {
  readonly columns: string[];
  readonly rows: string[][];
  readonly separator: string;
  /** Title lines above the line with the column names. */
  readonly titles: readonly string[];
  /** Positions (x, y) by point and frame. */
  readonly points: readonly (readonly (readonly [number, number])[])[];
}

/** Frame rate of the written tracks, frames per second. */
const RATE = 30;

async function draw(random: Draw): Promise<Case> {
  const table = drawTable(random);
  const known: KnownText<readonly Track[]> = {
    description: `${table.points.length} points, ${table.columns.join(table.separator)}`,
    text: () => textOf(table),
    read: (text) => checked(readTracks(text, { frameRate: RATE, name: 'drawn.csv' })),
    isSame: (found) =>
      found.length === table.points.length &&
      found.every(({ points }, p) =>
        points.every(({ frame, x, y }) => x === table.points[p][frame]?.[0] && y === table.points[p][frame]?.[1]),
      ),
  };
  const way = random.pick(['none', 'spoil', 'spoil', 'change'] as const);
  if (way === 'none') return wholeText(known, random);
  return way === 'spoil' ? spoiltText(known, spoilTable(table, random), random) : anyText(known, random);
}

function drawTable(random: Draw): Table {
  const count = random.whole(1, 3);
  const frames = random.whole(2, 8);
  const points = Array.from({ length: count }, () =>
    Array.from({ length: frames }, (): [number, number] => [
      Number((100 * random.next()).toFixed(3)),
      Number((100 * random.next()).toFixed(3)),
    ]),
  );
  const when = random.pick(['frame', 'time', 't']);
  const moment = (f: number): string => (when === 'frame' ? String(f) : (f / RATE).toFixed(6));
  const isWide = count > 1 && random.chance(0.5);
  const [x, y] = random.pick([
    ['x', 'y'],
    ['X (px)', 'Y (px)'],
    ['cx', 'cy'],
  ]);
  const columns = isWide
    ? [when, ...points.flatMap((_, p) => [`x${p + 1}`, `y${p + 1}`])]
    : [...(count > 1 ? ['track'] : []), when, x, y];
  const rows = isWide
    ? Array.from({ length: frames }, (_, f) => [moment(f), ...points.flatMap((own) => own[f].map(String))])
    : points.flatMap((own, p) =>
        own.map((place, f) => [...(count > 1 ? [`p${p}`] : []), moment(f), ...place.map(String)]),
      );
  return {
    columns,
    rows,
    points,
    separator: random.pick([',', ';', '\t']),
    titles: random.chance(0.3) ? ['mass A'] : [],
  };
}

const textOf = ({ titles, columns, rows, separator }: Table): string =>
  [...titles, ...[columns, ...rows].map((cells) => cells.join(separator))].map((line) => `${line}\n`).join('');

/** Makes one cell of a table invalid. */
function spoilTable(table: Table, random: Draw): SpoiltValue {
  const { columns, rows, titles } = table;
  const r = random.whole(0, rows.length - 1);
  const line = `line ${r + 2 + titles.length}`;
  const when = columns.findIndex((name) => ['frame', 'time', 't'].includes(name));
  const at = random.whole(when + 1, columns.length - 1);
  const ways: (() => SpoiltValue)[] = [
    () => {
      const word = random.pick(['x', 'null', 'true', 'Infinity', '1e999', '--1', '1..2']);
      rows[r][at] = word;
      return { about: `${columns[at]} of ${line} is ${word}`, names: [line, word] };
    },
    () => {
      const word = random.pick(['-1', '0.0517', '1e999', 'x']);
      rows[r][when] = word;
      return { about: `${columns[when]} of ${line} is ${word}`, names: [line] };
    },
    () => {
      for (const each of [columns, ...rows]) each.splice(when, 1);
      return { about: `no column ${columns[when]}`, names: ['frame', 'time'] };
    },
    () => {
      rows.length = 0;
      return { about: 'no rows', names: ['no points'] };
    },
    () => {
      rows.splice(1, 0, [...rows[0]]);
      return { about: 'the first line twice', names: [`line ${3 + titles.length}`, 'ascend'] };
    },
  ];
  return random.pick(ways)();
}

/** Returns the tracks after checking them. @throws if they violate what the reader guarantees. */
function checked(found: readonly Track[]): readonly Track[] {
  for (const { name, points } of found)
    points.forEach(({ frame, time, x, y }, k) => {
      if (![frame, time, x, y].every(Number.isFinite) || (k > 0 && frame <= points[k - 1].frame))
        throw new WronglyAccepted(`point ${k} of ${name} is ${frame}, ${time}, ${x}, ${y}`);
    });
  return found;
}
