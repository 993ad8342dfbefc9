import { conjugate, dot, median, rotate, subtract } from '@gradsim/base';
import type { Estimate } from '@gradsim/optim';
import type { SeenPositions } from '../../track/course.ts';
import type { MotionCurve } from '../record/motion.ts';
import { type FilmingCamera, type ObservedMotion, OUTLINE } from './observed.ts';

/**
 * Change of velocity between neighbouring frames, in medians of all, above which something hit the thing between them, and
 * that above which a frame beside such a one has a part of the impact.
 */
const [IMPACT, BESIDE] = [3, 1.3];

type Point = readonly [number, number, number];

/** Motion of the thing by time: that of the fitted model, and where the film shows it. */
export interface Motion extends SeenPositions {
  /** Speed of the model between neighbouring frames, m/s. */
  readonly speed: readonly (number | null)[];
  readonly seenSpeed: readonly (number | null)[];
  /**
   * Energy of motion and of height together, per kg, J/kg; height counts from the lowest point of the model. Of motion alone
   * where the model has no gravity, as of what is seen from above.
   */
  readonly energy: readonly (number | null)[];
  readonly seenEnergy: readonly (number | null)[];
}

/** Curves of the motion over time. */
export function curvesOf({ seconds, x, y, speed, energy, gravity, ...seen }: Motion): MotionCurve[] {
  const points = (values: readonly (number | null)[]) =>
    seconds.map((time, k) => ({ x: time, y: values[k] ?? Number.NaN }));
  const curve = (title: string, fitted: readonly (number | null)[], of: readonly (number | null)[]): MotionCurve => ({
    title,
    over: 'seconds',
    fitted: points(fitted),
    seen: points(of),
  });
  return [
    curve('To the right, m', x, seen.seenX),
    curve('Upwards, m', y, seen.seenY),
    curve('Speed, m/s', speed, seen.seenSpeed),
    { ...curve(`Energy of motion${gravity === 0 ? '' : ' and height'}, J per kg`, energy, seen.seenEnergy), from: 0 },
  ];
}

/**
 * Motion from an estimate. What the film shows is the model's position, plus the distance of the seen outline from the
 * model's one, taken from pixels to metres at the model's distance from the camera.
 */
export function motionOf(
  { given, parameters, predicted }: Pick<Estimate, 'given' | 'parameters' | 'predicted'>,
  observed: ObservedMotion,
  moving: string,
): Motion {
  const frames = observed.isSeen.length;
  const { times } = observed;
  const all = predicted[moving];
  const own = all.length / frames;
  const outlines = predicted[OUTLINE];
  const fieldOfView = given['field of view'];
  const long = given['focal length'];
  const tangent = (degrees: number): number => Math.tan((degrees * Math.PI) / 360);
  const focal =
    observed.camera.focalLength *
    (fieldOfView ? tangent(fieldOfView.value) / tangent(fieldOfView.estimate) : 1) *
    (long ? long.estimate / long.value : 1) *
    Math.exp(given['focal length by the corners']?.estimate ?? 0);
  const camera = cameraOf(observed.camera);
  const points = Array.from({ length: frames }, (_, frame) => {
    const at = frame * own + own - 3;
    const position: Point = [all[at], all[at + 1], all[at + 2]];
    const perPixel = dot(subtract(position, camera.eye), camera.ahead) / focal;
    const off = [0, 1].map((k) => (observed.outlines[3 * frame + k] - outlines[3 * frame + k]) * perPixel);
    const seen = position.map((c, k) => c + camera.right[k] * off[0] - camera.up[k] * off[1]);
    return { position, seen: observed.isSeen[frame] ? seen : null, error: observed.errors[frame] * perPixel };
  });
  // A difference over an impact is the speed of neither side.
  const turns = points.map((_, k) => {
    const [a, b, c] = [k - 1, k, k + 1].map((each) => points[each]?.position);
    return a && c ? Math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]) : 0;
  });
  const usual = median(turns);
  const isImpact = (k: number): boolean =>
    turns[k] > IMPACT * usual ||
    (turns[k] > BESIDE * usual && Math.max(turns[k - 1] ?? 0, turns[k + 1] ?? 0) > IMPACT * usual);
  const speedOf = (of: (k: number) => readonly number[] | null) =>
    points.map((_, k) => {
      if (isImpact(k)) return null;
      const [before, after] = [k === 0 ? null : of(k - 1), k === frames - 1 ? null : of(k + 1)];
      if (!before || !after) return null;
      return Math.hypot(after[0] - before[0], after[1] - before[1]) / (times[k + 1] - times[k - 1]);
    });
  const speed = speedOf((k) => points[k].position);
  const seenSpeed = speedOf((k) => points[k].seen);
  const gravity = parameters.gravity?.estimate ?? observed.gravity ?? 0;
  const lowest = Math.min(...points.map(({ position }) => position[1]));
  const energyOf = (speeds: readonly (number | null)[], of: (k: number) => readonly number[] | null) =>
    speeds.map((v, k) => {
      const at = of(k);
      return v === null || !at ? null : v ** 2 / 2 + gravity * (at[1] - lowest);
    });
  return {
    seconds: points.map((_, frame) => times[frame]),
    x: points.map(({ position }) => position[0]),
    y: points.map(({ position }) => position[1]),
    seenX: points.map(({ seen }) => seen?.[0] ?? null),
    seenY: points.map(({ seen }) => seen?.[1] ?? null),
    seenError: points.map(({ error }) => error),
    speed,
    seenSpeed,
    energy: energyOf(speed, (k) => points[k].position),
    seenEnergy: energyOf(seenSpeed, (k) => points[k].seen),
    gravity,
  };
}

/** Position and axes of a camera in the world. */
function cameraOf({ rotation, translation }: FilmingCamera) {
  const back = conjugate(rotation);
  const axis = (...own: Point): Point => rotate(back, own) as unknown as Point;
  const eye = axis(...(translation.map((c) => -c) as unknown as Point));
  return { eye, right: axis(1, 0, 0), up: axis(0, -1, 0), ahead: axis(0, 0, 1) };
}
