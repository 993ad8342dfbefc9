import { solve } from '../starts/least-squares.ts';
import type { Pictures } from './cut.ts';

/** A part of a thing as a picture shows it, such as a side of a box. */
export interface PartSeen {
  /** The part of each pixel that it covers through the exposure. */
  readonly cover: Float64Array;
  /** How light may be spread over it, beside evenly: each of it in a colour of its own. Of the same pixels, within the cover. */
  readonly patterns: readonly Float64Array[];
}

/** A thing whose place in a picture is looked for. */
export interface Thing {
  /** By number: steps of the differences, and how far a start at 0 may be off. */
  readonly steps: readonly number[];
  readonly doubts: readonly number[];
  /** What an exposure shows of it; `soft` are the pixels over which its rim is drawn, 1 that of pixels. */
  partsAt(values: readonly number[], soft: number): readonly PartSeen[];
}

/** A thing found in a picture. */
export interface FittedThing {
  readonly values: readonly number[];
  /** Standard deviations of the values, did pixels err independently, by what they are off; infinite where nothing tells them. */
  readonly deviations: readonly number[];
  /** Of its pixels, the part that it does not explain. */
  readonly strange: number;
  /** Of its pixels, the part that looks like what is behind. */
  readonly plain: number;
}

/**
 * A round of the search: over how many pixels rims are drawn soft, so that one that is off by as much is felt, and light by which a
 * pixel may be off before it counts less: shadows and what else is none of the thing count hardly at the end.
 */
export type Round = readonly [soft: number, forgiven: number];

/** A pixel that is off by so much light is not explained. */
const STRANGE = 0.1;
/** Noise of a pixel, in light. */
const NOISE = 0.02;
const RIDGE = 1e-3;

/**
 * Where a thing is in a picture: the place at which its exposure comes nearest to what is seen before a known background. Colours
 * are linear and are solved for at each place (G. Golub and V. Pereyra, 1973); the place by Gauss and Newton, with weights that
 * fall off for pixels that remain unexplained (F. Hampel and others, 1986).
 */
export function fitThing(pictures: Pictures, thing: Thing, rounds: readonly Round[]): FittedThing {
  const { steps, doubts } = thing;
  let values = steps.map(() => 0);
  let deviations = steps.map(() => Number.POSITIVE_INFINITY);
  for (const [soft, forgiven] of rounds) {
    const shaded = withShadows(pictures, thing.partsAt(values, soft + 2), soft);
    const parts = thing.partsAt(values, soft);
    const weights = weightsOf(off(shaded, parts), forgiven);
    const here = weighted(off(shaded, parts, weights), weights);
    const columns = values.map((value, j) => {
      const there = values.map((v, k) => (k === j ? value + steps[j] : v));
      const moved = weighted(off(shaded, thing.partsAt(there, soft), weights), weights);
      return moved.map((r, k) => (r - here[k]) / steps[j]);
    });
    const normal = columns.map((a, i) =>
      columns.map((b, j) => dot(a, b) / NOISE ** 2 + (i === j ? doubts[i] ** -2 : 0)),
    );
    const slope = columns.map((a, i) => dot(a, here) / NOISE ** 2 + values[i] / doubts[i] ** 2);
    const step = solve(normal, slope);
    if (!step) break;
    const scatter = scatterOf(here, weights, parts) / NOISE;
    deviations = steps.map((_, i) => {
      const column = solve(
        normal,
        steps.map((__, j) => Number(i === j)),
      );
      return column && column[i] > 0 ? scatter * Math.sqrt(column[i]) : Number.POSITIVE_INFINITY;
    });
    values = values.map((v, i) => v - Math.min(Math.max(step[i], -doubts[i]), doubts[i]));
  }
  const shaded = withShadows(pictures, thing.partsAt(values, 3), 1);
  const parts = thing.partsAt(values, 1);
  const last = weightsOf(off(shaded, parts), STRANGE);
  const empty = weightsOf(
    shaded.seen.map((light, k) => light - shaded.behind[k]),
    STRANGE,
  );
  let [own, strange, plain] = [0, 0, 0];
  coveredBy(parts, last.length).forEach((part, p) => {
    own += part;
    strange += part * (1 - last[p]);
    plain += part * empty[p];
  });
  return { values, deviations, strange: own > 0 ? strange / own : 1, plain: own > 0 ? plain / own : 1 };
}

/** Root mean square of what pixels of the thing are off by, each as it counts. */
function scatterOf(residuals: Float64Array, weights: Float64Array, parts: readonly PartSeen[]): number {
  let [squares, count] = [0, 0];
  coveredBy(parts, weights.length).forEach((part, p) => {
    if (part === 0) return;
    for (let c = 0; c < 3; c++) squares += residuals[3 * p + c] ** 2;
    count += 3 * weights[p];
  });
  return Math.sqrt(squares / count);
}

