import type { Frames } from '@gradsim/video';
import { type CropRegion, lightIn } from '../pictures.ts';

/**
 * Linear light of some columns of a film, one frame at a time, whose rows are converted when they are first read: a beam
 * may bend to any place in the picture, but bends over few rows.
 */
export class LightRows {
  /** Number of rows of a picture. */
  readonly height: number;
  readonly #frames: Frames;
  readonly #columns: Pick<CropRegion, 'left' | 'width'>;
  readonly #light: Float32Array;
  #frame = -1;
  /** Rows of the frame that are converted. */
  #from = 0;
  #end = 0;

  constructor(frames: Frames, columns: Pick<CropRegion, 'left' | 'width'>) {
    this.height = frames.height;
    this.#frames = frames;
    this.#columns = columns;
    this.#light = new Float32Array(3 * columns.width * frames.height);
  }

  /**
   * Light of a frame, three channels per pixel, column by column from the top of the picture. Valid in rows from `first`
   * to `end`, exclusive, until another frame is read.
   */
  at(frame: number, first: number, end: number): Float32Array {
    if (frame !== this.#frame) {
      this.#frame = frame;
      this.#from = this.#end = first;
    }
    this.#convert(first, this.#from);
    this.#convert(this.#end, end);
    this.#from = Math.min(this.#from, first);
    this.#end = Math.max(this.#end, end);
    return this.#light;
  }

  #convert(from: number, end: number): void {
    if (end <= from) return;
    const { left, width } = this.#columns;
    const light = lightIn(this.#frames, this.#frame, { left, width, top: from, height: end - from });
    for (let row = from, at = 0; row < end; row++)
      for (let column = 0; column < width; column++)
        for (let to = 3 * (column * this.height + row), c = 0; c < 3; c++) this.#light[to++] = light[at++];
  }
}
