import { boxOutline, givenAngle, givenSize, inclineOf, measuredCamera } from '@gradsim/film';
import type { ParameterSpec } from '@gradsim/optim';
import { expect, it } from 'vitest';
import { once } from '../../../scripts/vitest/once.ts';
import { slideNear } from '../src/slide/near.ts';
import { hiddenFoot } from '../src/slide/slid.ts';

const GRAVITY = 9.81;
const SIZE = [0.12, 0.06, 0.1] as const;
const POINT = [0, 0.1, 0];
const TIMES = Array.from({ length: 30 }, (_, k) => k / 30);
const film = { size: { width: 480, height: 360 }, hasCamera: false } as Parameters<typeof measuredCamera>[0];
const placedAt = (eye: readonly number[]) =>
  measuredCamera(film, { fieldOfView: 40, eye, target: [0, 0.2, 0] } as Parameters<typeof measuredCamera>[1]);
const above = once(() => placedAt([0.1, 0.7, 1.6]));
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

/** Slide that is driven by friction and pushed to a speed, m/s, seen by a camera, and the slide near its outlines. */
function nearSlide(
  camera: Awaited<ReturnType<typeof placedAt>>,
  { friction, speed, angle, turn }: Readonly<Record<'friction' | 'speed' | 'angle' | 'turn', number>>,
  initial: Readonly<Record<'friction' | 'speed' | 'downhill' | 'across', number>>,
) {
  const inclineAt = (degrees: number) => inclineOf(track, camera.view, { angle: degrees, point: POINT });
  const incline = inclineAt(angle);
  const truth = slid(friction, speed, angle).map((far) => incline.placeAt(-0.3 + far, 0.02, SIZE[1] / 2));
  const outlines = truth.map((position) =>
    boxOutline(SIZE, { position, orientation: incline.orientationAt(turn) }, camera.view.project),
  );
  const exact = { lengthTolerance: 0, angleTolerance: 0 };
  const parameters: ParameterSpec[] = [
    { name: 'friction', initial: initial.friction },
    { name: 'speed', initial: initial.speed, scale: 0.1 },
    { name: 'downhill', initial: initial.downhill, scale: 0.05 },
    { name: 'across', initial: initial.across, scale: 0.05 },
    { name: 'turn of the box', initial: 0, scale: 0.1, prior: { mean: 0, standardDeviation: 0.3 } },
  ];
  const given = [givenAngle('angle', angle, exact), ...givenSize(SIZE, exact), ...camera.given];
  const near = slideNear({ times: TIMES }, outlines, { camera, inclineAt, gravity: GRAVITY, parameters, given });
  return { truth, near };
}

it.each([
  ['slides all through the film', 0.2, 0.4, 18],
  ['comes to rest', 0.5, 0.7, 12],
  ['is pushed uphill and slides back', 0.1, -0.4, 20],
  ['is pushed uphill and stays there', 0.6, -0.8, 15],
  ['slides without friction', 0, 0, 10],
])('slideNear finds friction, speed and motion of a box that %s', async (_, friction, speed, angle) => {
  const { truth, near } = nearSlide(
    await above(),
    { friction, speed, angle, turn: 0.1 },
    { friction: friction + 0.05, speed: 1.1 * speed, downhill: -0.28, across: 0.04 },
  );
  expect(near.v.friction).toBeCloseTo(friction, 2);
  expect(near.v.speed).toBeCloseTo(speed, 1.5);
  near.states.forEach(({ position }, frame) => {
    for (const [k, c] of position.entries()) expect(Math.abs(c - truth[frame][k])).toBeLessThan(2e-3);
  });
});

it('slideNear finds the turn of a box by a camera that hardly sees the incline from above, whose track leaves the place across open', async () => {
  const seen = { friction: 0.2, speed: 0.4, angle: 18, turn: 0.3 };
  const start = { friction: 0.1, speed: 0.1, downhill: -0.4, across: 0.9 };
  const { near } = nearSlide(await placedAt([-0.6, 0.35, 1.5]), seen, start);
  expect(Math.abs(near.v['turn of the box'] - 0.3)).toBeLessThan(0.15);
  expect(near.v.across).toBeCloseTo(0.02, 1);
});

it('a camera clearly below the plane of the incline is questioned', async () => {
  const camera = await above();
  const incline = inclineOf(track, camera.view, { angle: 30, point: POINT });
  expect(hiddenFoot([0.1, 0.7, 1.6], incline)).toBeUndefined();
  expect(hiddenFoot([-0.8, 0.54, 1.4], incline)).toBeUndefined();
  expect(hiddenFoot([-0.8, 0.3, 1.4], incline)).toContain('0.23 m below the plane');
});
