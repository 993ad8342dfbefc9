import type { BoxState, Cut } from './box-picture.ts';
import { sidesSeen } from './box-picture.ts';
import type { FilmCamera } from './camera.ts';
import { solve } from './least-squares.ts';
import { times, turnBy } from './turning.ts';

/** A part of a picture in linear light, and of what is behind it, three channels each. */
export interface Pictures {
  readonly seen: Float64Array;
  readonly behind: Float64Array;
  readonly cut: Cut;
}

/** What is known of the box and of the camera. */
export interface Known {
  readonly size: readonly number[];
  readonly camera: FilmCamera;
}

/** A box found in a picture. */
export interface Fitted {
  readonly state: BoxState;
  /** Exposure, s. */
  readonly seconds: number;
  /** Of its pixels, the part that it does not explain. */
  readonly strange: number;
  /** Of its pixels, the part that looks like what is behind. */
  readonly plain: number;
}

/** Steps of the differences, and how far the start may be off: m and rad, and parts of the exposure. */
const STEP = [2e-4, 2e-4, 2e-4, 2e-3, 2e-3, 2e-3, 0.02];
const DOUBT = [0.03, 0.03, 0.03, 0.2, 0.2, 0.2, 1];
/**
 * Rounds of the search: over how many pixels rims are drawn soft, so that one that is off by as much is felt, and light by which a
 * pixel may be off before it counts less: shadows and what else is none of the box count hardly at the end.
 */
const ROUNDS: readonly (readonly [soft: number, forgiven: number])[] = [
  ...([
    [6, 0.3],
    [6, 0.3],
    [4, 0.2],
    [4, 0.2],
    [2, 0.15],
    [2, 0.1],
  ] as const),
  ...([
    [1, 0.08],
    [1, 0.05],
    [1, 0.05],
  ] as const),
];
/** A pixel that is off by so much light is not explained. */
const STRANGE = 0.1;
/** Noise of a pixel, in light. */
const NOISE = 0.02;
/** A side that covers less has one colour all over. Pixels. */
const LARGE = 80;
/** Pixels over which colours of a side change. */
const ACROSS = 20;
const RIDGE = 1e-3;

/**
 * Where a box is in a picture: the pose whose exposure, each side in a colour of its own that may change evenly across it, comes
 * nearest to what is seen before a known background. Colours are linear and are solved for at each pose (G. Golub and V. Pereyra,
 * 1973); the pose by Gauss and Newton, with weights that fall off for pixels that remain unexplained (F. Hampel and others, 1986).
 */
