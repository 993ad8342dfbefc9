import { timeOfFrame } from '@gradsim/core';
import { readPoses, startOfFreeFlight, timelineOf } from '@gradsim/recordings/poses';
import { expect, test } from 'vitest';
import { randomNumbers, seedOfRun } from '../../../../scripts/vitest/draws.ts';

const SEED = seedOfRun('tables of poses');

const HEADER = 'time,x,y,z,qx,qy,qz,qw';
const line = (time: number | string, x: number | string): string => `${time},${x},2,3,0,0,0,1`;

test('readPoses converts times to frames, and treats absent or empty frames as missing poses', () => {
  const [{ frameRate, poses, name }] = readPoses([HEADER, line(0.5, 1), line(0.51, ''), line(0.53, 4)].join('\n'), {
    name: 'toss',
  });
  expect(name).toBe('toss');
  expect(frameRate).toBeCloseTo(100, 6);
  expect(poses.map((pose) => pose?.position[0] ?? null)).toEqual([1, null, null, 4]);
  expect(poses[0]?.orientation).toEqual([0, 0, 0, 1]);
});

test('readPoses reads other separators, column names, comments, several bodies and frames without times', () => {
  const text =
    '# from a tracker\r\nid;frame;px;py;pz;qw;qx;qy;qz;quality\r\na;0;1;0;0;1;0;0;0;9\r\nb;0;5;0;0;0;1;0;0;9\r\na;1;2;0;0;1;0;0;0;9\r\n';
  const [a, b] = readPoses(text, { frameRate: 148 });
  expect([a.name, b.name, a.frameRate]).toEqual(['a', 'b', 148]);
  expect(a.poses.map((pose) => pose?.position[0])).toEqual([1, 2]);
  expect(b.poses[0]?.orientation).toEqual([1, 0, 0, 0]);
});

test.each([
  ['x,y,z,qx,qy,qz', { code: 'poses/column-missing', values: ['qw'] }],
  [`${HEADER}\n${line(0, 'left')}\n${line(1, 2)}`, { code: 'tables/not-a-number', values: ['"left"', 2] }],
  [`${HEADER}\n${line(0, 1)}\n${line(1, 1)}\n${line(0.4, 1)}`, { code: 'poses/time-back', values: [0.4, 1] }],
  [
    `frame,${HEADER}\n0,${line(0, 1)}\n1,${line(0.1, 1)}\n3,${line('0.2000', 1)}`,
    { code: 'poses/time-off-grid', values: [4, '0.2000'] },
  ],
  [
    `${HEADER}\n${line(0, 1)}\n1,1,1,1,0,0,0,2`,
    { code: 'poses/quaternion-length', values: ['(0, 0, 0, 2)', 3, '2.000'] },
  ],
  [`frame,x,y,z,qx,qy,qz,qw\n1,1,1,1,0,0,0,1\n`.concat(',1\n'), { code: 'poses/time-missing', values: [3] }],
  [`frame,${HEADER}\n1,${line(0, 1)}\n1,${line(0.1, 1)}`, { code: 'poses/frame-twice', values: [1] }],
])('readPoses refuses an invalid table, naming what is invalid: case %#', (text, expected) => {
  expect(() =>
    readPoses(text.includes('\n') ? text : `${text}\n1,2,3,0,0,1`, text.includes('time') ? {} : { frameRate: 30 }),
  ).toThrowCode(expected);
});

test('readPoses reads 100,000 rows within a minute', () => {
  const rows = Array.from({ length: 100_000 }, (_, k) => line(k / 240, k));
  const [{ poses, frameRate }] = readPoses([HEADER, ...rows].join('\n'));
  expect(poses.length).toBe(100_000);
  expect(poses[99_999]!.position[0]).toBe(99_999);
  expect(frameRate).toBeCloseTo(240, 6);
}, 60_000);

test.each([
  [
    'a frame number that no recording has',
    `frame,${HEADER}\n0,${line(0, 1)}\n1000000000,${line(0.1, 1)}`,
    { code: 'poses/too-many-frames', values: [3, 'frame is 1000000000'] },
  ],
  [
    'one step that is tiny',
    [HEADER, line(0, 1), line(1e-9, 1), line(0.1, 1)].join('\n'),
    { code: 'poses/times-too-close', values: [3, '1e-9', 4, '0.1'] },
  ],
  [
    'many bodies with few rows and long gaps',
    [
      `id,frame,${HEADER}`,
      ...['a', 'b', 'c'].flatMap((id) => [`${id},0,${line(0, 1)}`, `${id},4000000,${line(1, 1)}`]),
    ].join('\n'),
    { code: 'poses/too-many-frames', values: [7, 10000000, 'frame is 4000000'] },
  ],
])('readPoses refuses %s, instead of filling the memory', (_, text, expected) => {
  expect(() => readPoses(text)).toThrowCode(expected);
});

