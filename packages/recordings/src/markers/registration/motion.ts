import { add, rotate, type Vector, vectorAt } from '@gradsim/base';
import { measuredMotion } from '../marker.ts';
import { registerPoints } from './registration.ts';

/**
 * Motion of points of a body that move with its markers as a rigid body does.
 *
 * @param points places at rest, m, of those and of the markers.
 * @param measured positions of the markers, m, flat: [frame][marker][component]. A marker that was not seen counts as where it
 * was before.
 * @returns positions, m, [frame][point][component].
 */
export function rigidlyMoved(
  points: readonly Vector[],
  markers: readonly Vector[],
  measured: Float64Array,
): Float64Array {
  const values = 3 * markers.length;
  const seen = Float64Array.from(measured);
  for (let k = values; k < seen.length; k++) if (Number.isNaN(seen[k])) seen[k] = seen[k - values];
  const moved: number[] = [];
  for (let f = 0; f < seen.length / values; f++) {
    const now = markers.map((_, m) => vectorAt(seen, f * markers.length + m));
    const { orientation, translation } = registerPoints(markers, now);
    for (const point of points) moved.push(...add(rotate(orientation, point), translation));
  }
  return Float64Array.from(moved);
}

/** Tabulates positions, m, [frame][point][component], for {@link measuredMotion}. Velocities are central differences. */
export function motionTable(
  positions: Float64Array,
  frameRate: number,
  frames: number,
): Readonly<Record<string, Float64Array>> {
  const values = positions.length / frames;
  const last = positions.length - values;
  const next = (of: Float64Array): Float64Array => of.map((x, k) => (k < last ? of[k + values] : x));
  const velocity = positions.map((x, k) => {
    const [before, after] = [k < values ? x : positions[k - values], k < last ? positions[k + values] : x];
    return ((after - before) * frameRate) / (k < values || k >= last ? 1 : 2);
  });
  return {
    [measuredMotion.from.key]: positions,
    [measuredMotion.to.key]: next(positions),
    [measuredMotion.velocityFrom.key]: velocity,
    [measuredMotion.velocityTo.key]: next(velocity),
  };
}
