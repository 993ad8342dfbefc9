import { readMarkers } from '@gradsim/markers';
import { describe, expect, it } from 'vitest';

const table = (rows: readonly (readonly (string | number)[])[], header = 'frame,marker,x,y,z'): string =>
  [header, ...rows.map((row) => row.join(','))].join('\n');
const still = (frames: number, change: (f: number, m: number) => (string | number)[] | undefined = () => undefined) =>
  Array.from({ length: frames }, (_, f) =>
    [0, 1].map((m) => [f, m === 0 ? 'tip' : 'side', ...(change(f, m) ?? [0.1 * m, 0.2 + 0.001 * f, 0])]),
  ).flat();
const read = (text: string) => readMarkers(text, { frameRate: 100, name: 'beam.csv' });

describe('readMarkers', () => {
  it('reads positions by frame and by time, with a unit, and leaves gaps NaN', () => {
    const byFrame = read(table(still(3, (f, m) => (f === 1 && m === 1 ? ['NaN', '', 'nan'] : undefined))));
    expect(byFrame).toMatchObject({ markers: ['tip', 'side'], frames: 3, frameRate: 100 });
    expect(Array.from(byFrame.positions.slice(6, 12))).toEqual([0, 0.201, 0, Number.NaN, Number.NaN, Number.NaN]);
    const rows = still(3).map(([f, m, x, y, z]) => [
      Number(f) / 50,
      m,
      ...[x, y, z].map((value) => 1000 * Number(value)),
    ]);
    const byTime = readMarkers(table(rows, 'time,marker,x [mm],y [mm],z [mm]'));
    expect(byTime.frameRate).toBeCloseTo(50, 6);
    expect(byTime.positions[1]).toBeCloseTo(0.2, 12);
  });

  it.each([
    ['a missing column', table([[0, 'a', 1, 2]], 'frame,marker,x,y'), 'markers/column-missing'],
    ['what is no number', table(still(2, (f) => (f === 1 ? ['one', 0, 0] : undefined))), 'markers/not-a-number'],
    ['no lines', 'frame,marker,x,y,z', 'markers/no-markers'],
    ['a marker twice in a frame', table([...still(2), [1, 'tip', 0, 0, 0]]), 'markers/marker-twice'],
    [
      'frames that go back',
      table([
        [3, 'a', 0, 0, 0],
        [1, 'a', 0, 0, 0],
      ]),
      'markers/time-jumps',
    ],
    [
      'a time between steps',
      table(
        [0, 0.01, 0.02, 0.034].map((t) => [t, 'a', 0, 0, 0]),
        't,marker,x,y,z',
      ),
      'markers/time-jumps',
    ],
    ['millimetres', table(still(3, (f, m) => [100 * m, 20 + f, 0])), 'markers/looks-like-millimetres'],
    ['an unknown unit', table(still(2), 'frame,marker,x [in],y [in],z [in]'), 'markers/unknown-unit'],
    [
      'names that are exchanged',
      table(still(6, (f, m) => [0.1 * (f < 3 ? m : 1 - m), 0.001 * f, 0])),
      'markers/names-exchanged',
    ],
  ])('refuses %s by name', async (_, text, code) => {
    expect(() => read(text)).toThrowCode(code);
  });
});
