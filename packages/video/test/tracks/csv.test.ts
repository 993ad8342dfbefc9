import { describe, expect, it } from 'vitest';
import { formatTracks, readTracks } from '../../src/index.ts';

describe('readTracks', () => {
  it('is the inverse of formatTracks, up to rounding of times', () => {
    const tracks = [
      {
        name: 'ball',
        points: [
          { frame: 0, time: 0, x: 1.5, y: 2.25, area: 300.125, areaError: 0.02 },
          { frame: 2, time: 2 / 30, x: 3, y: 4 },
        ],
      },
      { name: 'box, red', points: [{ frame: 1, time: 1 / 30, x: 5, y: 6, area: 80 }] },
    ];
    const text = formatTracks(tracks);
    expect(text.split('\n')[0]).toBe('track,frame,time,x,y,area,areaError');
    const [ball, box] = readTracks(text);
    expect(ball.points[0]).toEqual(tracks[0].points[0]);
    expect(ball.points[1].time).toBeCloseTo(2 / 30, 8);
    expect(box).toEqual({
      name: 'box, red',
      points: [{ ...tracks[1].points[0], time: expect.closeTo(1 / 30, 8) }],
    });
  });

  it('reads an export of the program Tracker: a title, tabs, t, y upwards, comma decimals', () => {
    const text = '\uFEFFmass A\t\t\nt\tx\ty\n0,0\t12,5\t200\n0,0333\t14,25\t198,5\n0,0667\t\t\n0,1\t18\t195\n';
    const [{ name, points }] = readTracks(text, { frameRate: 30, upFrom: 240 });
    expect(name).toBe('1');
    expect(points.map(({ frame, x, y }) => [frame, x, y])).toEqual([
      [0, 12.5, 40],
      [1, 14.25, 41.5],
      [3, 18, 45],
    ]);
  });

  it('reads what a program with OpenCV writes: frame, x and y', () => {
    const [{ points }] = readTracks('Frame,X (px),Y (px),radius\r\n10,1,2,7\r\n11,3,4,7\r\n', {
      frameRate: 50,
    });
    expect(points).toEqual([
      { frame: 10, time: 0.2, x: 1, y: 2 },
      { frame: 11, time: 0.22, x: 3, y: 4 },
    ]);
  });

  it.each([';', '\t', ','])('reads centres named cx and cy, separated by %j', (separator) => {
    const text = ['frame,cx,cy', '0,1.5,2', '1,3,4'].map((line) => line.replaceAll(',', separator)).join('\n');
    const [{ points }] = readTracks(text, { frameRate: 10 });
    expect(points.map(({ x, y }) => [x, y])).toEqual([
      [1.5, 2],
      [3, 4],
    ]);
  });

  it('reads cells in quotes, with separators, line breaks and quotes in them', () => {
    const tracks = readTracks('track,note,frame,time,x,y\n"a ""big"" one, red","two\nlines",3,0.1,"1.5",2', {});
    expect(tracks).toEqual([{ name: 'a "big" one, red', points: [{ frame: 3, time: 0.1, x: 1.5, y: 2 }] }]);
    expect(readTracks(formatTracks(tracks))).toEqual(tracks);
  });

  it.each([
    ['x1,y1,x2,y2', ['1', '2']],
    ['left_x,left_y,right_x,right_y', ['left', 'right']],
    ['x left (px);y left (px);x right (px);y right (px)', ['left', 'right']],
  ])('reads several points per row: %s', (names, expected) => {
    const separator = names.includes(';') ? ';' : ',';
    const rows = [`frame,${names}`, '0,1,2,3,4', '1,1.5,2.5,,', '2,2,3,4,5'].map((row) =>
      row.replaceAll(',', separator),
    );
    const tracks = readTracks(rows.join('\n'), { frameRate: 10 });
    expect(tracks.map(({ name }) => name)).toEqual(expected);
    expect(tracks[0].points.map(({ frame, x, y }) => [frame, x, y])).toEqual([
      [0, 1, 2],
      [1, 1.5, 2.5],
      [2, 2, 3],
    ]);
    expect(tracks[1].points.map(({ frame, x, y }) => [frame, x, y])).toEqual([
      [0, 3, 4],
      [2, 4, 5],
    ]);
  });

  it.each([
    ['no columns', '1,2,3\n', {}, 'video/track-column-missing'],
    ['no frames', 'x,y\n1,2\n', {}, 'video/track-column-missing'],
    ['no rate', 'frame,x,y\n1,2,3\n', {}, { code: 'video/frame-rate-missing', values: ['frame and none time'] }],
    [
      'a word',
      'frame,x,y\n1,2,3\n2,oops,3\n',
      { frameRate: 30, name: 'a.csv' },
      { code: 'tables/not-a-number', values: ['"oops"', 'a.csv, line 3'] },
    ],
    [
      'a step back',
      'frame,x,y\n2,2,3\n1,2,3\n',
      { frameRate: 30 },
      { code: 'video/frames-out-of-order', values: [1, 2] },
    ],
    ['no points', 'frame,time,x,y\n', {}, 'video/no-points'],
    ['half a frame', 'frame,x,y\n1.5,2,3\n', { frameRate: 30 }, { code: 'video/track-time', values: [1.5, 'none'] }],
    [
      'a rate unlike that of the times',
      't,x,y\n0,1,2\n0.0333333,2,3\n0.0666667,2,3\n',
      { frameRate: 25 },
      { code: 'video/track-time', values: [0.0333333, 0.83, 25] },
    ],
    [
      'a rate below 0',
      'frame,x,y\n',
      { frameRate: -1 },
      { code: 'video/option-out-of-range', field: 'frameRate', values: [-1] },
    ],
  ] as const)('refuses a file with %s', (_, text, options, message) => {
    expect(() => readTracks(text, options)).toThrowCode(message);
  });

  it.each<[string, string, string[]]>([
    [
      'TrackMate: names, their meaning, short names and units in four rows',
      'LABEL,ID,TRACK_ID,POSITION_X,POSITION_Y,POSITION_T,FRAME\nLabel,Spot ID,Track ID,X,Y,T,Frame\nLabel,Spot ID,Track ID,X,Y,T,Frame\n,,,(pixel),(pixel),(sec),\nS1,1,7,1,2,0,0\nS2,2,7,3,4,0.1,1\n',
      ['7'],
    ],
    [
      'DeepLabCut: bodyparts and coordinates in rows, and likelihoods',
      'scorer,net,net,net,net,net,net\nbodyparts,nose,nose,nose,tail,tail,tail\ncoords,x,y,likelihood,x,y,likelihood\n0,1,2,0.99,5,6,0.98\n1,3,4,0.97,5,6,0.2\n',
      ['nose', 'tail'],
    ],
    ['milliseconds, decimal commas and semicolons', 't [ms];x [px];y [px]\n0,0;1,0;2,0\n100,0;3,0;4,0\n', ['1']],
  ])('reads exports of %s', (_, text, names) => {
    const tracks = readTracks(text, { frameRate: 10 });
    expect(tracks.map(({ name }) => name)).toEqual(names);
    expect(tracks[0].points.map(({ frame, x, y }) => [frame, x, y])).toEqual([
      [0, 1, 2],
      [1, 3, 4],
    ]);
    // A point that the network does not believe was not seen.
    if (tracks[1]) expect(tracks[1].points).toHaveLength(1);
  });

  const LONG = 400_000;
  it.each([
    ['brackets in a name', `frame,${'('.repeat(LONG)},x,y\n1,2,3,4`],
    ['spaces in a name', `frame,a${' '.repeat(LONG)}b,x1,y1\n1,2,3,4`],
    ['a title of x and no y', `${'x '.repeat(LONG / 2)}\nframe,z,x,y\n1,2,3,4`],
    [
      'columns of many points, and lines of few cells',
      `frame,${Array.from({ length: LONG / 8 }, (_, k) => `x${k},y${k}`).join(',')}\n1,3,4\n${'2\n'.repeat(LONG / 2)}`,
    ],
  ])(
    'reads a file of 400 kB within 30 s: %s',
    (_, text) => {
      const [{ points }] = readTracks(text, { frameRate: 30 });
      expect([points[0].x, points[0].y]).toEqual([3, 4]);
    },
    30_000,
  );

  it('ignores columns named like properties of JavaScript objects', () => {
    expect(readTracks('constructor,__proto__,frame,x,y\n9,9,1,2,3\n', { frameRate: 1 })[0].points).toMatchObject([
      { frame: 1, x: 2, y: 3 },
    ]);
  });
});
