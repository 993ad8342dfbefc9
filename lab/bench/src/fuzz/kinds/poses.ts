import { type Poses, readPoses } from '@gradsim/recordings/poses';
import type { Draw } from '../draw.ts';
import type { Case, Kind } from '../kind.ts';
import { WronglyAccepted } from '../kind.ts';
import type { KnownText, SpoiltValue } from '../text-case.ts';
import { anyText, spoiltText, wholeText } from '../text-case.ts';

/** Tables of poses: in all supported layouts, with an invalid cell or column, or randomly changed. */
export const poses: Kind = { name: 'poses', limit: 30, draw };

/** A table of poses as rows of cells, with the names of its columns and its expected content. */
interface Table {
  readonly columns: readonly string[];
  readonly rows: string[][];
  readonly separator: string;
  /** Decimal commas; and units of a thousandth, which headings name. */
  readonly hasCommas: boolean;
  readonly isMilli: boolean;
  readonly frameRate?: number;
  readonly rate: number;
  readonly bodies: readonly string[];
  readonly frames: number;
}

const COLUMNS = ['x', 'y', 'z', 'qx', 'qy', 'qz', 'qw'];

async function draw(random: Draw): Promise<Case> {
  const table = drawn(random);
  const { frameRate, bodies, frames, columns, separator } = table;
  const known: KnownText<readonly Poses[]> = {
    description: `${bodies.length} bodies, ${frames} frames, ${columns.join(separator)}`,
    text: () => textOf(table),
    read: (text) => checked(readPoses(text, { name: 'drawn.csv', ...(frameRate === undefined ? {} : { frameRate }) })),
    isSame: (found) => isSame(found, table),
  };
  const way = random.pick(['none', 'spoil', 'spoil', 'change'] as const);
  if (way === 'none') return wholeText(known, random);
  return way === 'spoil' ? spoiltText(known, spoilTable(table, random), random) : anyText(known, random);
}

function drawn(random: Draw): Table {
  const [isTimed, isNumbered] = random.pick([
    [true, false],
    [false, true],
    [true, true],
  ] as const);
  const rate = random.pick([24, 29.97, 120, 1000]);
  const frames = random.whole(3, 12);
  const bodies = random.chance(0.3) ? ['a', 'b'] : [''];
  const columns = [
    ...(bodies.length > 1 ? [random.pick(['body', 'id', 'name'])] : []),
    ...(isTimed ? [random.pick(['time', 't', 'seconds'])] : []),
    ...(isNumbered ? ['frame'] : []),
    ...COLUMNS,
    ...(random.chance(0.3) ? ['quality'] : []),
  ];
  const rows = bodies.flatMap((body) =>
    Array.from({ length: frames }, (_, f) => {
      const q = [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5, random.next() + 0.1];
      const length = Math.hypot(...q);
      const values = [f, random.next(), -random.next(), ...q.map((c) => c / length)];
      return columns.map((column) => {
        if (['body', 'id', 'name'].includes(column)) return body;
        if (['time', 't', 'seconds'].includes(column)) return (f / rate).toFixed(9);
        if (column === 'frame') return String(f);
        return column === 'quality' ? 'good' : values[COLUMNS.indexOf(column)].toPrecision(9);
      });
    }),
  );
  return {
    columns,
    rows,
    bodies,
    frames,
    rate,
    ...random.pick([
      { separator: ',', hasCommas: false },
      { separator: ';', hasCommas: false },
      { separator: ';', hasCommas: true },
      { separator: '\t', hasCommas: true },
      { separator: ' ', hasCommas: false },
    ]),
    isMilli: random.chance(0.3),
    ...(isTimed ? {} : { frameRate: rate }),
  };
}

const TIMES = ['time', 't', 'seconds'];

/** Text of a table, in the units and with the marks that were drawn. */
function textOf({ columns, rows, separator, hasCommas, isMilli }: Table): string {
  const isScaled = (column: string): boolean => isMilli && ['x', 'y', 'z', ...TIMES].includes(column);
  const heading = (column: string): string =>
    isScaled(column) ? `${column}${separator === ' ' ? '' : ' '}[${TIMES.includes(column) ? 'ms' : 'mm'}]` : column;
  const cell = (value: string, k: number): string => {
    const scaled = isScaled(columns[k]) && Number.isFinite(Number(value)) && value !== '' ? toMilli(value) : value;
    return hasCommas ? scaled.replace('.', ',') : scaled;
  };
  const lines = [columns.map(heading), ...rows.map((cells) => cells.map(cell))];
  return lines.map((cells) => `${cells.join(separator)}\n`).join('');
}

