import { parseXml, type XmlElement } from '@gradsim/base/xml';
import { createFrames, frameAt, readTracks } from '@gradsim/video';
import { expect, it } from 'vitest';
import { outlineDiameter, pointsIn, readFilm, trackerProject } from '../../src/index.ts';

/** Film of 20 frames of a square of 8 px that moves by 3 px a frame to the right and 2 down, from 20, 14; as pictures. */
async function film() {
  const frames = createFrames({ width: 120, height: 90, channels: 3, frameRate: 30 }, 20);
  for (let k = 0; k < 20; k++)
    frameAt(frames, k).forEach((_, i, frame) => {
      const [x, y] = [Math.floor(i / 3) % 120, Math.floor(i / 360)];
      const isIn = x >= 16 + 3 * k && x < 24 + 3 * k && y >= 10 + 2 * k && y < 18 + 2 * k;
      frame[i] = isIn ? [0.9, 0.2, 0.1][i % 3] : 0.4 + 0.001 * ((x * 7 + y * 13) % 11);
    });
  const { encodeFrames } = await import('@gradsim/video');
  const file = new File([new Uint8Array(await encodeFrames(frames, 'gif'))], 'square.gif');
  return readFilm(file, { frameRate: 30, clock: 'wrong' });
}

it('follows the largest thing by itself, in pixels of the file, with the noise that it shows', async () => {
  const { points, track } = pointsIn(await film());
  expect(track!.name).toBe('1');
  expect(points.length).toBeGreaterThan(17);
  for (const { frame, time, x, y } of points) {
    expect(x).toBeCloseTo(20 + 3 * frame, 0);
    expect(y).toBeCloseTo(14 + 2 * frame, 0);
    expect(time).toBeCloseTo(frame / 30, 6);
  }
  expect(points[0].error).toBeLessThan(0.3);
  const { pixels, error } = outlineDiameter(await film(), track!)!;
  expect(Math.abs(pixels - 2 * Math.sqrt(64 / Math.PI))).toBeLessThan(2 * error);
});

it('takes marks for the places of their frames, and says how far they are off', async () => {
  const [marks] = readTracks('frame,x,y\n4,33.5,22\n5,36.5,24\n6,39.5,26\n', { frameRate: 30 });
  const { points, marksOff } = pointsIn(await film(), { marks, markError: 1.5 });
  const mark = points.find(({ frame }) => frame === 5)!;
  expect(mark).toMatchObject({ x: 36.5, y: 24, error: 1.5, isMark: true });
  expect(points.filter(({ isMark }) => isMark)).toHaveLength(3);
  expect(marksOff![0]).toBeCloseTo(1.5, 0);
  expect(marksOff![1]).toBeCloseTo(0, 0);
  const alone = pointsIn(await film(), { marks, marksAlone: true });
  expect(alone.points.map(({ frame }) => frame)).toEqual([4, 5, 6]);
});

it('refuses a track that is not there, and marks outside of the film', async () => {
  const whole = await film();
  expect(() => pointsIn(whole, { track: '9' })).toThrowCode('film/no-such-track');
  const [marks] = readTracks('frame,x,y\n40,3,3\n', { frameRate: 30 });
  expect(() => pointsIn(whole, { marks })).toThrowCode('film/no-such-frame');
});

it('trackerProject writes scale, axes and points as Tracker reads them', async () => {
  const { points } = pointsIn(await film());
  const text = trackerProject({
    film: 'films/a & b.mp4',
    info: { width: 120, height: 90, frameCount: 20 },
    frameRate: 30,
    points,
    name: 'square',
    pixelsPerMetre: 250,
    origin: [10, 80],
    angle: -3,
    stick: { ends: [10, 80, 60, 80], length: 0.2 },
  });
  const all: XmlElement[] = [];
  const visit = (element: XmlElement): void => {
    all.push(element);
    for (const child of element.children) visit(child);
  };
  visit(parseXml(text));
  const named = (name: string): string[] =>
    all.filter(({ attributes }) => attributes.get('name') === name).map((element) => element.text);
  expect(named('path')).toEqual(['films/a & b.mp4']);
  expect(named('delta_t').map(Number)[0]).toBeCloseTo(1000 / 30, 9);
  expect(named('xscale')).toEqual(['250']);
  expect(named('angle')).toEqual(['-3']);
  expect(named('x')).toEqual(points.map(({ x }) => String(x)));
  const frames = all.filter(({ attributes }) => /PointMass\$FrameData$/.test(attributes.get('class') ?? ''));
  expect(frames).toHaveLength(points.length);
});
