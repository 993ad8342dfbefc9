import { BEAM } from '../../tuning/beam.ts';
import type { Round } from '../../tuning/pictures.ts';
import { robustWeight } from '../robust.ts';
import type { BentBeam, EdgeOffsets, VisibleEdges } from './beam.ts';
import { type Layer, sampleLayer } from './layer.ts';
import type { LightRows } from './light-rows.ts';

/**
 * Number of factors that describe a beam's brightness relative to frame 0: for both visible sides together and
 * additionally for the upper one, each with a constant part and one proportional to the distance from the clamp.
 */
export const BRIGHTNESS_FACTORS = 4;

/** Frame of a film, and the film's background. */
export interface BeamPicture {
  readonly frame: number;
  readonly light: LightRows;
  readonly background: LightRows;
}

/** Data for comparing a bent beam with a frame. */
interface Comparison {
  readonly picture: BeamPicture;
  readonly beam: BentBeam;
  readonly bend: readonly number[];
  /** Relative changes of brightness since frame 0, in the order of {@link BRIGHTNESS_FACTORS}. */
  readonly shades: readonly number[];
  /** Layer of the beam blurred as exposed. */
  readonly exposedLayer: Layer;
  /** Such layers with each unknown blur decreased and increased by its step. */
  readonly perturbedLayers: readonly { readonly less: Layer; readonly more: Layer; readonly step: number }[];
  /** Distances above and below the beam to which pixels are compared, by column, px. */
  readonly comparedDistances: readonly number[];
  readonly round: Round;
}

/** Normal equations of a comparison. */
export interface Equations {
  /** Matrix of the equations; the unknowns are bends, brightness factors and blurs. */
  readonly normal: readonly (readonly number[])[];
  readonly slope: readonly number[];
  readonly squares: number;
  readonly weights: number;
  readonly pixels: number;
}

/** Normal equations of a frame's residuals, with weights that decrease with a pixel's residual. */
export function equationsOf(comparison: Comparison): Equations {
  const { picture, beam, bend, shades, exposedLayer, perturbedLayers, comparedDistances, round } = comparison;
  const [step, robustScale] = round;
  const { width, top } = beam.cut;
  const edges = beam.edges(bend);
  const slopes = beam.slopes(bend, edges);
  const spans = spansOf(edges, comparedDistances, picture.light.height);
  const first = Math.min(picture.light.height, ...spans.map((own) => own.first));
  const end = Math.max(0, ...spans.map((own) => own.end));
  const [light, background] = [picture.light.at(picture.frame, first, end), picture.background.at(0, first, end)];
  // A derivative by an unknown is a field, of three channels, times a factor: fields are the change of light along the column, the
  // light itself, and its change with each blur.
  const fieldCount = 2 + perturbedLayers.length;
  const fields = new Float64Array(3 * fieldCount);
  const fieldOf = [
    ...bend.map(() => 0),
    ...Array<number>(BRIGHTNESS_FACTORS).fill(1),
    ...perturbedLayers.map((_, k) => 2 + k),
  ];
  const count = fieldOf.length;
  const factors = new Float64Array(count).fill(1);
  const sums = new Float64Array(count * count);
  const slope = new Float64Array(count);
  /** Weighted scalar products of the fields with each other and with the residual, of one pixel. */
  const products = new Float64Array(fieldCount * (fieldCount + 1));
  const off = new Float64Array(3);
  const [here, less, more] = [0, 0, 0].map(() => new Float64Array(4));
  let [squares, weights, pixels] = [0, 0, 0];
  for (const span of spans)
    for (const side of [0, 1]) {
      // Both visible sides, the upper one first.
      const { column } = span;
      const [from, to] = side === 0 ? [span.first, span.border] : [span.border, span.end];
      const [over, under] = [edges[side], edges[side + 1]];
      const overRow = over.row[column];
      const depth = Math.max(under.row[column] - overRow, 0.1);
      const isUpper = 1 - side;
      for (let row = from; row < to; row++) {
        // Position on the side, from its upper edge, 0, to its lower, 1.
        const share = Math.min(Math.max((row + 0.5 - overRow) / depth, 0), 1);
        const x = column - mixed(over.right, under.right, column, share);
        const y = row - top - mixed(over.down, under.down, column, share);
        const part = mixed(over.part, under.part, column, share);
        const p = 3 * (row * width + column);
        const brighter = 1 + shades[0] + shades[1] * part + isUpper * (shades[2] + shades[3] * part);
        const change = (own: number, by: number): void => {
          const covered = more[3] - less[3];
          for (let c = 0; c < 3; c++)
            fields[own + c] = (brighter * (more[c] - less[c]) - covered * background[p + c]) / by;
        };
        sampleLayer(exposedLayer, x, y, here);
        sampleLayer(exposedLayer, x, y + step, less);
        sampleLayer(exposedLayer, x, y - step, more);
        change(0, 2 * step);
        let square = 0;
        for (let c = 0; c < 3; c++) {
          fields[3 + c] = here[c];
          off[c] = light[p + c] - brighter * here[c] - (1 - here[3]) * background[p + c];
          square += off[c] * off[c];
        }
        for (let k = 0; k < perturbedLayers.length; k++) {
          const perturbed = perturbedLayers[k];
          sampleLayer(perturbed.less, x, y, less);
          sampleLayer(perturbed.more, x, y, more);
          change(6 + 3 * k, 2 * perturbed.step);
        }
        for (let i = 0; i < bend.length; i++)
          factors[i] = mixed(slopes[i][side], slopes[i][side + 1], column, share);
        factors[bend.length + 1] = part;
        factors[bend.length + 2] = isUpper;
        factors[bend.length + 3] = isUpper * part;
        const weight = robustWeight(square, robustScale);
        squares += weight * square;
        weights += 3 * weight;
        pixels++;
        writeProducts(fields, off, weight, products);
        for (let i = 0; i < count; i++) {
          const own = fieldOf[i] * (fieldCount + 1);
          slope[i] += factors[i] * products[own + fieldCount];
          for (let j = 0; j <= i; j++) sums[i * count + j] += factors[i] * factors[j] * products[own + fieldOf[j]];
        }
      }
    }
  const normal = fieldOf.map((_, i) => fieldOf.map((_, j) => sums[Math.max(i, j) * count + Math.min(i, j)]));
  return { normal, slope: [...slope], squares, weights, pixels };
}

