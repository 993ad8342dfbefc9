import type { Vector } from './vectors.ts';
import { add, along, cross, dot, subtract, unit } from './vectors.ts';

/** A pinhole camera without distortion, upright. */
export interface Camera {
  /** Position of the camera, m. */
  readonly eye: Vector;
  /** Point that appears at the centre of the picture, m. */
  readonly target: Vector;
  /** Vertical field of view, rad. */
  readonly fieldOfView: number;
  /** Width and height of the picture, px. */
  readonly width: number;
  readonly height: number;
}

/** Unit vectors of a camera, and its focal length, px. */
export function axesOf({ eye, target, fieldOfView, height }: Camera) {
  const forward = unit(subtract(target, eye));
  const right = unit(cross(forward, [0, 1, 0]));
  return { forward, right, up: cross(right, forward), focal: height / 2 / Math.tan(fieldOfView / 2) };
}

/** Projects a point: column and row in px from the left and top edges, and depth along the line of sight, m. */
export function project(camera: Camera, point: Vector): Vector {
  const { width, height, eye } = camera;
  const { forward, right, up, focal } = axesOf(camera);
  const from = subtract(point, eye);
  const depth = dot(from, forward);
  return [width / 2 + (focal * dot(from, right)) / depth, height / 2 - (focal * dot(from, up)) / depth, depth];
}

/** Position of a camera relative to the filmed object. */
export interface Standpoint {
  /**
   * Direction from the object to the camera, rad: angle above the horizontal, and angle about the vertical, from the z
   * axis.
   */
  readonly elevation: number;
  readonly azimuth: number;
  readonly fieldOfView: number;
  /**
   * Offset of the camera's target from the centre of the outline, in fractions of the camera's distance, along the
   * world axes.
   */
  readonly aside: Vector;
}

/** Margin along each edge of the picture that stays empty, as a fraction of the picture's size. */
const MARGIN = 0.08;

/** Places the camera as close as possible with all points inside the margin. */
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
    if (points.every((point) => isInPicture(camera, point))) return camera;
  }
}

function isInPicture(camera: Camera, point: Vector): boolean {
  const [x, y, depth] = project(camera, point);
  const [across, down] = [x / camera.width, y / camera.height];
  return depth > 0 && [across, down].every((part) => part > MARGIN && part < 1 - MARGIN);
}
