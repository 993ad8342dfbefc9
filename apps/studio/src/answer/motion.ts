import type { Estimate } from '@gradsim/optim';
import type { Value } from '../../../../packages/gradsim/src/new/measured.ts';
import type { KindName } from '../kinds.ts';
import { MOVING_FIELD, OUTLINE } from '../kinds.ts';
import type { Observed } from '../work/problem-messages.ts';

type Point = readonly [number, number, number];

/** Motion of the thing by time: that of the fitted model, and where the film shows it. */
export interface Motion {
  readonly seconds: readonly number[];
  /** Position of the model, m: to the right, and upwards. */
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Position seen in the film at the model's distance from the camera, m; null where the thing is not wholly seen. */
  readonly seenX: readonly (number | null)[];
  readonly seenY: readonly (number | null)[];
  /** Speed of the model between neighbouring frames, m/s. */
  readonly speed: readonly (number | null)[];
  readonly seenSpeed: readonly (number | null)[];
}

/** Size of the file's pictures, px. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * Motion from an estimate. What the film shows is the model's position, plus the distance of the seen outline from the
 * model's one, taken from pixels to metres at the model's distance from the camera.
 */
export function motionOf(
  estimate: Estimate,
  observed: Observed,
  { kind, measured, size }: { kind: KindName; measured: Readonly<Record<string, Value>>; size: Size },
): Motion {
  const frames = observed.isSeen.length;
  const all = estimate.predicted[String(MOVING_FIELD[kind])];
  const own = all.length / frames;
  const outlines = estimate.predicted[OUTLINE];
  const fieldOfView = estimate.given['field of view']?.estimate ?? measured.fieldOfView ?? null;
  const focal =
    typeof fieldOfView === 'number'
      ? size.height / 2 / Math.tan((fieldOfView * Math.PI) / 360)
      : size.height * (estimate.given['focal length']?.estimate ?? 1.2);
  const camera = cameraOf(measured);
  const points = Array.from({ length: frames }, (_, frame) => {
    const at = frame * own + own - 3;
    const position: Point = [all[at], all[at + 1], all[at + 2]];
    const perPixel = dot(minus(position, camera.eye), camera.ahead) / focal;
    const off = [0, 1].map((k) => (observed.outlines[3 * frame + k] - outlines[3 * frame + k]) * perPixel);
    const seen = position.map((c, k) => c + camera.right[k] * off[0] - camera.up[k] * off[1]);
    return { position, seen: observed.isSeen[frame] ? seen : null };
  });
  const speedOf = (of: (k: number) => readonly number[] | null) =>
    points.map((_, k) => {
      const [before, after] = [k === 0 ? null : of(k - 1), k === frames - 1 ? null : of(k + 1)];
      if (!before || !after) return null;
      return (Math.hypot(after[0] - before[0], after[1] - before[1]) * observed.frameRate) / 2;
    });
  return {
    seconds: points.map((_, frame) => frame / observed.frameRate),
    x: points.map(({ position }) => position[0]),
    y: points.map(({ position }) => position[1]),
    seenX: points.map(({ seen }) => seen?.[0] ?? null),
    seenY: points.map(({ seen }) => seen?.[1] ?? null),
    speed: speedOf((k) => points[k].position),
    seenSpeed: speedOf((k) => points[k].seen),
  };
}

/** Position and axes of the camera as measured; one that was not placed is at the origin and looks along -z. */
function cameraOf({ eye, target }: Readonly<Record<string, Value>>) {
  const at = (value: Value, other: Point): Point => (Array.isArray(value) ? (value as unknown as Point) : other);
  const from = at(eye, [0, 0, 0]);
  const ahead = unit(minus(at(target, [0, 0, -1]), from));
  const right = unit(cross(ahead, [0, 1, 0]));
  return { eye: from, ahead, right, up: cross(right, ahead) };
}

const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit(a: Point): Point {
  const length = Math.hypot(...a);
  return [a[0] / length, a[1] / length, a[2] / length];
}
