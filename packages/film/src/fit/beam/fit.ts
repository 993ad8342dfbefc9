import { solvePositiveDefinite } from '@gradsim/base';
import { BEAM } from '../../tuning/beam.ts';
import type { Round } from '../../tuning/pictures.ts';
import type { CropRegion, Pictures } from '../pictures.ts';
import { robustWeight } from '../robust.ts';
import { type BentBeam, STRAIGHT } from './beam.ts';
import { blurred, type Layer, sampleLayer } from './layer.ts';

/**
 * Exposure of a beam in a frame: its bend averaged over the exposure, the bend's change in a frame interval, m, the
 * exposure time as a fraction of the interval, and additional blur.
 */
export interface ExposedBend {
  readonly bend: readonly number[];
  readonly bendChange: readonly number[];
  readonly shutter: number;
  /**
   * Variance of blur by which a frame is softer than frame 0, px^2, since an encoder compresses motion; below 0 if the
   * frame is sharper, as when the beam moved by fractions of a pixel in frame 0.
   */
  readonly soft: number;
}

/** Bend fitted to a frame. */
export interface FittedBend {
  readonly bend: readonly number[];
  readonly shutter: number;
  readonly soft: number;
  /**
   * Standard deviation of the height of the outline's middle, px, from the fit's residuals, taken as independent
   * between pixels.
   */
  readonly scatter: number;
  /** Fraction of the compared pixels that the fit does not explain, 0 to 1. */
  readonly outlierFraction: number;
}

/** Downward displacement of the straight beam's columns for a small bend, px, by column. */
export function columnDisplacements(beam: BentBeam, cut: CropRegion, way: readonly number[]): number[] {
  const slopes = beam.slopes(STRAIGHT, cut);
  return Array.from({ length: cut.width }, (_, column) =>
    way.reduce((sum, own, i) => sum + own * slopes[i][1][column], 0),
  );
}

/**
 * Number of factors that describe a beam's brightness relative to frame 0: for both visible sides together and
 * additionally for the upper one, each with a constant part and one proportional to the distance from the clamp.
 */
const BRIGHTNESS_FACTORS = 4;
const BLUR_UNKNOWNS = ['shutter', 'soft'] as const;

/** Data for comparing a bent beam with a frame. */
interface Comparison {
  readonly pictures: Pictures;
  readonly beam: BentBeam;
  readonly bend: readonly number[];
  /** Relative changes of brightness since frame 0, in the order of {@link BRIGHTNESS_FACTORS}. */
  readonly shades: readonly number[];
  /** Layer of the beam blurred as exposed; and such layers with each unknown blur decreased and increased by a step. */
  readonly exposedLayer: Layer;
  readonly perturbedLayers: readonly Layer[];
  /** Distances above and below the beam to which pixels are compared, by column, px. */
  readonly comparedDistances: readonly number[];
  readonly round: Round;
}

interface Equations {
  /** Matrix of the normal equations; the unknowns are bends, brightness factors and blurs. */
  readonly normal: readonly (readonly number[])[];
  readonly slope: readonly number[];
  readonly squares: number;
  readonly weights: number;
  readonly pixels: number;
}

