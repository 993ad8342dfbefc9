import { GradsimError } from '@gradsim/base';

/**
 * Allocates the values of a film.
 * @throws GradsimError if they do not fit in memory.
 */
export function allocate(width: number, height: number, channels: number, count: number): Float32Array {
  try {
    return new Float32Array(width * height * channels * count);
  } catch {
    const gigabytes = ((width * height * channels * count * 4) / 1e9).toFixed(1);
    throw new GradsimError(
      'video/out-of-memory',
      `${count} frames of ${width} x ${height} with ${channels} channels need ${gigabytes} GB, which does not fit in memory.`,
      { hint: 'Read fewer frames (first, last, every), a part of the picture (crop) or a smaller one (size).' },
    );
  }
}