/** A thousand times a decimal number, without rounding. */
const toMilli = (value: string): string =>
  /e/i.test(value) ? value.replace(/e.*/i, (power) => `e${Number(power.slice(1)) + 3}`) : `${value}e3`;

/** Makes one cell or column of a table invalid. */
function spoilTable(table: Table, random: Draw): SpoiltValue {
  const { columns, rows } = table;
  const [r, column] = [random.whole(0, rows.length - 1), random.pick(COLUMNS)];
  const line = `line ${r + 2}`;
  const at = columns.indexOf(column);
  const ways: (() => SpoiltValue)[] = [
    () => {
      const word = random.pick(['x', 'null', 'true', 'Infinity', '1e999', '--1']);
      rows[r][at] = word;
      return { about: `${column} of ${line} is ${word}`, names: [line, column, word] };
    },
    () => {
      const factor = random.pick([0, 2, 0.5, 1e9]);
      for (const q of ['qx', 'qy', 'qz', 'qw'])
        rows[r][columns.indexOf(q)] = String(Number(rows[r][columns.indexOf(q)]) * factor);
      return { about: `the quaternion of ${line} times ${factor}`, names: [line, 'quaternion', 'length'] };
    },
    () => {
      for (const each of [columns as string[], ...rows]) each.splice(at, 1);
      return { about: `no column ${column}`, names: [column] };
    },
    () => {
      (columns as string[]).push(column);
      return { about: `two columns ${column}`, names: [column, 'two columns'] };
    },
    () => {
      rows.length = 0;
      return { about: 'no rows', names: ['no poses'] };
    },
  ];
  const frame = columns.indexOf('frame');
  const time = columns.findIndex((name) => ['time', 't', 'seconds'].includes(name));
  if (frame >= 0)
    ways.push(() => {
      const word = random.pick(['-1', '0.5', '1e9', '4294967296', '1e308']);
      rows[r][frame] = word;
      return { about: `frame of ${line} is ${word}`, names: [line, 'frame'] };
    });
  if (time >= 0 && frame < 0)
    ways.push(
      () => {
        const last = rows.length - 1;
        rows[last][time] = '1e9';
        return { about: `time of line ${last + 2} is 1e9`, names: [`line ${last + 2}`, 'time'] };
      },
      () => {
        rows[1][time] = '1e-12';
        return { about: 'time of line 3 is 1e-12', names: ['line 3', 'time'] };
      },
    );
  return random.pick(ways)();
}

function isSame(found: readonly Poses[], table: Table): boolean {
  const { bodies, frames, rows, columns, rate } = table;
  if (found.length !== bodies.length) return false;
  return found.every(({ poses: own, frameRate }, b) => {
    if (own.length !== frames || !(Math.abs(frameRate! / rate - 1) <= 1e-3)) return false;
    return own.every((pose, f) => {
      const cell = (name: string): number => Number(rows[b * frames + f][columns.indexOf(name)]);
      return (
        pose !== null &&
        ['x', 'y', 'z'].every((name, k) => Math.abs(pose.position[k] - cell(name)) <= 1e-15 * Math.abs(cell(name)))
      );
    });
  });
}

/** Returns the poses after checking them. @throws if they violate what the reader guarantees. */
function checked(found: readonly Poses[]): readonly Poses[] {
  for (const { frameRate = 1, frameTimes, poses: own } of found) {
    if (!(frameRate > 0 && Number.isFinite(frameRate))) throw new WronglyAccepted(`at ${frameRate} Hz`);
    if (
      frameTimes &&
      !(frameTimes.length === own.length && frameTimes.every((time, k) => !(time <= frameTimes[k - 1])))
    )
      throw new WronglyAccepted('at times that do not ascend');
    if (own.length > 1e7) throw new WronglyAccepted(`with ${own.length} frames`);
    for (const pose of own)
      if (
        pose &&
        !(
          [...pose.position, ...pose.orientation].every(Number.isFinite) &&
          Math.abs(Math.hypot(...pose.orientation) - 1) < 0.011
        )
      )
        throw new WronglyAccepted(`with the pose ${JSON.stringify(pose)}`);
  }
  return found;
}
