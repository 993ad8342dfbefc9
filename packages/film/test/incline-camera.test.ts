import type { CameraPose, Point3 } from '@gradsim/cameras';
import { cornersOfBox, pinholeOf, poseLookingAt, projectPoint } from '@gradsim/cameras';
import type { Track } from '@gradsim/video';
import { describe, expect, it } from 'vitest';
import type { Film, InclineMeasured } from '../src/index.ts';
import { inclineCamera, inclineOf } from '../src/index.ts';

const SIZE = { width: 640, height: 480 };
const ANGLE = 20;
const CAMERA = {
  ...SIZE,
  focalLength: [700, 700] as const,
  principalPoint: [319.5, 239.5] as const,
  distortion: [0, 0, 0, 0, 0] as const,
  pose: poseLookingAt([0.3, 0.8, 2], [0.05, 0.1, 0]),
};
const film = { size: SIZE, hasCamera: false, pixel: (at: readonly number[]) => at } as unknown as Film;

/** Film of a box that slides to the right or to the left, with corners of a box that is turned by 0.2 rad. */
function drawn(side: 1 | -1, box: readonly [number, number, number], height: number) {
  const [sine, cosine] = [Math.sin((ANGLE * Math.PI) / 180), Math.cos((ANGLE * Math.PI) / 180)];
  const [c, s] = [Math.cos(0.2), Math.sin(0.2)];
  /** World point of coordinates along the incline to the right, away from it, and across. */
  const place = ([u, v, w]: readonly number[]) =>
    [u * cosine + side * v * sine, -side * u * sine + v * cosine, w] as const;
  const corners = cornersOfBox(box).flatMap(([x, y, z], k) => {
    const [px, py] = projectPoint(CAMERA, place([c * x + s * z, y, c * z - s * x]));
    return box[1] === 0 && k & 2 ? [] : [k, px + 0.5, py + 0.5];
  });
  const points = Array.from({ length: 9 }, (_, frame) => {
    const [x, y] = projectPoint(CAMERA, place([side * (0.1 * frame - 0.4), height / 2, 0.05]));
    return { frame, time: frame / 30, x: x + 0.5, y: y + 0.5 };
  });
  return { corners, track: { name: '1', points } as unknown as Track };
}

describe.each([1, -1] as const)('the camera over an incline that goes down to side %i', (side) => {
  it.each([
    ['the box that slides', null, [0.2, 0.1, 0.15]],
    ['a sheet of paper', [0.3, 0, 0.21], [0.2, 0.1, 0.15]],
  ] as const)('follows from corners of %s', async (_, reference, size) => {
    const { corners, track } = drawn(side, reference ?? size, size[1]);
    const measured: InclineMeasured = {
      corners,
      reference,
      size,
      angle: ANGLE,
      point: [0, 0, 0],
      eye: null,
      target: null,
      fieldOfView: (360 / Math.PI) * Math.atan(SIZE.height / 2 / CAMERA.focalLength[0]),
    };
    const { values, turn, given, ties, view } = await inclineCamera(film, track, measured);
    expect(turn).toBeCloseTo(reference ? 0 : 0.2, 3);
    const truth = pinholeOf(CAMERA);
    const atMeasured = Object.fromEntries([
      ...given.map(({ name, value }) => [name, value]),
      ...[0, 1, 2].map((k) => [['length', 'height', 'width'][k], size[k]]),
      ['angle', ANGLE],
    ]);
    for (const [k, name] of (['focalLength', 'rotation', 'translation'] as const).entries()) {
      const [found, tied] = [values[name] as number[], ties[k].compute(atMeasured) as number[]];
      truth[name].forEach((v, i) => {
        expect(Math.abs(found[i] - v)).toBeLessThan(1e-4 * Math.hypot(...truth[name]));
        expect(tied[i]).toBeCloseTo(found[i], 6);
      });
    }
    // With an incline of another angle, the picture stays the same: the camera turns with the incline.
    const turned = {
      ...CAMERA,
      pose: poseOf(ties.map(({ compute }) => compute({ ...atMeasured, angle: ANGLE + 5 }) as number[])),
    };
    const on = (degrees: number) =>
      inclineOf(track, view, { angle: degrees, point: [0, 0, 0] }).placeAt(0.2, 0.1, 0) as unknown as Point3;
    const [there, here] = [projectPoint(turned, on(ANGLE + 5)), projectPoint({ ...CAMERA }, on(ANGLE))];
    there.forEach((c, k) => {
      expect(Math.abs(c - here[k])).toBeLessThan(0.1);
    });
  });
});

const poseOf = ([, rotation, translation]: readonly number[][]) => ({ rotation, translation }) as unknown as CameraPose;

it('refuses corners beside an eye, and corners that lie upon each other', async () => {
  const { corners, track } = drawn(1, [0.2, 0.1, 0.15], 0.1);
  const measured = { corners, reference: null, size: [0.2, 0.1, 0.15], angle: ANGLE, point: [0, 0, 0] } as const;
  await expect(
    inclineCamera(film, track, { ...measured, fieldOfView: null, eye: [0, 1, 2], target: [0, 0, 0] }),
  ).rejects.toThrowCode({ code: 'film/two-poses' });
  const upon = [0, 1, 2, 3].flatMap((corner) => [corner, 100 + corner, 100]);
  await expect(
    inclineCamera(film, track, { ...measured, corners: upon, fieldOfView: null, eye: null, target: null }),
  ).rejects.toThrowCode({ code: 'film/marks-wrong', field: 'corners' });
});
