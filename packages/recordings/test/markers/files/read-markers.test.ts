import { readMarkers } from '@gradsim/recordings/markers';
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
    ['what is no number', table(still(2, (f) => (f === 1 ? ['one', 0, 0] : undefined))), 'tables/not-a-number'],
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
      'a time between steps of the frame rate that is given',
      table(
        [0, 0.01, 0.02, 0.034].map((t) => [t, 'a', 0, 0, 0]),
        't,marker,x,y,z',
      ),
      'markers/time-jumps',
    ],
    [
      'times in ms that do not say so',
      table(
        still(12).map(([f, ...rest]) => [20 * Number(f), ...rest]),
        't,marker,x,y,z',
      ),
      'tables/time-unit',
    ],
    ['millimetres', table(still(3, (f, m) => [100 * m, 20 + f, 0])), 'markers/looks-like-millimetres'],
    ['an unknown unit', table(still(2), 'frame,marker,x [yd],y [yd],z [yd]'), 'tables/unit-unknown'],
    [
      'names that are exchanged',
      table(still(6, (f, m) => [0.1 * (f < 3 ? m : 1 - m), 0.001 * f, 0])),
      'markers/names-exchanged',
    ],
  ])('refuses %s by name', async (_, text, code) => {
    expect(() => read(text)).toThrowCode(code);
  });

  /** Markers that swing at 3 Hz, as rows of a time and the positions of tip and side. */
  const swing = (times: readonly number[], scale = 1): (string | number)[][] =>
    times.map((t) => [
      t,
      ...[0, 1].flatMap((m) =>
        [0.1 * m + 0.02 * Math.sin(6 * Math.PI * t), 0.2, 0.01 * m].map((x) => (x * scale).toFixed(6)),
      ),
    ]);
  const even = Array.from({ length: 80 }, (_, k) => Number((k / 100).toFixed(4)));
  const WIDE = [',tip,,,side,,', 'Frame,X,Y,Z,X,Y,Z', ',mm,mm,mm,mm,mm,mm'];
  it.each<[string, string, number | undefined]>([
    [
      'semicolons, decimal commas, millimetres',
      table(still(40), 'frame,marker,x,y,z')
        .split('\n')
        .slice(1)
        .map((row) =>
          row
            .split(',')
            .map((cell, k) => (k > 1 ? (1000 * Number(cell)).toFixed(3).replace('.', ',') : cell))
            .join(';'),
        )
        .join('\n')
        .replace(/^/, 'frame;marker;x [mm];y [mm];z [mm]\n'),
      100,
    ],
    [
      'milliseconds',
      table(
        still(40).map(([f, ...rest]) => [10 * Number(f), ...rest]),
        'time [ms],marker,x,y,z',
      ),
      undefined,
    ],
    [
      'Motive',
      [
        'Format Version,1.23,Length Units,Millimeters',
        '',
        ',,Marker,Marker,Marker,Marker,Marker,Marker',
        ',,tip,tip,tip,side,side,side',
        ',,Position,Position,Position,Position,Position,Position',
        'Frame,Time (Seconds),X,Y,Z,X,Y,Z',
        ...swing(even, 1000).map((row, k) => [k, ...row].join(',')),
      ].join('\n'),
      undefined,
    ],
    [
      'Vicon',
      ['Trajectories', '100', ...WIDE, ...swing(even, 1000).map(([, ...row], k) => [k, ...row].join(','))].join('\n'),
      100,
    ],
    [
      'TRC',
      [
        'PathFileType\t4\t(X/Y/Z)\ta.trc',
        'DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits',
        '100\t100\t80\t2\tmm',
        'Frame#\tTime\ttip\t\t\tside\t\t',
        '\t\tX1\tY1\tZ1\tX2\tY2\tZ2',
        '',
        ...swing(even, 1000).map((row, k) => [k + 1, ...row].join('\t')),
      ].join('\n'),
      undefined,
    ],
    ['columns named for each marker', table(swing(even), 'time,tip_x,tip_y,tip_z,side_x,side_y,side_z'), undefined],
  ])('reads what other programs write: %s', (_, text, frameRate) => {
    const found = readMarkers(text, { frameRate });
    expect(found.markers).toEqual(['tip', 'side']);
    expect(Math.abs(found.frameRate - 100)).toBeLessThan(1e-6);
    expect(found.frames).toBeGreaterThan(39);
    expect(Math.abs(found.positions[1] - 0.2)).toBeLessThan(1e-9);
    expect(Math.abs(found.positions[3] - 0.1)).toBeLessThan(1e-9);
    expect(found.readingNotes).toMatch(/x y z in mm?; 100 frames a second/);
  });

  it('puts uneven times at even ones by cubics, and says so', () => {
    const times = even.map((t, k) => Number((t + 0.004 * Math.sin(5 * k)).toFixed(6)));
    const {
      positions,
      frameRate,
      frames,
      readingNotes: said,
    } = readMarkers(table(swing(times), 'time,tip_x,tip_y,tip_z,side_x,side_y,side_z'));
    expect(said).toContain('uneven times, interpolated');
    let most = 0;
    for (let f = 0; f < frames; f++) {
      const t = times[0] + f / frameRate;
      const x = positions[6 * f];
      if (!Number.isNaN(x)) most = Math.max(most, Math.abs(x - 0.02 * Math.sin(6 * Math.PI * t)));
    }
    // Taken as even, they would be up to 1.5 mm off.
    expect(most).toBeLessThan(5e-5);
    expect(positions.filter(Number.isNaN)).toHaveLength(0);
  });
});
