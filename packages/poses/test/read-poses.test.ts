import { readPoses } from '@gradsim/poses';
import { expect, test } from 'vitest';

const HEADER = 'time,x,y,z,qx,qy,qz,qw';
const line = (time: number | string, x: number | string): string => `${time},${x},2,3,0,0,0,1`;

test('times become frames, and frames that are not there, or empty, are missing poses', () => {
  const [{ frameRate, poses, name }] = readPoses(
    [HEADER, line(0.5, 1), line(0.51, ''), line(0.53, 4)].join('\n'),
    { name: 'toss' },
  );
  expect(name).toBe('toss');
  expect(frameRate).toBeCloseTo(100, 6);
  expect(poses.map((pose) => pose?.position[0] ?? null)).toEqual([1, null, null, 4]);
  expect(poses[0]?.orientation).toEqual([0, 0, 0, 1]);
});

test('other separators, names of columns, comments, several bodies and frames without times', () => {
  const text =
    '# from a tracker\r\nid;frame;px;py;pz;qw;qx;qy;qz;quality\r\na;0;1;0;0;1;0;0;0;9\r\nb;0;5;0;0;0;1;0;0;9\r\na;1;2;0;0;1;0;0;0;9\r\n';
  const [a, b] = readPoses(text, { frameRate: 148 });
  expect([a.name, b.name, a.frameRate]).toEqual(['a', 'b', 148]);
  expect(a.poses.map((pose) => pose?.position[0])).toEqual([1, 2]);
  expect(b.poses[0]?.orientation).toEqual([1, 0, 0, 0]);
});

test.each([
  ['x,y,z,qx,qy,qz', 'no column qw; it has x, y, z, qx, qy, qz'],
  [`${HEADER}\n${line(0, 'left')}\n${line(1, 2)}`, 'line 2: x is "left", which is no number'],
  [
    `${HEADER}\n${line(0, 1)}\n${line(1, 1)}\n${line(3.4, 1)}`,
    'line 4: the time 3.4 is not at a whole number of steps',
  ],
  [`${HEADER}\n${line(0, 1)}\n1,1,1,1,0,0,0,2`, 'line 3: the quaternion (0, 0, 0, 2) has the length 2.000'],
  [`frame,${HEADER}\n1,${line(0, 1)}\n1,${line(0.1, 1)}`, 'frame 1 of The table is there twice'],
])('a wrong table is refused by line, column and value: %#', (text, message) => {
  expect(() => readPoses(text.includes('\n') ? text : `${text}\n1,2,3,0,0,1`)).toThrow(message);
});