/** Rows of a column that are compared, and the first of them on the lower visible side. */
interface Span {
  readonly column: number;
  readonly first: number;
  readonly border: number;
  readonly end: number;
}

/** Rows that are compared, in pictures of a height. */
function spansOf(
  [upper, border, lower]: VisibleEdges<EdgeOffsets>,
  comparedDistances: readonly number[],
  height: number,
): Span[] {
  const spans: Span[] = [];
  for (let column = 0; column < comparedDistances.length; column += BEAM.stride) {
    const parts = [upper.part[column], border.part[column], lower.part[column]];
    if (!(Math.min(...parts) >= BEAM.parts[0] && Math.max(...parts) <= BEAM.parts[1])) continue;
    const first = Math.max(0, Math.floor(upper.row[column] - comparedDistances[column]));
    const end = Math.min(height, Math.ceil(lower.row[column] + comparedDistances[column]) + 1);
    const middle = Math.ceil(border.row[column] - 0.5);
    if (first < end) spans.push({ column, first, border: Math.min(Math.max(middle, first), end), end });
  }
  return spans;
}

/** Number of a column between those of two edges. */
const mixed = (over: Float64Array, under: Float64Array, column: number, share: number): number =>
  over[column] + share * (under[column] - over[column]);

/** Writes weighted scalar products of fields of three channels with each other and, last in each row, with the residual. */
function writeProducts(fields: Float64Array, off: Float64Array, weight: number, into: Float64Array): void {
  const count = fields.length / 3;
  for (let i = 0; i < count; i++) {
    const [a, b, c] = [weight * fields[3 * i], weight * fields[3 * i + 1], weight * fields[3 * i + 2]];
    const row = i * (count + 1);
    for (let j = 0; j < count; j++)
      into[row + j] = a * fields[3 * j] + b * fields[3 * j + 1] + c * fields[3 * j + 2];
    into[row + count] = a * off[0] + b * off[1] + c * off[2];
  }
}