export function fitBox(
  pictures: Pictures,
  start: BoxState,
  seconds: number,
  known: Known,
  opens: boolean,
): Fitted {
  const count = opens ? 7 : 6;
  const at = (values: readonly number[]): { state: BoxState; seconds: number } => ({
    state: {
      ...start,
      position: start.position.map((c, k) => c + values[k]),
      orientation: times(turnBy(values.slice(3, 6), 1), start.orientation),
    },
    seconds: seconds * (1 + (values[6] ?? 0)),
  });
  let values = Array<number>(count).fill(0);
  for (const [soft, forgiven] of ROUNDS) {
    const shaded = withShadows(pictures, at(values), known, soft);
    const weights = weightsOf(off(shaded, at(values), known, soft), forgiven);
    const residuals = (tried: readonly number[]): Float64Array =>
      weighted(off(shaded, at(tried), known, soft, weights), weights);
    const here = residuals(values);
    const columns = values.map((value, j) =>
      residuals(values.map((v, k) => (k === j ? value + STEP[j] : v))).map((r, k) => (r - here[k]) / STEP[j]),
    );
    const normal = columns.map((a, i) =>
      columns.map((b, j) => dot(a, b) / NOISE ** 2 + (i === j ? DOUBT[i] ** -2 : 0)),
    );
    const slope = columns.map((a, i) => dot(a, here) / NOISE ** 2 + values[i] / DOUBT[i] ** 2);
    const step = solve(normal, slope);
    if (!step) break;
    values = values.map((v, i) => v - Math.min(Math.max(step[i], -DOUBT[i]), DOUBT[i]));
  }
  const found = at(values);
  const shaded = withShadows(pictures, found, known, 1);
  const last = weightsOf(off(shaded, found, known, 1), STRANGE);
  const empty = weightsOf(
    shaded.seen.map((light, k) => light - shaded.behind[k]),
    STRANGE,
  );
  let [own, strange, plain] = [0, 0, 0];
  for (const { cover } of sidesSeen(known.size, found.state, found.seconds, known.camera, pictures.cut, 1))
    cover.forEach((part, p) => {
      own += part;
      strange += part * (1 - last[p]);
      plain += part * empty[p];
    });
  return { ...found, strange: own > 0 ? strange / own : 1, plain: own > 0 ? plain / own : 1 };
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
/** From pixels beside the box, what they say of shadows is carried so many pixels inwards, beyond soft rims. */
const INWARDS = 4;

/** What is behind, in the shadows that lie on it: told by the pixels beside the box, and taken to go on behind its rim. */
function withShadows(
  { seen, behind, cut }: Pictures,
  { state, seconds }: { readonly state: BoxState; readonly seconds: number },
  { size, camera }: Known,
  soft: number,
): Pictures {
  const pixels = cut.width * cut.height;
  const isBox = new Uint8Array(pixels);
  for (const { cover } of sidesSeen(size, state, seconds, camera, cut, soft + 2))
    cover.forEach((part, p) => {
      if (part > 0) isBox[p] = 1;
    });
  let shade = new Float64Array(pixels);
  for (let p = 0; p < pixels; p++) {
    if (isBox[p] === 1) continue;
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

/** What each pixel is off by, once sides have the colours that suit best. */
function off(
  { seen, behind, cut }: Pictures,
  { state, seconds }: { readonly state: BoxState; readonly seconds: number },
  { size, camera }: Known,
  soft: number,
  weights?: Float64Array,
): Float64Array {
  const sides = sidesSeen(size, state, seconds, camera, cut, soft);
  const pixels = cut.width * cut.height;
  const bases = sides.flatMap(({ cover, area, x, y }) => {
    if (area < LARGE) return [cover];
    const across = cover.map((part, p) => (part * ((p % cut.width) - x)) / ACROSS);
    const down = cover.map((part, p) => (part * (Math.floor(p / cut.width) - y)) / ACROSS);
    return [cover, across, down];
  });
  const rest = new Float64Array(3 * pixels);
  const covered = new Float64Array(pixels);
  for (const { cover } of sides) for (let p = 0; p < pixels; p++) covered[p] += cover[p];
  for (let p = 0; p < pixels; p++)
    for (let c = 0; c < 3; c++) rest[3 * p + c] = seen[3 * p + c] - (1 - covered[p]) * behind[3 * p + c];
  const normal = bases.map(() => bases.map(() => 0));
  const sums = [0, 1, 2].map(() => bases.map(() => 0));
  for (let p = 0; p < pixels; p++) {
    if (covered[p] === 0) continue;
    const weight = weights ? weights[p] : 1;
    for (let i = 0; i < bases.length; i++) {
      const own = weight * bases[i][p];
      if (own === 0) continue;
      for (let j = 0; j <= i; j++) normal[i][j] += own * bases[j][p];
      for (let c = 0; c < 3; c++) sums[c][i] += own * rest[3 * p + c];
    }
  }
  for (let i = 0; i < bases.length; i++) {
    normal[i][i] += RIDGE;
    for (let j = 0; j < i; j++) normal[j][i] = normal[i][j];
  }
  sums.forEach((sum, c) => {
    const colours = solve(normal, sum);
    if (!colours) return;
    for (let p = 0; p < pixels; p++) {
      if (covered[p] === 0) continue;
      let light = 0;
      for (let i = 0; i < bases.length; i++) light += colours[i] * bases[i][p];
      rest[3 * p + c] -= light;
    }
  });
  return rest;
}
