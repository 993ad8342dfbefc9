import type { Vector } from './vectors.ts';
import { add, along, cross, dot, subtract, unit } from './vectors.ts';

/** A pinhole without distortion, upright. */
export interface Camera {
  /** Position of the camera, m. */
  readonly eye: Vector;
  /** Point at the middle of the picture, m. */
  readonly target: Vector;
  /** Vertical angle, rad. */
  readonly fieldOfView: number;
  /** Width of the picture, px. */
  readonly width: number;
  readonly height: number;
}

/** Projection of a point: pixels from the left and from the top edge, and its distance along the line of sight, m. */
export function project({ eye, target, fieldOfView, width, height }: Camera, point: Vector): Vector {
  const forward = unit(subtract(target, eye));
  const right = unit(cross(forward, [0, 1, 0]));
  const up = cross(right, forward);
  const from = subtract(point, eye);
  const depth = dot(from, forward);
  const focal = height / 2 / Math.tan(fieldOfView / 2);
  return [width / 2 + (focal * dot(from, right)) / depth, height / 2 - (focal * dot(from, up)) / depth, depth];
}

/** Position of a camera relative to the filmed object. */
export interface Standpoint {
  /**
   * Direction from the object to the camera: angle above the horizontal, and about the vertical from the z axis, rad.
   */
  readonly elevation: number;
  readonly azimuth: number;
  readonly fieldOfView: number;
  /** Offset from the middle of the object, in fractions of the distance: right, up, towards the camera. */
  readonly aside: Vector;
}

/** Margin along each edge of the picture that stays empty, as a share of its size. */
const MARGIN = 0.08;

/** Places a camera as near as possible with all points inside the margin. */
export function cameraFor(
  points: readonly Vector[],
  { elevation, azimuth, fieldOfView, aside }: Standpoint,
  size: { readonly width: number; readonly height: number },
): Camera {
  const middle = [0, 1, 2].map((c) => {
    const all = points.map((point) => point[c]);
    return (Math.min(...all) + Math.max(...all)) / 2;
  }) as unknown as Vector;
  const level = Math.cos(elevation);
  const towards: Vector = [level * Math.sin(azimuth), Math.sin(elevation), level * Math.cos(azimuth)];
  const reach = Math.max(...points.map((point) => Math.hypot(...subtract(point, middle))));
  for (let distance = 1.05 * reach; ; distance *= 1.01) {
    const target = along(middle, aside, distance);
    const camera = { eye: add(target, along([0, 0, 0], towards, distance)), target, fieldOfView, ...size };
    if (points.every((point) => isWithin(camera, point))) return camera;
  }
}

function isWithin(camera: Camera, point: Vector): boolean {
  const [x, y, depth] = project(camera, point);
  const [across, down] = [x / camera.width, y / camera.height];
  return depth > 0 && [across, down].every((part) => part > MARGIN && part < 1 - MARGIN);
}