test('readPoses names the line whose time is wrong, wherever it is', () => {
  const random = randomNumbers(SEED);
  for (let round = 0; round < 300; round++) {
    const [count, step] = [6 + Math.floor(random() * 20), 10 ** (-3 + 3 * random())];
    const times = Array.from({ length: count }, (_, k) => step * (k + 0.4 * random()));
    // The last is far too late; or one is hardly after the one before.
    const isLate = random() < 0.5;
    const wrong = isLate ? count - 1 : 1 + Math.floor(random() * (count - 2));
    times[wrong] = isLate ? 10 ** (9 + random()) : times[wrong - 1] + step * 1e-6;
    const text = [HEADER, ...times.map((t) => line(t, t))].join('\n');
    const code = isLate ? 'poses/too-many-frames' : 'poses/times-too-close';
    expect(() => readPoses(text), `round ${round}\n${text}`).toThrowCode({
      code,
      values: [`line ${wrong + 2}:`, `the time ${times[wrong]} is`],
    });
  }
});

test('readPoses refuses times too close for a finite frame rate', () => {
  expect(() => readPoses([HEADER, line(0, 1), line(1e-320, 1)].join('\n'))).toThrowCode({
    code: 'poses/times-too-close',
    values: ['1e-320'],
  });
});

test('readPoses ignores columns named like properties of JavaScript objects', () => {
  const text = `constructor,__proto__,constructor,${HEADER}\n1,2,3,${line(0, 1)}\n1,2,3,${line(1, 2)}`;
  expect(readPoses(text)[0].poses).toHaveLength(2);
});

/** A toss as other programs write it: 60 poses at 120 a second, or at times that vary by a third of a step. */
const toss = (time: (t: number, k: number) => string, scale = 1, isUneven = false): { t: number; cells: string[] }[] =>
  Array.from({ length: 60 }, (_, k) => {
    const t = (k + (isUneven ? 0.3 * Math.sin(7 * k) : 0)) / 120;
    const place = [0.4 * t, -0.2 * t, 1 + 2 * t - 4.905 * t * t].map((x) => (x * scale).toFixed(6));
    const [s, c] = [Math.sin(t), Math.cos(t)];
    return { t, cells: [time(t, k), ...place, '0', '0', s.toFixed(9), c.toFixed(9)] };
  });
const table = (heading: string, rows: readonly { cells: readonly string[] }[], mark = ','): string =>
  [heading, ...rows.map(({ cells }) => cells.join(mark))].join('\n');
const plain = (t: number): string => t.toFixed(6);
const GRAVITY = { gravity: [0, 0, -9.81] };

test.each<[string, string | Uint8Array, string]>([
  [
    'semicolons and decimal commas',
    table(HEADER.replaceAll(',', ';'), toss(plain), ';').replaceAll('.', ','),
    'decimal commas',
  ],
  [
    'millimetres and milliseconds',
    table(
      'time [ms],x (mm),y (mm),z (mm),qx,qy,qz,qw',
      toss((t) => (1000 * t).toFixed(3), 1000),
    ),
    'time in ms; x y z in mm',
  ],
  [
    'a row of units',
    table(
      'time,x,y,z,qx,qy,qz,qw\nms,mm,mm,mm,,,,',
      toss((t) => (1000 * t).toFixed(3), 1000),
    ),
    'time in ms; x y z in mm',
  ],
  ['UTF-16', new Uint8Array(Buffer.from(`\uFEFF${table(HEADER, toss(plain))}`, 'utf16le')), 'x y z in m'],
  [
    'nanoseconds since 1970',
    table(
      HEADER,
      toss((t) => `17${String(Math.round(t * 1e9) + 1e9).padStart(17, '0')}`),
    ),
    'time in ns since 1970',
  ],
  [
    'dates',
    table(
      HEADER,
      toss((t) => `2026-03-04T23:59:59.${plain(t).slice(2)}Z`),
    ),
    'time as dates',
  ],
  [
    'TUM without headings',
    table(
      '# by a tracker',
      toss((t) => (1.7e9 + t).toFixed(6)),
      ' ',
    ),
    'time in s since 1970',
  ],
  [
    'EuRoC',
    table(
      '#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_x [],q_RS_y [],q_RS_z [],q_RS_w []',
      toss((t) => `1${String(Math.round(t * 1e9)).padStart(18, '0')}`),
    ),
    'time in ns',
  ],
  [
    'PlotJuggler',
    table(
      '__time,/cube/pose/position/x,/cube/pose/position/y,/cube/pose/position/z,/cube/pose/orientation/x,/cube/pose/orientation/y,/cube/pose/orientation/z,/cube/pose/orientation/w',
      toss((t) => (1.7e9 + t).toFixed(6)),
    ),
    'time in s since 1970',
  ],
  [
    'times rounded to 5 ms',
    table(
      HEADER,
      toss((t) => `${Math.round(t * 200) / 200}`),
    ),
    'frames a second',
  ],
])('readPoses reads what other programs write: %s', (_, text, said) => {
  const [poses] = readPoses(text, { name: 'toss.csv' });
  expect(poses.readingNotes).toContain(said);
  expect(poses.poses).toHaveLength(60);
  expect(Math.abs(poses.frameRate! / 120 - 1)).toBeLessThan(2e-3);
  const flight = startOfFreeFlight(poses, GRAVITY);
  expect(flight.contact).toBeNull();
  [0.4, -0.2, 2].forEach((v, c) => expect(Math.abs(flight.velocity[c] - v)).toBeLessThan(5e-3));
});

