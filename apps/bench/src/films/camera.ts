import { cross, normalize, subtract } from '@gradsim/numeric';

/** Pinhole camera as a film's record describes it: lengths in m, angles in rad, picture size in px. */
export interface Pinhole {
  readonly eye: readonly number[];
  readonly target: readonly number[];
  /** Direction that is up in the picture. Default: the y axis. */
  readonly up?: readonly number[];
  readonly fieldOfView: number;
  readonly width: number;
  readonly height: number;
}

/** Unit vectors to the right, upwards and along the line of sight, in world axes. */
export interface CameraAxes {
  readonly right: readonly number[];
  readonly up: readonly number[];
  readonly forward: readonly number[];
}

export function axesOf({ eye, target, up: over = [0, 1, 0] }: Pinhole): CameraAxes {
  const forward = normalize(subtract(target, eye));
  const right = normalize(cross(forward, over));
  return { right, up: cross(right, forward), forward };
}

/** Returns the camera in another coordinate system, given by its axes (unit vectors) and its origin. */
export function seenFrom(pinhole: Pinhole, axes: readonly (readonly number[])[], origin: readonly number[]): Pinhole {
  const turned = (v: readonly number[]): number[] => axes.map((axis) => axis.reduce((sum, c, k) => sum + c * v[k], 0));
  const moved = (v: readonly number[]): number[] => turned(v.map((c, k) => c - origin[k]));
  return {
    ...pinhole,
    eye: moved(pinhole.eye),
    target: moved(pinhole.target),
    up: turned(pinhole.up ?? [0, 1, 0]),
  };
}

/** Focal length in px: distance in the picture per unit of the tangent of the viewing angle. */
export const focalLength = ({ fieldOfView, height }: Pinhole): number => height / 2 / Math.tan(fieldOfView / 2);

/** Converts a pinhole to the camera parameters of the renderers. */
export const lookOf = ({ eye, target, up = [0, 1, 0], fieldOfView }: Pinhole) => ({
  eye,
  target,
  up,
  fieldOfView,
});

/** Returns the point seen at pixel (x, y) at a depth along the line of sight, m. */
export function pointAt(pinhole: Pinhole, x: number, y: number, depth: number): number[] {
  const { right, up, forward } = axesOf(pinhole);
  const focal = focalLength(pinhole);
  const [across, over] = [(x - pinhole.width / 2) / focal, (pinhole.height / 2 - y) / focal];
  return pinhole.eye.map((e, k) => e + depth * (forward[k] + across * right[k] + over * up[k]));
}

/** Returns the point seen at pixel (x, y) that lies in the horizontal plane at a height, m. */
export function pointAtHeight(pinhole: Pinhole, x: number, y: number, height: number): number[] {
  const [near, far] = [pointAt(pinhole, x, y, 1), pointAt(pinhole, x, y, 2)];
  const share = (height - near[1]) / (far[1] - near[1]);
  return near.map((c, k) => c + share * (far[k] - c));
}
