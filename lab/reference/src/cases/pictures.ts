/** Values of pictures: [channel][row][column]. */
export type Channels = readonly (readonly (readonly number[])[])[];

/** Returns pixels row by row in one flat array, with the four channels of each pixel together. */
export function rowsOf(channels: Channels): Float64Array {
  const planes = channels.map((rows) => rows.flat());
  return Float64Array.from({ length: 4 * planes[0].length }, (_, k) => planes[k % 4][Math.floor(k / 4)]);
}
