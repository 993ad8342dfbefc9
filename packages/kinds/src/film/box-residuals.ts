import { sumOfSquares } from '@gradsim/base';
import type { BoxState, FilmCamera, ObservedOutline } from '@gradsim/film';
import { boxOutline } from '@gradsim/film';

/** Standard deviation of reaches of outlines from masks, px, and what is added to the stated one of others' middles, px. */
const [MASK, CAUTIOUS] = [1.5, 0.2];
/**
 * Weight of an outline's middle, whose standard deviation its reaches have as many times, since their errors go together: as in
 * `BOX.tumble` and `MASKS` of @gradsim/film. Taken as independent, they told the field of view against what was measured of it.
 */
const MIDDLE = 3;

/** View of a box, and the px by which all its outlines are larger. */
export interface BoxView {
  readonly size: readonly [number, number, number];
  readonly view: FilmCamera;
  readonly bias: number;
}

/** Differences of an outline from that of a state of a box: its reaches and middle, px. */
export function boxOffsets({ size, view, bias }: BoxView, state: BoxState, outline: ObservedOutline): number[] {
  const seen = boxOutline(size, state, view.project);
  const off = seen.reaches.map((reach, k) => reach + bias - outline.reaches![k]);
  off.push(MIDDLE * (seen.x - outline.x), MIDDLE * (seen.y - outline.y));
  return off;
}

/**
 * Residuals of outlines, by frame, from those of a box, in standard deviations. A frame whose mean square is s counts as one of
 * ln(1 + s): a mask that contains a shadow, or a frame after an impact that is not understood yet, hardly counts.
 */
export function boxResiduals(
  seen: BoxView,
  states: readonly BoxState[],
  outlines: readonly (ObservedOutline | null | undefined)[],
): number[] {
  const residuals: number[] = [];
  outlines.forEach((outline, frame) => {
    if (!outline?.reaches) return;
    const deviation = outline.uncertainty === undefined ? MASK : MIDDLE * Math.hypot(outline.uncertainty, CAUTIOUS);
    const off = boxOffsets(seen, states[frame], outline);
    const square = sumOfSquares(off) / (off.length * deviation ** 2);
    const factor = (square > 0 ? Math.sqrt(Math.log1p(square) / square) : 1) / deviation;
    for (const r of off) residuals.push(factor * r);
  });
  return residuals;
}
