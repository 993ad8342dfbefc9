import { standardNormal } from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import type { Unknowns } from '../unknowns/unknowns.ts';

/**
 * Starting points: first the initial values, then points spread over the ranges, uniformly in coordinates (so in the
 * logarithm for `log`). Single unknowns follow a low-discrepancy sequence, which covers ranges better than independent
 * draws and is shifted by the seed; arrays have too many values for that and are drawn independently.
 */
export function drawStarts(unknowns: Unknowns, count: number, random: () => number): Float64Array[] {
  const initial = unknowns.initial();
  const bounds = unknowns.bounds();
  const numbers = unknowns.blocks.filter(({ isArray }) => !isArray);
  const shifts = numbers.map(() => random());
  // Weyl sequence with the roots of x^(d+1) = x + 1 (M. Roberts, 2018).
  const d = numbers.length;
  let root = 2;
  for (let k = 0; k < 40; k++) root = (1 + root) ** (1 / (d + 1));
  return Array.from({ length: count }, (_, s) => {
    if (s === 0) return initial;
    const point = Float64Array.from(initial);
    let number = 0;
    for (const { first, count: values, range, transform, coordinate, isArray } of unknowns.blocks) {
      const weyl = (shifts[number] + s * root ** -(number + 1)) % 1;
      if (!isArray) number++;
      if (!range) continue;
      for (let k = first; k < first + values; k++) {
        const share = isArray ? random() : weyl;
        const [low, high] = bounds[k];
        // The coordinate of a bounded value runs to infinity at its bounds, so the value is what is spread evenly.
        point[k] =
          transform === 'bounded'
            ? coordinate.toCoordinate(range[0] + (range[1] - range[0]) * (0.02 + 0.96 * share))
            : low + (high - low) * share;
      }
    }
    return point;
  });
}

/**
 * Points around the end of a descent, to look for better ones. They are drawn from its Laplace approximation: normal
 * along the eigenvectors of the Gauss-Newton Hessian, with the standard deviation at which the loss would double, at
 * most the range. So determined directions are searched nearby, others over the whole ranges. The deviations of each
 * point have a common factor, spread evenly in the logarithm from 1/30 to 30: the loss of a poor fit tells little about
 * the distance of the truth.
 *
 * @param loss loss at `x`, but at least that of a perfect fit due to rounding.
 */
export function drawAround(
  unknowns: Unknowns,
  { x, loss, hessian }: { readonly x: Float64Array; readonly loss: number; readonly hessian: Float64Array },
  count: number,
  random: () => number,
): Float64Array[] {
  const n = unknowns.count;
  const { widths, values, vectors } = inRanges(unknowns, hessian);
  const normal = (): number => standardNormal(random);
  return Array.from({ length: count }, (_, s) => {
    const factor = 30 ** (-1 + 2 * ((s + random()) / count));
    const point = Float64Array.from(x);
    values.forEach((value, k) => {
      const deviation = Math.min(1, factor * Math.sqrt(loss / Math.max(value, 1e-300)));
      const z = deviation * normal();
      for (let i = 0; i < n; i++) point[i] += z * vectors[k][i] * widths[i];
    });
    return unknowns.folded(point);
  });
}

/**
 * Distances of the points beside an end, in standard deviations at which the loss would double; the two rows alternate
 * with the number of misses.
 */
const BESIDE_DISTANCES = [
  [4, 12],
  [7, 25],
] as const;
/** Standard deviation, relative to the ranges, above which a direction counts as not determined. */
const NOT_DETERMINED = 0.3;

/**
 * Points to both sides of the end of a descent, along the least determined of the determined directions. Contacts
 * divide the valley of the loss there: where a contact begins a substep earlier, the loss jumps and has another
 * minimum. Between two minima the loss is higher, so that no single point need be better at once; descents from both
 * sides reach the next minima.
 *
 * @param misses number of earlier hops from this end without gain.
 */
export function drawBeside(
  unknowns: Unknowns,
  { x, loss, hessian }: { readonly x: Float64Array; readonly loss: number; readonly hessian: Float64Array },
  misses: number,
): Float64Array[] {
  const { widths, values, vectors } = inRanges(unknowns, hessian);
  const deviations = Array.from(values, (value) => Math.sqrt(loss / Math.max(value, 1e-300)));
  const weakest = deviations.reduce(
    (most, deviation, k) => (deviation < NOT_DETERMINED && !(deviation <= deviations[most]) ? k : most),
    -1,
  );
  if (weakest < 0) return [];
  return BESIDE_DISTANCES[misses % BESIDE_DISTANCES.length].flatMap((distance) =>
    [1, -1].map((sign) => {
      const z = sign * Math.min(1, distance * deviations[weakest]);
      return unknowns.folded(x.map((value, i) => value + z * vectors[weakest][i] * widths[i]));
    }),
  );
}

/** Eigenvalues and eigenvectors of a Hessian, with each coordinate divided by the width of its range. */
function inRanges(unknowns: Unknowns, hessian: Float64Array) {
  const n = unknowns.count;
  const widths = unknowns.bounds().map(([low, high]) => high - low);
  const scaled = Float64Array.from(
    { length: n * n },
    (_, at) => hessian[at] * widths[Math.floor(at / n)] * widths[at % n],
  );
  return { widths, ...symmetricEigen(scaled) };
}
