import { type ImageLayout, toRows } from '@gradsim/render';

/** Red, green, blue and alpha of every pixel, 8 bits each: frames one after another, rows from the top. */
export type Pictures = Uint8Array;

/** Converts rendered pictures to 8 bits, with rows from the top. @param rgba values of `Pixel.rgba`, frame by frame. */
export const picturesOf = (layout: ImageLayout, rgba: Float64Array): Pictures =>
  Uint8Array.from(toRows(layout, rgba, 4), (value) => Math.round(255 * Math.min(1, Math.max(0, value))));
