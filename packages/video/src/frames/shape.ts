/** Number of channels: 1 for grey or a mask, 3 for red, green, blue, 4 with alpha. */
export type Channels = 1 | 3 | 4;

/**
 * A film in memory. Value of channel c at pixel (x, y) of frame f: `data[((f * height + y) * width + x) * channels +
 * c]`, in [0, 1]; pixel (0, 0) is top left.
 */
export interface Frames {
  /** Width of the picture in pixels. */
  width: number;
  /** Height of the picture in pixels. */
  height: number;
  channels: Channels;
  /**
   * Frames per second of real time, not of slowed-down playback; of frames at uneven times, by the interval that is usual
   * between two.
   */
  frameRate: number;
  /** Times of the frames, s, ascending from 0, if they are not even. */
  times?: readonly number[];
  /** Values in [0, 1] as a flat array, frame by frame, row by row from the top, pixel by pixel, channel by channel. */
  data: Float32Array;
}
