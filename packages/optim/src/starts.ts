import type { Unknowns } from './unknowns.ts';

/**
 * Points to start from: the initial values, then points spread over the ranges (in coordinates, so evenly over the
 * logarithm for `log`). A low-discrepancy sequence covers them better than independent draws; the seed shifts it.
 */
export function drawStarts(unknowns: Unknowns, count: number, random: () => number): Float64Array[] {
  const initial = unknowns.initial();
  const shifts = unknowns.list.map(() => random());
  // Weyl sequence with the roots of x^(d+1) = x + 1 (M. Roberts, 2018).
  const d = unknowns.count;
  let root = 2;
  for (let k = 0; k < 40; k++) root = (1 + root) ** (1 / (d + 1));
  return Array.from({ length: count }, (_, s) => {
    if (s === 0) return initial;
    return Float64Array.from(unknowns.list, ({ spec, coordinate }, k) => {
      if (!spec.range) return initial[k];
      const share = (shifts[k] + s * root ** -(k + 1)) % 1;
      if (spec.transform === 'bounded')
        return coordinate.toCoordinate(
          spec.range[0] + (spec.range[1] - spec.range[0]) * (0.02 + 0.96 * share),
        );
      const [low, high] = spec.range.map(coordinate.toCoordinate);
      return low + (high - low) * share;
    });
  });
}

/** Points around `x`: random directions, distances spread evenly over the logarithm from 0.001 to 0.3 natural steps. */
export function drawNeighbours(
  unknowns: Unknowns,
  x: Float64Array,
  count: number,
  random: () => number,
): Float64Array[] {
  const scales = unknowns.scales();
  return Array.from({ length: count }, (_, s) => {
    const distance = 10 ** (-3 + 2.5 * ((s + random()) / count));
    const direction = scales.map(
      () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
    );
    const length = Math.hypot(...direction) || 1;
    return x.map((value, k) => value + (distance * scales[k] * direction[k]) / length);
  });
}