function coveredBy(parts: readonly PartSeen[], pixels: number): Float64Array {
  const covered = new Float64Array(pixels);
  for (const { cover } of parts) for (let p = 0; p < pixels; p++) covered[p] += cover[p];
  return covered;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
}

function weighted(residuals: Float64Array, weights: Float64Array): Float64Array {
  for (let p = 0; p < weights.length; p++) {
    const root = Math.sqrt(weights[p]);
    for (let c = 0; c < 3; c++) residuals[3 * p + c] *= root;
  }
  return residuals;
}

/** A shadow leaves at least this part of the light, and colours as they are, to so much light. */
const DARKEST = 0.2;
const SAME_COLOUR = 0.05;
/** From pixels beside it, what they say of shadows is carried so many pixels inwards, beyond soft rims. */
const INWARDS = 4;

/** What is behind, in the shadows that lie on it: told by the pixels beside the thing, and taken to go on behind its rim. */
function withShadows({ seen, behind, cut }: Pictures, parts: readonly PartSeen[], soft: number): Pictures {
  const pixels = cut.width * cut.height;
  const covered = coveredBy(parts, pixels);
  let shade = new Float64Array(pixels);
  for (let p = 0; p < pixels; p++) {
    if (covered[p] > 0) continue;
    let [along, own, square] = [0, 0, 0];
    for (let c = 0; c < 3; c++) {
      const [s, b] = [seen[3 * p + c], behind[3 * p + c]];
      along += s * b;
      own += b * b;
      square += s * s;
    }
    const part = along / Math.max(own, 1e-6);
    const aside = Math.sqrt(Math.max(square - part * along, 0));
    shade[p] = aside < SAME_COLOUR ? Math.min(Math.max(part, DARKEST), 1.1) : 1;
  }
  // A pixel without takes the mean of those around it that have one, ring by ring.
  for (let ring = 0; ring < INWARDS + soft; ring++) {
    const next = shade.slice();
    for (let p = 0; p < pixels; p++) {
      if (shade[p] > 0) continue;
      const [x, y] = [p % cut.width, Math.floor(p / cut.width)];
      let [sum, count] = [0, 0];
      for (let row = Math.max(0, y - 1); row <= Math.min(cut.height - 1, y + 1); row++)
        for (let column = Math.max(0, x - 1); column <= Math.min(cut.width - 1, x + 1); column++) {
          const part = shade[row * cut.width + column];
          if (part === 0) continue;
          sum += part;
          count++;
        }
      if (count > 0) next[p] = sum / count;
    }
    shade = next;
  }
  return { seen, cut, behind: behind.map((light, k) => light * (shade[Math.floor(k / 3)] || 1)) };
}

/** Near 1 for a pixel that is explained, near 0 for one that is not. */
function weightsOf(residuals: Float64Array, scale: number): Float64Array {
  const weights = new Float64Array(residuals.length / 3);
  for (let p = 0; p < weights.length; p++) {
    const square = residuals[3 * p] ** 2 + residuals[3 * p + 1] ** 2 + residuals[3 * p + 2] ** 2;
    weights[p] = 1 / (1 + square / scale ** 2) ** 2;
  }
  return weights;
}

/** What each pixel is off by, once all parts have the colours that suit best. */
function off({ seen, behind }: Pictures, parts: readonly PartSeen[], weights?: Float64Array): Float64Array {
  const pixels = seen.length / 3;
  const bases = parts.flatMap(({ cover, patterns }) => [cover, ...patterns]);
  const count = bases.length;
  const rest = new Float64Array(3 * pixels);
  const covered = coveredBy(parts, pixels);
  const normal = new Float64Array(count * count);
  const sums = new Float64Array(3 * count);
  const own = new Float64Array(count);
  for (let p = 0; p < pixels; p++) {
    for (let c = 0; c < 3; c++) rest[3 * p + c] = seen[3 * p + c] - (1 - covered[p]) * behind[3 * p + c];
    if (covered[p] === 0) continue;
    const weight = weights ? weights[p] : 1;
    const [red, green, blue] = [rest[3 * p], rest[3 * p + 1], rest[3 * p + 2]];
    for (let i = 0; i < count; i++) {
      own[i] = bases[i][p];
      const weighs = weight * own[i];
      if (weighs === 0) continue;
      for (let j = 0; j <= i; j++) normal[i * count + j] += weighs * own[j];
      sums[3 * i] += weighs * red;
      sums[3 * i + 1] += weighs * green;
      sums[3 * i + 2] += weighs * blue;
    }
  }
  const rows = bases.map((_, i) =>
    bases.map((__, j) => normal[Math.max(i, j) * count + Math.min(i, j)] + (i === j ? RIDGE : 0)),
  );
  for (let c = 0; c < 3; c++) {
    const colours = solve(
      rows,
      bases.map((_, i) => sums[3 * i + c]),
    );
    if (!colours) continue;
    bases.forEach((base, i) => {
      const colour = colours[i];
      for (let p = 0; p < pixels; p++) rest[3 * p + c] -= colour * base[p];
    });
  }
  return rest;
}
