import { projectPoint } from '@gradsim/cameras';
import type { Track } from '@gradsim/video';
import { expect, it } from 'vitest';
import type { Film } from '../src/index.ts';
import { measuredCamera, measuredScale, planeScale } from '../src/index.ts';

const SIZE = { width: 640, height: 480 };
const film = { size: SIZE, hasCamera: false } as unknown as Film;
const UNPLACED = { fieldOfView: 40, eye: null, target: null };

it('measuredScale places a pivot in a turned plane before a tilted and rolled camera, and finds the radius of a ball', async () => {
  const camera = await measuredCamera(film, UNPLACED, ['tilt', 'roll']);
  const values = { 'field of view': 43, 'tilt of the camera': -0.12, 'roll of the camera': 0.05 };
  const tied = camera.ties.map(({ compute }) => compute(values) as number[]);
  const [focalLength, rotation] = tied as unknown as [[number, number], [number, number, number, number]];
  const lens = { ...SIZE, principalPoint: [319.5, 239.5], distortion: [0, 0, 0, 0, 0] } as const;
  const pose = { rotation, translation: [0, 0, 0] } as const;
  // In the plane of normal (sin turn, 0, cos turn) at distance 3 from the origin.
  const [turn, away] = [0.3, 3];
  const inPlane = (across: number, up: number) =>
    [across * Math.cos(turn) - away * Math.sin(turn), up, -across * Math.sin(turn) - away * Math.cos(turn)] as const;
  const points = [inPlane(0.5, -0.4), inPlane(1.1, 0.4)];
  const ends = points.flatMap((p) => projectPoint({ ...lens, focalLength, pose }, p).map((c) => c + 0.5));
  const scale = measuredScale(SIZE, camera, { radius: null, length: 0.6, ends, span: 1 });
  const { given, parameters } = scale.lengths({ radius: 0.05, length: 0.6 });
  expect(parameters).toMatchObject([{ name: 'radius', initial: 0.05 }]);
  expect(given.map(({ name }) => name)).toContain('length');
  const [{ compute }] = scale.swingTies('links.anchor', { turn: 'turn', x: 'x' });
  const measured = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const pivot = inPlane(0.2, 0.7);
  expect(compute({ ...measured, ...values, turn, x: pivot[0] })).toBeCloseTo(pivot[2], 6);
  const plane = planeScale(SIZE, { ends: [280, 240, 360, 240], span: 0.2, fieldOfView: 40 });
  expect(plane.distance).toBeCloseTo((240 / Math.tan(Math.PI / 9) / 80) * 0.2, 6);
  // As far as the camera is level and the plane across its axis, a ball of as many pixels as the mark has its diameter.
  const { radius: radiusOf } = measuredScale(SIZE, camera, { radius: null, ends: [280, 240, 360, 240], span: 0.2 });
  const seen = Array.from({ length: 9 }, (_, frame) => ({
    frame,
    time: frame / 30,
    x: 0,
    y: 0,
    area: Math.PI * 40 ** 2,
  }));
  expect((radiusOf as (track: Track) => number)({ name: '1', points: seen })).toBeCloseTo(0.1, 6);
});

it('marked lengths that say nothing are refused', async () => {
  const of = (ends: readonly number[], span: number | null) => () => planeScale(SIZE, { ends, span, fieldOfView: 40 });
  expect(of([1, 2, 3], 1)).toThrowCode({ code: 'film/marks-wrong', field: 'ends' });
  expect(of([1, 2, 3, 2], 1)).toThrowCode({ code: 'film/marks-wrong', field: 'ends' });
  expect(of([1, 2, 300, 2], null)).toThrowCode({ code: 'film/option-out-of-range', field: 'span' });
  const placed = await measuredCamera(film, { fieldOfView: 40, eye: [0, 1, 3], target: [0, 1, 0] });
  expect(() => measuredScale(SIZE, placed, { radius: null, ends: null, span: null })).toThrowCode({
    code: 'film/option-out-of-range',
    field: 'radius',
  });
  expect(() => measuredScale(SIZE, placed, { radius: 0.1, ends: [1, 2, 300, 2], span: 1 })).toThrowCode(
    'film/two-poses',
  );
});
