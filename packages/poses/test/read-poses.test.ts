import { readPoses } from '@gradsim/poses';
import { expect, test } from 'vitest';

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
  [`${HEADER}\n${line(0, 'left')}\n${line(1, 2)}`, { code: 'poses/not-a-number', values: ['"left"', 2] }],
  [`${HEADER}\n${line(0, 1)}\n${line(1, 1)}\n${line(3.4, 1)}`, { code: 'poses/time-off-grid', values: [3.4] }],
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
    { code: 'poses/too-many-frames', values: [4, 0.1, 100000000, '1.000e-9', 3] },
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
