import { rotate } from '@gradsim/base';
import type { Camera } from '@gradsim/cameras';
import { createFrames, encodeFrames } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import { measuredCamera, readFilm } from '../src/index.ts';

const film = await readFilm(
  await encodeFrames(createFrames({ width: 64, height: 48, channels: 3, frameRate: 30 }, 2), 'gif'),
  { mask: 'none' },
);
const UNPLACED = { fieldOfView: 60, eye: null, target: null };

describe('measuredCamera', () => {
  it('projects the target to the middle of the picture, and half the field of view above it to the upper edge', async () => {
    const { isPlaced, view } = await measuredCamera(film, { fieldOfView: 60, eye: [1, 2, 3], target: [1, 2, 0] });
    expect(isPlaced).toBe(true);
    const [middle, top] = [view.project([1, 2, 0]), view.project([1, 2 + 3 * Math.tan(Math.PI / 6), 0])];
    [32, 24].forEach((c, k) => expect(middle[k]).toBeCloseTo(c, 5));
    [32, 0].forEach((c, k) => expect(top[k]).toBeCloseTo(c, 5));
  });

  it('returns field of view, eye, target and roll with tolerances, and ties that compute the camera from them', async () => {
    const measured = { fieldOfView: 60, eye: [1, 2, 3], target: [1, 1, 0], lengthTolerance: 0.02 };
    const { values, given, ties } = await measuredCamera(film, measured);
    const away = Math.hypot(1, 3);
    expect(given.map(({ name, value, tolerance }) => [name, value, tolerance])).toEqual([
      ['field of view', 60, 2],
      ...[1, 2, 3].map((value, k) => [`eye ${'xyz'[k]}`, value, 0.02 * away]),
      ...[1, 1, 0].map((value, k) => [`target ${'xyz'[k]}`, value, 0.02 * away]),
      ['roll of the camera', 0, 2],
    ]);
    const at = Object.fromEntries(given.map(({ name, value }) => [name, value]));
    const valuesAt = (of: typeof at) => ties.map((tie) => Array.from(tie.compute(of) as ArrayLike<number>));
    const [focalLength, rotation, translation] = valuesAt(at);
    const expectClose = (found: readonly number[], expected: ArrayLike<number>): void =>
      found.forEach((c, k) => expect(c).toBeCloseTo(expected[k], 12));
    expectClose(focalLength, values.focalLength as number[]);
    expectClose(rotation, values.rotation as number[]);
    expectClose(translation, values.translation as number[]);
    // Of a camera that is rolled clockwise, what was above the middle is to its left.
    const [, turned, moved] = valuesAt({ ...at, 'roll of the camera': 90 });
    const seen = (q: number[], t: number[], point: readonly number[]) => rotate(q, point).map((c, k) => c + t[k]);
    const [upright, rolled] = [seen(rotation, translation, [1, 2, 0]), seen(turned, moved, [1, 2, 0])];
    expectClose(rolled, [-upright[1], upright[0], upright[2]]);
  });

  it('returns nothing to fit for a film read with a calibrated camera', async () => {
    const camera: Camera = {
      width: 64,
      height: 48,
      focalLength: [50, 50],
      principalPoint: [31.5, 23.5],
      distortion: [0, 0, 0, 0, 0],
      pose: { rotation: [1, 0, 0, 0], translation: [0, 0.6, 3] },
    };
    const byFile = await readFilm(
      await encodeFrames(createFrames({ width: 64, height: 48, channels: 3, frameRate: 30 }, 2), 'gif'),
      { mask: 'none', camera },
    );
    const { given, ties } = await measuredCamera(byFile, { fieldOfView: null, eye: null, target: null });
    expect({ given, ties }).toEqual({ given: [], ties: [] });
  });

  it('without eye and target is level at the origin, and looks along -z', async () => {
    const { isPlaced, view } = await measuredCamera(film, UNPLACED);
    expect(isPlaced).toBe(false);
    [0, 0, 0].forEach((c, k) => expect(view.position[k]).toBeCloseTo(c, 12));
    [32, 24].forEach((c, k) => expect(view.project([0, 0, -5])[k]).toBeCloseTo(c, 5));
  });

  it('without any measurement assumes a field of view of 45 degrees, with a tolerance from 34.6 to 63.6', async () => {
    const { given, view } = await measuredCamera(film, { ...UNPLACED, fieldOfView: null });
    const angleOf = (focal: number): number => (2 * Math.atan(0.5 / focal) * 180) / Math.PI;
    const [{ name, value, tolerance }] = given;
    expect([given.length, name]).toEqual([1, 'focal length']);
    [0, 1, -1].forEach((off, k) => expect(angleOf(value + off * tolerance)).toBeCloseTo([45, 34.6, 63.6][k], 1));
    expect(view.project([0, 5 * Math.tan(Math.PI / 8), -5])[1]).toBeCloseTo(0, 5);
    expect(() => film.camera).toThrowCode('film/no-camera');
  });

  it('refuses an eye without a target', async () => {
    await expect(measuredCamera(film, { ...UNPLACED, eye: [0, 0, 1] })).rejects.toThrowCode({
      code: 'film/half-pose',
      values: ['eye'],
    });
  });
});

describe('measuredCamera with requested unknowns', () => {
  it('has no unknown tilt if eye and target are given', async () => {
    const placed = await measuredCamera(film, { fieldOfView: 60, eye: [1, 2, 3], target: [1, 2, 0] }, ['tilt']);
    expect(placed.parameters).toEqual([]);
  });

  // From the world's axes to those of a camera with x right, y down and z ahead.
  it('has unknown tilt and roll without eye and target: tilt > 0 looks up, roll keeps the viewing direction', async () => {
    const { parameters, ties } = await measuredCamera(film, UNPLACED, ['tilt', 'roll']);
    const of = ties[ties.length - 1].compute;
    expect(parameters.map(({ name }) => name)).toEqual(['tilt of the camera', 'roll of the camera']);
    const seen = (tilt: number, roll: number, v: readonly number[]): readonly number[] =>
      rotate(of({ 'tilt of the camera': tilt, 'roll of the camera': roll }) as number[], v);
    const expectClose = (found: readonly number[], expected: readonly number[]): void =>
      found.forEach((c, k) => expect(c).toBeCloseTo(expected[k], 14));
    expectClose(seen(0, 0, [0, 0, -1]), [0, 0, 1]);
    expectClose(seen(0, 0, [0, 1, 0]), [0, -1, 0]);
    // What is ahead is below the middle of the picture, by a tilt upwards.
    expectClose(seen(0.1, 0, [0, 0, -1]), [0, Math.sin(0.1), Math.cos(0.1)]);
    expectClose(seen(0, 0.2, [0, 0, -1]), [0, 0, 1]);
  });
});
