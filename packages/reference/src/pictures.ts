/** [channel][row][column]. */
export type Channels = readonly (readonly (readonly number[])[])[];

/** Rows of pixels, the four channels of each together. */
export function rowsOf(channels: Channels): Float64Array {
  const planes = channels.map((rows) => rows.flat());
  return Float64Array.from({ length: 4 * planes[0].length }, (_, k) => planes[k % 4][Math.floor(k / 4)]);
}
