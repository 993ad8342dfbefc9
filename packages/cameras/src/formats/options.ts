import type { Up } from '../floor.ts';

/** What a camera file does not say. */
export interface ReadCameraOptions {
  /** Names the file in messages. Default `The camera file`. */
  readonly name?: string;
  /** Of the camera's pictures, pixels: where the file does not say it, as OpenCV's often do not. */
  readonly width?: number;
  readonly height?: number;
  /** Of COLMAP and NeRF tools, which have many pictures: the picture whose pose is wanted, by its name or a part of it. */
  readonly picture?: string;
  /** COLMAP's `images.txt`, which has the poses beside `cameras.txt`. */
  readonly images?: string;
  /** Which axis of the file's world goes up; ours is y. Default y, and z for `transforms.json`. Gradsim's own files say it. */
  readonly up?: Up;
}
