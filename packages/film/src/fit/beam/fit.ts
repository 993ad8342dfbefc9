import { solvePositiveDefinite } from '@gradsim/base';
import { BEAM, type BeamRound } from '../../tuning/beam.ts';
import { type BentBeam, STRAIGHT } from './beam.ts';
import { type BeamPicture, BRIGHTNESS_FACTORS, type Equations, equationsOf } from './equations.ts';
import { blurred, type Layer } from './layer.ts';

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

/** Fits bends of a beam to frames of a film by Gauss-Newton, from its layer in frame 0. */
export class BendFit {
  readonly #beam: BentBeam;
  readonly #layer: Layer;
  /** Derivatives of the straight beam's downward displacement by each bend, px/m: [mode][column]. */
  readonly #slopes: readonly Float64Array[];

  constructor(beam: BentBeam, layer: Layer) {
    this.#beam = beam;
    this.#layer = layer;
    this.#slopes = beam.slopes(STRAIGHT).map(([, border]) => border);
  }

  /** Downward displacement of the straight beam's columns for a small bend, px. */
  displacements(bend: readonly number[]): number[] {
    return Array.from({ length: this.#layer.width }, (_, column) =>
      bend.reduce((sum, own, i) => sum + own * (this.#slopes[i][column] || 0), 0),
    );
  }

  /** Fits the bend to a frame; with `findsBlur`, the exposure time and additional blur too. */
  fit(picture: BeamPicture, start: ExposedBend, rounds: readonly BeamRound[], findsBlur = false): FittedBend {
    const beam = this.#beam;
    let { bend } = start;
    let shades: readonly number[] = Array<number>(BRIGHTNESS_FACTORS).fill(0);
    let last: Equations | undefined;
    let { shutter, soft } = start;
    const ways = this.displacements(start.bendChange);
    const blurredBy = (variance: number): Layer =>
      blurred(
        this.#layer,
        ways.map((way) => Math.sqrt(Math.max((way * shutter) ** 2 + variance, 0))),
      );
    let exposedLayer = blurredBy(soft);
    for (const round of rounds) {
      const { step } = BEAM.blur;
      const blurs = findsBlur
        ? {
            less: blurredBy(soft - step),
            more: blurredBy(soft + step),
            step,
            slopes: [ways.map((way) => 2 * way ** 2 * shutter), ways.map(() => 1)],
          }
        : undefined;
      const comparedDistances = ways.map((way) => BEAM.beside + (shutter * Math.abs(way)) / 2);
      const equations = equationsOf({ picture, beam, bend, shades, exposedLayer, blurs, comparedDistances, round });
      const steps = solvePositiveDefinite(equations.normal, equations.slope);
      if (!steps) break;
      last = equations;
      bend = bend.map((own, i) => own + steps[i]);
      shades = shades.map((shade, i) => shade + steps[bend.length + i]);
      if (!findsBlur) continue;
      const [longer, softer] = steps.slice(bend.length + BRIGHTNESS_FACTORS);
      shutter = clamped(shutter + longer, BEAM.blur.shutter);
      soft = clamped(soft + softer, BEAM.blur.soft);
      exposedLayer = blurredBy(soft);
    }
    return { bend, shutter, soft, ...(last ? explainedBy(last, beam, bend) : { scatter: 0, outlierFraction: 0 }) };
  }
}

const clamped = (value: number, [least, most]: readonly [number, number]): number =>
  Math.min(Math.max(value, least), most);

/** Uncertainty of a fitted bend, and the fraction of the compared pixels that it does not explain. */
function explainedBy(
  { normal, squares, weights, pixels }: Equations,
  beam: BentBeam,
  bend: readonly number[],
): Pick<FittedBend, 'scatter' | 'outlierFraction'> {
  const height = beam.outline(bend).y;
  const moves = normal.map((_, i) => {
    if (i >= bend.length) return 0;
    return (beam.outline(bend.map((own, k) => (k === i ? own + BEAM.bendStep : own))).y - height) / BEAM.bendStep;
  });
  const variance = solvePositiveDefinite(normal, moves)?.reduce((sum, v, i) => sum + v * moves[i], 0) ?? 0;
  return {
    scatter: Math.sqrt((Math.max(variance, 0) * squares) / Math.max(weights, 1)),
    outlierFraction: 1 - weights / Math.max(3 * pixels, 1),
  };
}
