import type { Up } from '../floor.ts';

/** Options of {@link readCamera}: data that a camera file lacks, and which of its pictures is meant. */
export interface ReadCameraOptions {
  /** Name of the file, for messages. Default `The camera file`. */
  readonly name?: string;
  /** Size of the camera's pictures, px, if the file does not have it, as OpenCV's often do not. */
  readonly width?: number;
  readonly height?: number;
  /**
   * Picture whose pose is used, by its name or a part of it, for files of COLMAP and NeRF tools, which contain many.
   */
  readonly picture?: string;
  /** Text of COLMAP's `images.txt`, which has the poses for `cameras.txt`. */
  readonly images?: string;
  /**
   * Upward axis of the file's world, which is converted to y upwards. Default `y`; `z` for `transforms.json`. Gradsim's
   * own files store it.
   */
  readonly up?: Up;
}
