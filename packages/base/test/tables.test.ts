import {
  evenSteps,
  formatTable,
  jitterOf,
  numberIn,
  readClock,
  readTable,
  tableOf,
  timeHeading,
} from '@gradsim/base/tables';
import { describe, expect, it } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('tables');
const random = randomNumbers(SEED);
const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)];
const clockOf = (text: string | Uint8Array) => {
  const table = readTable(text, { name: 'a.csv' });
  return readClock(table, timeHeading(table)!);
};

describe('formatTable', () => {
  it('writes a table of cells that readTable reads again, and returns a table as it is', () => {
    const rows = [
      [0.1 + 0.2, 'left,"upper"', undefined],
      [-1e-9, 'right', 12],
    ];
    const table = tableOf(['time [ms]', 'name', 'x, mm'], rows, { name: 'a', source: 'somewhere' });
    const again = readTable(formatTable(table), { name: 'a' });
    expect(again.rows.map(({ cells }) => cells)).toEqual(table.rows.map(({ cells }) => cells));
    expect(again.headings.map(({ title, unit }) => [title, unit?.name])).toEqual([
      ['time [ms]', 'ms'],
      ['name', undefined],
      ['x, mm', 'mm'],
    ]);
    expect(Number(again.rows[0].cells[0])).toBe(0.1 + 0.2);
    expect(readTable(table, { name: 'b' })).toBe(table);
  });
});

describe('readTable', () => {
  it('reads drawn tables: separators, decimal marks, quotes, line ends, comments, encodings, units', () => {
    for (let draw = 0; draw < 300; draw++) {
      const separator = pick([',', ';', '\t', '|', ' ']);
      const comma = separator !== ',' && random() < 0.4;
      const isQuoted = separator !== ' ' && random() < 0.3;
      const columns = 2 + Math.floor(random() * 5);
      const values = Array.from({ length: 3 + Math.floor(random() * 30) }, () =>
        Array.from(
          { length: columns },
          () => Number(((random() - 0.5) * 10 ** Math.floor(random() * 6)).toFixed(3)) + 0,
        ),
      );
      const written = (value: number): string => {
        const text = comma ? value.toFixed(3).replace('.', ',') : String(value);
        return isQuoted ? `"${text}"` : text;
      };
      const names = Array.from({ length: columns }, (_, k) => `c${k}`);
      const unit = pick(['', ' [mm]', ' (mm)', '/mm']);
      const headings = names.map((name) => `${name}${separator === ' ' ? unit.trim() : unit}`);
      const end = pick(['\n', '\r\n', '\r']);
      const lines = [
        ...(random() < 0.3 ? ['# a comment, with; marks'] : []),
        headings.join(separator),
        ...values.map((row) => row.map(written).join(separator)),
        ...(random() < 0.5 ? [''] : []),
      ];
      const text = lines.join(end);
      const coded = pick([
        () => text,
        () => new TextEncoder().encode(`\uFEFF${text}`),
        () => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le')),
        () => new Uint8Array(Buffer.from(text, 'utf16le').swap16()),
      ])();
      const table = readTable(coded);
      expect(
        table.headings.map(({ name }) => name),
        text,
      ).toEqual(names);
      expect(table.headings[0].unit?.name).toBe(unit === '' ? undefined : 'mm');
      expect(table.rows.map((row) => table.headings.map((heading) => numberIn(table, row, heading)))).toEqual(values);
    }
  });

  it('reads decimal commas in quotes between commas, minus signs of word processors, and Fortran exponents', () => {
    const table = readTable('t,x\n"0,5","\u22121,25"\n"1,5","2,5D+01"\n');
    expect(table.rows.map((row) => numberIn(table, row, table.headings[1]))).toEqual([-1.25, 25]);
  });

  it('keeps the line of every row, where cells have several', () => {
    const { rows } = readTable('a,b,c\n"two\nlines",1,2\n\n3,4,5\n');
    expect(rows.map(({ line }) => line)).toEqual([2, 5]);
  });

  it('reads header rows above each other, with units below', () => {
    const { headings, preamble } = readTable(
      'Trajectories\n100\n,tip,,side,\nFrame,X,Y,X,Y\n,mm,mm,mm,mm\n1,2,3,4,5\n2,3,4,5,6\n',
    );
    expect(headings.map(({ name, headerCells: above, unit }) => [name, above[0], unit?.name])).toEqual([
      ['frame', '', undefined],
      ['x', 'tip', 'mm'],
      ['y', 'tip', 'mm'],
      ['x', 'side', 'mm'],
      ['y', 'side', 'mm'],
    ]);
    expect(preamble.map(({ cells }) => cells[0])).toEqual(['Trajectories', '100']);
  });

  it.each<[string, string | Uint8Array, string]>([
    ['decimal commas and points', 'a;b\n0,5;1\n0.25;2\n', 'tables/decimals-mixed'],
    ['a quote that is never closed', 'a,b\n"1,2\n3,4\n', 'tables/quote-open'],
    ['what is no text', new Uint8Array([1, 2, 0, 3, 4, 5, 0, 0, 0, 7]), 'tables/not-text'],
  ])('refuses %s', (_, text, code) => {
    expect(() => readTable(text)).toThrowCode(code);
  });

  it('takes time in proportion to the length', () => {
    const rows = Array.from({ length: 200_000 }, (_, k) => `${k / 100},${k},"${k}"`);
    expect(readTable(['t,a,b', ...rows].join('\n')).rows).toHaveLength(200_000);
    expect(readTable(`a,b\n${'"'.repeat(200_000)}`).rows.length).toBeLessThan(2);
  }, 30_000);
});