test('readPoses leaves out a line that is there twice, and says so', () => {
  const rows = toss(plain);
  const [poses] = readPoses(table(HEADER, [...rows.slice(0, 20), rows[19], ...rows.slice(20)]));
  expect(poses.poses).toHaveLength(60);
  expect(poses.readingNotes).toContain('1 repeated');
});

test('readPoses keeps times that are not at equal steps', () => {
  const rows = toss(plain, 1, true);
  const [poses] = readPoses(table(HEADER, rows));
  const seen = poses.poses.flatMap((pose, f) => (pose ? [{ pose, t: timeOfFrame(poses, f) }] : []));
  expect(seen).toHaveLength(60);
  seen.forEach(({ t }, k) => {
    // Frames begin at the first line.
    expect(Math.abs(t - (rows[k].t - rows[0].t))).toBeLessThan(1.1e-6);
  });
  // As even frames the same rows would be centimetres off.
  const flight = startOfFreeFlight(poses, GRAVITY);
  expect(flight.contact).toBeNull();
  expect(flight.residual.position).toBeLessThan(2e-5);
  const rest = timelineOf(poses, 10);
  expect(rest.frames).toBe(poses.poses.length - 10);
  expect(rest.frameTimes![5]).toBeCloseTo(timeOfFrame(poses, 15) - timeOfFrame(poses, 10), 12);
  expect(Math.abs(flight.velocity[2] - 2)).toBeLessThan(1e-3);
});

test.each<[string, string, string]>([
  [
    'milliseconds',
    table(
      HEADER,
      toss((t) => (1000 * t).toFixed(3)),
    ),
    'time [ms]',
  ],
  [
    'microseconds',
    table(
      HEADER,
      toss((t) => String(Math.round(1e6 * t))),
    ),
    'time [us]',
  ],
])('readPoses asks for the unit of times in %s', (_, text, hint) => {
  expect(() => readPoses(text)).toThrowCode({ code: 'tables/time-unit', values: [hint] });
});

test.each<[string, string, string]>([
  ['millimetres', table(HEADER, toss(plain, 1000)), 'x [mm], y [mm], z [mm]'],
  ['centimetres', table(HEADER, toss(plain, 100)), 'x [cm], y [cm], z [cm]'],
  ['metres under mm', table('time,x [mm],y [mm],z [mm],qx,qy,qz,qw', toss(plain)), 'x [m], y [m], z [m]'],
  ['the same along y', table('time,x [mm],z [mm],y [mm],qx,qy,qz,qw', toss(plain)), 'x [m], y [m], z [m]'],
  // 120 rows in a second of 12,000 frames.
  [
    'a clock of another rate',
    table(
      HEADER,
      toss((t) => plain(100 * t)),
    ),
    'time is 100 times',
  ],
  ['y upwards', table('time,x,z,y,qx,qy,qz,qw', toss(plain)), 'gravity=0,-9.81,0'],
])('startOfFreeFlight asks about %s, by the acceleration', (_, text, hint) => {
  const [poses] = readPoses(text);
  expect(() => startOfFreeFlight(poses, GRAVITY)).toThrowCode({ code: 'poses/not-a-fall', values: [hint] });
});
