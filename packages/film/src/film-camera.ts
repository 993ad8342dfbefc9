import { dot, subtract } from '@gradsim/base';
import { type Distortion, distort, undistort } from '@gradsim/cameras/internal';
import type { Size } from '@gradsim/video';

/** A camera in plain numbers: projects points of the world into its picture, and pixels back to lines of sight. */
export interface FilmCamera extends Size {
  /** Numbers from which it is made, and one with another lens or pose. */
  readonly numbers: CameraNumbers;
  /** Position in the world, m. */
  readonly position: readonly number[];
  /** Coordinates of a world point in the camera's axes, m: to the right, upwards, and forward. */
  axes(point: readonly number[]): [number, number, number];
  /**
   * Pixels from the left and the upper edge of the picture for a point at these camera coordinates divided by its
   * depth.
   */
  pixel(across: number, up: number): [number, number];
  /** Inverse of {@link pixel}: camera coordinates divided by depth, for a pixel position. */
  ray(x: number, y: number): [across: number, up: number];
  /** Pixels from the left and the upper edge of the picture for a point of the world, m. */
  project(point: readonly number[]): [number, number];
}

/** Numbers of a camera, from which it is made. */
export interface CameraNumbers extends Size {
  /** Position in the world, m. */
  readonly position: readonly number[];
  /** Unit vectors of the camera's axes in the world: to the right, upwards, and forward. */
  readonly axes: readonly (readonly number[])[];
  /** Focal lengths, and the principal point's offset, across and upwards, in half widths and heights of the picture. */
  readonly lens: readonly number[];
  /** Tangential terms assume a y that points down. */
  readonly distortion: Distortion;
}

/** Camera of these numbers. */
export function cameraOf(numbers: CameraNumbers): FilmCamera {
  const { width, height, position, axes, lens, distortion } = numbers;
  const [right, up, ahead] = axes;
  const inAxes = (point: readonly number[]): [number, number, number] => {
    const away = subtract(point, position);
    return [dot(right, away), dot(up, away), dot(ahead, away)];
  };
  const pixel = (across: number, up: number): [number, number] => {
    const [u, v] = distort(distortion, [across, -up]);
    const [x, y] = [lens[0] * u + lens[2], -lens[1] * v + lens[3]];
    return [((x + 1) / 2) * width, ((1 - y) / 2) * height];
  };
  const ray = (x: number, y: number): [number, number] => {
    const [u, v] = [((2 * x) / width - 1 - lens[2]) / lens[0], (1 - (2 * y) / height - lens[3]) / lens[1]];
    const [across, down] = undistort(distortion, [u, -v]);
    return [across, -down];
  };
  return {
    numbers,
    width,
    height,
    position,
    axes: inAxes,
    pixel,
    ray,
    project: (point) => {
      const [across, upwards, depth] = inAxes(point);
      return pixel(across / depth, upwards / depth);
    },
  };
}