describe('readClock', () => {
  const rows = (time: (k: number) => string, heading = 'time'): string =>
    [`${heading},x`, ...Array.from({ length: 60 }, (_, k) => `${time(k)},1`)].join('\n');
  it.each<[string, string, string]>([
    ['seconds', rows((k) => String(k / 50)), 'time in s'],
    ['a unit in brackets', rows((k) => String(20 * k), 'time [ms]'), 'time in ms'],
    ['a unit after a slash', rows((k) => String(20 * k), 't/ms'), 'time in ms'],
    ['a unit at the end', rows((k) => String(20_000 * k), 'time_us'), 'time in us'],
    ['seconds since 1970', rows((k) => (1_700_000_000 + k / 50).toFixed(2)), 'time in s since 1970'],
    ['milliseconds since 1970', rows((k) => String(1_700_000_000_000 + 20 * k)), 'time in ms since 1970'],
    [
      'nanoseconds since 1970',
      rows((k) => `17000000${String(20_000_000 * k + 1e9).padStart(11, '0')}`),
      'time in ns since 1970',
    ],
    ['dates', rows((k) => new Date(1.7e12 + 20 * k).toISOString()), 'time as dates'],
    [
      'dates with a zone',
      rows((k) => new Date(1.7e12 + 20 * k).toISOString().replace('Z', '+02:00').replace('T', ' ')),
      'time as dates',
    ],
    [
      'times of day over midnight',
      rows((k) => new Date(86_399_500 + 20 * k).toISOString().slice(11, 23)),
      'time of day',
    ],
  ])('reads %s', (_, text, remark) => {
    const clock = clockOf(text);
    expect(clock.remark).toBe(remark);
    clock.seconds.forEach((t, k) => {
      expect(Math.abs(t - clock.seconds[0] - k / 50)).toBeLessThan(1e-9);
    });
  });

  it.each<[string, string, string]>([
    ['milliseconds', rows((k) => String(20.5 * k)), 'time [ms]'],
    ['milliseconds at 1 kHz', rows((k) => String(k)), 'time [ms]'],
    ['microseconds', rows((k) => String(500 * k)), 'time [us]'],
    ['nanoseconds from the start of a computer', rows((k) => String(5_000_000_000_000 + 10_000_000 * k)), 'time [ns]'],
  ])('asks for the unit of %s', (_, text, hint) => {
    expect(() => clockOf(text)).toThrowCode({ code: 'tables/time-unit', values: [hint, 'time [s]'] });
  });

  it('takes the unit that is named, whatever the rate', () => {
    expect(clockOf(rows((k) => String(60 * k), 'time [s]')).seconds[1]).toBe(60);
    expect(() => clockOf(rows(String, 'time [V]'))).toThrowCode('tables/unit-unknown');
  });
});

describe('evenSteps', () => {
  const drawn = (count: number, missing: number): number[] => {
    let at = 0;
    return Array.from({ length: count }, () => {
      const own = at;
      // Never a single row, which steps of a rounded clock look like.
      at += random() < missing ? 3 + Math.floor(random() * 4) : 1;
      return own;
    });
  };
  it('finds the steps of rounded times, and of times with gaps', () => {
    for (let draw = 0; draw < 200; draw++) {
      const rate = 20 + 400 * random();
      const resolution = pick([1e-3, 1e-4, 1e-6]);
      const index = drawn(40 + Math.floor(random() * 100), resolution < 0.2 / rate ? 0.03 : 0);
      const start = 100 * random();
      const times = index.map((i) => Math.round((start + i / rate) / resolution) * resolution);
      const found = evenSteps(times, resolution)!;
      expect(Array.from(found?.index ?? []), `rate ${rate}, resolution ${resolution}`).toEqual(index);
      expect(Math.abs(found.step * rate - 1)).toBeLessThan((2 * resolution * rate) / index.length + 1e-9);
    }
  });

  it('finds none where frames were dropped or the rate changes', () => {
    const changed = Array.from({ length: 60 }, (_, k) => (k < 30 ? k / 30 : 1 + (k - 30) / 20));
    expect(evenSteps(changed, 1e-6)?.step ?? 0).toBeLessThan(1 / 59);
    const wavering = Array.from({ length: 60 }, (_, k) => k / 100 + 0.002 * Math.sin(3 * k));
    expect(evenSteps(wavering, 1e-6)).toBeUndefined();
  });
});

describe('jitterOf', () => {
  const times = Array.from({ length: 200 }, (_, k) => k / 100 + 0.002 * Math.sin(3.7 * k));
  const motion = (t: number): number => Math.sin(12 * t);
  it('tells stamps that waver from rows at uneven times, by the motion', () => {
    const even = jitterOf(times, [times.map((_, k) => motion(k / 100))]);
    expect(Math.abs(even!.step - 0.01)).toBeLessThan(1e-5);
    expect(jitterOf(times, [times.map(motion)])).toBeUndefined();
  });
});
