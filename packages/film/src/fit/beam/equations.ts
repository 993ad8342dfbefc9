import { BEAM, type BeamRound } from '../../tuning/beam.ts';
import { robustWeight } from '../robust.ts';
import type { BentBeam, EdgeOffsets, VisibleEdges } from './beam.ts';
import { type Layer, sampleLayer } from './layer.ts';
import type { LightRows } from './light-rows.ts';
import { type SideEquations, SideSums } from './side-sums.ts';

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
  /** Unknown blurs: the layer with the variance of each column decreased and increased by a step, px^2. */
  readonly blurs?: UnknownBlurs;
  /** Distances above and below the beam to which pixels are compared, by column, px. */
  readonly comparedDistances: readonly number[];
  readonly round: BeamRound;
}

interface UnknownBlurs {
  readonly less: Layer;
  readonly more: Layer;
  readonly step: number;
  /** Derivatives of each column's variance by each unknown: [unknown][column]. */
  readonly slopes: readonly (readonly number[])[];
}

/** Normal equations of a comparison; the unknowns are bends, brightness factors and blurs. */
export interface Equations extends SideEquations {
  readonly weights: number;
  readonly pixels: number;
}

/** Normal equations of a frame's residuals, with weights that decrease with a pixel's residual. */
export function equationsOf({
  picture,
  beam,
  bend,
  shades,
  exposedLayer,
  blurs,
  comparedDistances,
  round: [step, robustScale, stride],
}: Comparison): Equations {
  const { top } = beam.cut;
  const { height } = picture.light;
  const edges = beam.edges(bend);
  const slopes = beam.slopes(bend, edges);
  const spans = spansOf(edges, comparedDistances, stride, height);
  const first = Math.min(height, ...spans.map(({ rows }) => rows[0]));
  const end = Math.max(0, ...spans.map(({ rows }) => rows[2]));
  const [light, background] = [picture.light.at(picture.frame, first, end), picture.background.at(0, first, end)];
  // The fields are the change of light along a column, the light itself, and its change with blur.
  const sums = new SideSums([
    ...bend.map(() => 0),
    ...Array<number>(BRIGHTNESS_FACTORS).fill(1),
    ...(blurs?.slopes ?? []).map(() => 2),
  ]);
  const { fields, from, increase } = sums;
  const [brightness, residual] = [bend.length, fields.length - 3];
  const [here, less, more] = [0, 0, 0].map(() => new Float64Array(4));
  let [weights, pixels] = [0, 0];
  for (const { column, rows } of spans)
    for (let side = 0; side < 2; side++) {
      const [over, under] = [edges[side], edges[side + 1]];
      const isUpper = 1 - side;
      const overRow = over.row[column];
      const depth = Math.max(under.row[column] - overRow, 0.1);
      const [right, down, part] = [over.right[column], over.down[column], over.part[column]];
      const [moreRight, moreDown] = [under.right[column] - right, under.down[column] - down];
      const morePart = under.part[column] - part;
      for (let row = rows[side]; row < rows[side + 1]; row++) {
        // Position on the side, from its upper edge, 0, to its lower, 1.
        const position = Math.min(Math.max((row + 0.5 - overRow) / depth, 0), 1);
        const x = column - right - position * moreRight;
        const y = row - top - down - position * moreDown;
        const along = part + position * morePart;
        const brighter = 1 + shades[0] + shades[1] * along + isUpper * (shades[2] + shades[3] * along);
        const p = 3 * (column * height + row);
        sampleLayer(exposedLayer, x, y, here);
        sampleLayer(exposedLayer, x, y + step, less);
        sampleLayer(exposedLayer, x, y - step, more);
        let square = 0;
        for (let c = 0; c < 3; c++) {
          const behind = background[p + c];
          const off = light[p + c] - brighter * here[c] - (1 - here[3]) * behind;
          square += off * off;
          fields[c] = (brighter * (more[c] - less[c]) - (more[3] - less[3]) * behind) / (2 * step);
          fields[3 + c] = here[c];
          fields[residual + c] = off;
        }
        if (blurs) {
          sampleLayer(blurs.less, x, y, less);
          sampleLayer(blurs.more, x, y, more);
          for (let c = 0; c < 3; c++)
            fields[6 + c] =
              (brighter * (more[c] - less[c]) - (more[3] - less[3]) * background[p + c]) / (2 * blurs.step);
        }
        const weight = robustWeight(square, robustScale);
        weights += 3 * weight;
        pixels++;
        sums.addPixel(position, weight);
      }
      slopes.forEach((own, i) => {
        from[i] = own[side][column];
        increase[i] = own[side + 1][column] - from[i];
      });
      from[brightness + 1] = part;
      increase[brightness + 1] = morePart;
      from[brightness + 2] = isUpper;
      from[brightness + 3] = isUpper * part;
      increase[brightness + 3] = isUpper * morePart;
      blurs?.slopes.forEach((own, k) => {
        from[brightness + BRIGHTNESS_FACTORS + k] = own[column];
      });
      sums.addSide();
    }
  return { ...sums.equations(), weights, pixels };
}

/** Rows of a column that are compared: from the first one over the first one of the lower side to the end, exclusive. */
interface Span {
  readonly column: number;
  readonly rows: readonly [first: number, border: number, end: number];
}

/** Rows that are compared, of every so many columns of pictures of a height. */
function spansOf(
  [upper, border, lower]: VisibleEdges<EdgeOffsets>,
  comparedDistances: readonly number[],
  stride: number,
  height: number,
): Span[] {
  const spans: Span[] = [];
  for (let column = 0; column < comparedDistances.length; column += stride) {
    const parts = [upper.part[column], border.part[column], lower.part[column]];
    if (!(Math.min(...parts) >= BEAM.parts[0] && Math.max(...parts) <= BEAM.parts[1])) continue;
    const first = Math.max(0, Math.floor(upper.row[column] - comparedDistances[column]));
    const end = Math.min(height, Math.ceil(lower.row[column] + comparedDistances[column]) + 1);
    const middle = Math.ceil(border.row[column] - 0.5);
    if (first < end) spans.push({ column, rows: [first, Math.min(Math.max(middle, first), end), end] });
  }
  return spans;
}
