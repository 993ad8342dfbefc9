import { evenIndices } from '@gradsim/base';

/** Values of a frame. */
type Values = Float32Array | Float64Array;

/**
 * Static background: for each value, the upper median over evenly spaced frames.
 * @param frames at least two.
 * @param maxFrames maximum number of frames whose median is taken.
 */
export function stillOf<T extends Values>(frames: readonly T[], maxFrames: number): T {
  const some = evenIndices(frames.length, maxFrames).map((k) => frames[k]);
  const count = some.length;
  const still = frames[0].slice() as T;
  const sorted = new Float64Array(count);
  for (let k = 0; k < still.length; k++) {
    // Sorted by insertion: a call of `sort` for every value takes ten times as long.
    for (let f = 0; f < count; f++) {
      const value = some[f][k];
      let at = f;
      while (at > 0 && sorted[at - 1] > value) {
        sorted[at] = sorted[at - 1];
        at--;
      }
      sorted[at] = value;
    }
    still[k] = sorted[count >> 1];
  }
  return still;
}
