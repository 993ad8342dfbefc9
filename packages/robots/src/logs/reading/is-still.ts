/** Range of a joint's coordinate below which it counts as still, rad or m: that of one step of an encoder of 12 bits. */
const MAX_STILL_RANGE = 2e-3;

/** True if a joint of these coordinates stands still, so that its friction may be any. */
export function isStill(coordinates: ArrayLike<number>): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let s = 0; s < coordinates.length; s++) {
    least = Math.min(least, coordinates[s]);
    most = Math.max(most, coordinates[s]);
  }
  return most - least < MAX_STILL_RANGE;
}