/** Normal equations of a frame's residuals, with weights that decrease with a pixel's residual. */
function equationsOf({
  pictures,
  beam,
  bend,
  shades,
  exposedLayer,
  perturbedLayers,
  comparedDistances,
  round,
}: Comparison): Equations {
  const { light, backgroundLight, cut } = pictures;
  const [step, robustScale] = round;
  const lines = beam.edges(bend, cut);
  const slopes = beam.slopes(bend, cut);
  // The layer's rows are those of the straight beam.
  const offset = cut.top - exposedLayer.cut.top;
  const modes = bend.length;
  const count = modes + BRIGHTNESS_FACTORS + perturbedLayers.length / 2;
  const normal = Array.from({ length: count }, () => Array<number>(count).fill(0));
  const slope = Array<number>(count).fill(0);
  const by = new Float64Array(count);
  const off = new Float64Array(3);
  const [here, below, above] = [0, 0, 0].map(() => new Float64Array(4));
  const others = perturbedLayers.map(() => new Float64Array(4));
  let [squares, weights, pixels] = [0, 0, 0];
  for (let column = 0; column < cut.width; column += BEAM.stride) {
    const [upper, border, lower] = lines.map((line) => line[column]);
    if (!upper || !border || !lower) continue;
    const parts = [upper.part, border.part, lower.part];
    if (Math.min(...parts) < BEAM.parts[0] || Math.max(...parts) > BEAM.parts[1]) continue;
    const first = Math.max(0, Math.floor(upper.row - comparedDistances[column]));
    const last = Math.min(cut.height - 1, Math.ceil(lower.row + comparedDistances[column]));
    for (let row = first; row <= last; row++) {
      const p = row * cut.width + column;
      // Position on the visible side, from its upper edge, 0, to its lower, 1.
      const isUpper = row + 0.5 < border.row;
      const [over, under] = isUpper ? [upper, border] : [border, lower];
      const share = Math.min(Math.max((row + 0.5 - over.row) / Math.max(under.row - over.row, 0.1), 0), 1);
      const mixed = (a: number, b: number): number => a + share * (b - a);
      const [x, y] = [column - mixed(over.right, under.right), row + offset - mixed(over.down, under.down)];
      const part = mixed(over.part, under.part);
      const side = Number(isUpper);
      sampleLayer(exposedLayer, x, y, here);
      sampleLayer(exposedLayer, x, y - step, above);
      sampleLayer(exposedLayer, x, y + step, below);
      perturbedLayers.forEach((layer, k) => {
        sampleLayer(layer, x, y, others[k]);
      });
      const brighter = 1 + shades[0] + shades[1] * part + side * (shades[2] + shades[3] * part);
      let square = 0;
      for (let c = 0; c < 3; c++) {
        off[c] = light[3 * p + c] - brighter * here[c] - (1 - here[3]) * backgroundLight[3 * p + c];
        square += off[c] * off[c];
      }
      const weight = robustWeight(square, robustScale);
      squares += weight * square;
      weights += 3 * weight;
      pixels++;
      for (let c = 0; c < 3; c++) {
        const change = (from: Float64Array, to: Float64Array): number =>
          brighter * (to[c] - from[c]) - (to[3] - from[3]) * backgroundLight[3 * p + c];
        const moves = change(below, above) / (2 * step);
        for (let i = 0; i < modes; i++)
          by[i] = moves * mixed(slopes[i][isUpper ? 0 : 1][column], slopes[i][isUpper ? 1 : 2][column]);
        by[modes] = here[c];
        by[modes + 1] = here[c] * part;
        by[modes + 2] = here[c] * side;
        by[modes + 3] = here[c] * side * part;
        for (let k = 0; k < others.length / 2; k++)
          by[modes + BRIGHTNESS_FACTORS + k] =
            change(others[2 * k], others[2 * k + 1]) / (2 * BEAM.blur[BLUR_UNKNOWNS[k]].step);
        for (let i = 0; i < count; i++) {
          const along = weight * by[i];
          slope[i] += along * off[c];
          for (let j = 0; j <= i; j++) normal[i][j] += along * by[j];
        }
      }
    }
  }
  for (let i = 0; i < count; i++) for (let j = 0; j < i; j++) normal[j][i] = normal[i][j];
  return { normal, slope, squares, weights, pixels };
}

/** Fits the bend to a frame by Gauss-Newton; with `findsBlur`, the exposure time and additional blur too. */
export function fitBend(
  pictures: Pictures,
  layer: Layer,
  beam: BentBeam,
  { start, rounds, findsBlur }: { start: ExposedBend; rounds: readonly Round[]; findsBlur: boolean },
): FittedBend {
  let { bend } = start;
  let shades: readonly number[] = Array<number>(BRIGHTNESS_FACTORS).fill(0);
  let [scatter, outlierFraction] = [0, 0];
  const blur = { shutter: start.shutter, soft: start.soft };
  const ways = columnDisplacements(beam, layer.cut, start.bendChange);
  const blurredBy = ({ shutter, soft }: typeof blur): Layer =>
    blurred(
      layer,
      ways.map((way) => Math.sqrt(Math.max((way * shutter) ** 2 + soft, 0))),
    );
  let exposedLayer = blurredBy(blur);
  for (const round of rounds) {
    const perturbedLayers = (findsBlur ? BLUR_UNKNOWNS : []).flatMap((name) =>
      [-1, 1].map((side) => blurredBy({ ...blur, [name]: blur[name] + side * BEAM.blur[name].step })),
    );
    const comparedDistances = ways.map((way) => BEAM.beside + (blur.shutter * Math.abs(way)) / 2);
    const compared = { pictures, beam, bend, shades, exposedLayer, perturbedLayers, comparedDistances, round };
    const { normal, slope, squares, weights, pixels } = equationsOf(compared);
    const steps = solvePositiveDefinite(normal, slope);
    if (!steps) break;
    bend = bend.map((own, i) => own + steps[i]);
    shades = shades.map((shade, i) => shade + steps[bend.length + i]);
    if (findsBlur) {
      BLUR_UNKNOWNS.forEach((name, k) => {
        const [least, most] = BEAM.blur[name].bounds;
        blur[name] = Math.min(Math.max(blur[name] + steps[bend.length + BRIGHTNESS_FACTORS + k], least), most);
      });
      exposedLayer = blurredBy(blur);
    }
    const height = beam.outline(bend).y;
    const moves = steps.map((_, i) => {
      if (i >= bend.length) return 0;
      return (beam.outline(bend.map((own, k) => (k === i ? own + BEAM.bendStep : own))).y - height) / BEAM.bendStep;
    });
    const variance = solvePositiveDefinite(normal, moves)?.reduce((sum, v, i) => sum + v * moves[i], 0) ?? 0;
    outlierFraction = 1 - weights / Math.max(3 * pixels, 1);
    scatter = Math.sqrt((Math.max(variance, 0) * squares) / Math.max(weights, 1));
  }
  return { bend, ...blur, scatter, outlierFraction };
}
