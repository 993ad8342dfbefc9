import { boxOutline, givenAngle, givenSize, inclineOf, measuredCamera } from '@gradsim/film';
import { expect, it } from 'vitest';
import { once } from '../../../scripts/vitest/once.ts';
import { slideNear } from '../src/slide/near.ts';

const GRAVITY = 9.81;
const SIZE = [0.12, 0.06, 0.1] as const;
const TIMES = Array.from({ length: 30 }, (_, k) => k / 30);
const film = { size: { width: 480, height: 360 }, hasCamera: false } as Parameters<typeof measuredCamera>[0];
const PLACED = { fieldOfView: 40, eye: [0.1, 0.7, 1.6], target: [0, 0.2, 0] };
const placed = once(() => measuredCamera(film, PLACED as Parameters<typeof measuredCamera>[1]));
// It descends to the right.
const track = { name: 'box', points: [0, 100].map((x, frame) => ({ x, y: 0, frame, time: frame / 30 })) };

/** Distance downhill by frame, m, by the law of friction in steps of 10 microseconds. */
function slid(friction: number, speed: number, angle: number): number[] {
  const tilt = (angle * Math.PI) / 180;
  const [drive, brake] = [GRAVITY * Math.sin(tilt), friction * GRAVITY * Math.cos(tilt)];
  const step = 1e-5;
  let [far, now, time] = [0, speed, 0];
  return TIMES.map((end) => {
    for (; time < end - step / 2; time += step) {
      const braked = now + drive * step;
      now = Math.sign(braked) * Math.max(0, Math.abs(braked) - brake * step);
      far += now * step;
    }
    return far;
  });
}

it.each([
  ['slides all through the film', 0.2, 0.4, 18],
  ['comes to rest', 0.5, 0.7, 12],
  ['is pushed uphill and slides back', 0.1, -0.4, 20],
  ['is pushed uphill and stays there', 0.6, -0.8, 15],
  ['slides without friction', 0, 0, 10],
])('slideNear finds friction, speed and motion of a box that %s', async (_, friction, speed, angle) => {
  const camera = await placed();
  const inclineAt = (degrees: number) => inclineOf(track, camera.view, { angle: degrees, point: [0, 0.1, 0] });
  const incline = inclineAt(angle);
  const truth = slid(friction, speed, angle).map((far) => incline.placeAt(-0.3 + far, 0.02, SIZE[1] / 2));
  const outlines = truth.map((position) =>
    boxOutline(SIZE, { position, orientation: incline.orientationAt(0.1) }, camera.view.project),
  );
  const exact = { lengthTolerance: 0, angleTolerance: 0 };
  const { v, states } = slideNear({ times: TIMES }, outlines, {
    camera,
    inclineAt,
    gravity: GRAVITY,
    parameters: [
      { name: 'friction', initial: friction + 0.05 },
      { name: 'speed', initial: speed * 1.1, scale: 0.1 },
      { name: 'downhill', initial: -0.28, scale: 0.05 },
      { name: 'across', initial: 0.04, scale: 0.05 },
      { name: 'turn of the box', initial: 0, scale: 0.1, prior: { mean: 0, standardDeviation: 0.3 } },
    ],
    given: [givenAngle('angle', angle, exact), ...givenSize(SIZE, exact), ...camera.given],
  });
  expect(v.friction).toBeCloseTo(friction, 2);
  expect(v.speed).toBeCloseTo(speed, 1.5);
  states.forEach(({ position }, frame) => {
    for (const [k, c] of position.entries()) expect(Math.abs(c - truth[frame][k])).toBeLessThan(2e-3);
  });
});
