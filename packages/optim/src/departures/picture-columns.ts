import type { PixelGrid } from '@gradsim/core';
import type { JacobianSample } from '../objective/jacobian-sample.ts';
import type { PreparedObservation } from '../objective/prepared-observation.ts';
import type { PatternKind } from '../posterior/departures.ts';
import type { Column, PatternPositions } from './patterns.ts';

/** Position of each element relative to the centre of its picture, px, and indices of its four neighbours. */
interface Places extends Readonly<Record<'left' | 'right' | 'above' | 'below', Int32Array>> {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Displacement of each element's image, px: to the right, and down. */
type Displacement = readonly [across: Float32Array, down: Float32Array];

/**
 * Patterns that depend on the position of pixels. From the output's gradient: the picture shifted across and down,
 * scaled, rotated, and distorted as by a lens, about its centre. From each unknown: its derivative in the right half
 * and in the lower half of the picture; the amplitude is the difference between the estimates from both halves.
 *
 * @param n number of unknowns for which halves are tested.
 */
export function pictureColumns(
  { elements }: Pick<PreparedObservation, 'elements'>,
  grid: PixelGrid,
  film: Pick<JacobianSample, 'positions' | 'columns' | 'modelOutput'>,
  n: number,
): Column[] {
  const places = placesOf(grid, elements);
  const { x, y } = places;
  const [nothing, one] = [new Float32Array(elements), new Float32Array(elements).fill(1)];
  const distortion = x.map((_, e) => (x[e] ** 2 + y[e] ** 2) / (grid.width / 2) ** 2);
  const moved = (kind: PatternKind, displacement: Displacement): Column => ({
    kind,
    subjectIndex: null,
    fill: (to, f, positions) => fillMoved(to, film.modelOutput[f], places, displacement, positions),
  });
  const beyond = (kind: PatternKind, subjectIndex: number, along: Float32Array): Column => {
    const middle = middleOf(along, film, subjectIndex);
    return {
      kind,
      subjectIndex,
      fill: (to, _, positions, derivatives) => fillBeyond(to, derivatives[subjectIndex], along, middle, positions),
    };
  };
  return [
    moved('across', [one, nothing]),
    moved('down', [nothing, one]),
    moved('scale', [x, y]),
    moved('turn', [y, x.map((value) => -value)]),
    moved('lens', [x.map((value, e) => value * distortion[e]), y.map((value, e) => value * distortion[e])]),
    ...Array.from({ length: n }, (_, i) => [beyond('right half', i, x), beyond('lower half', i, y)]).flat(),
  ];
}

/**
 * Patterns of edges that a renderer draws otherwise than a camera does: what is shown grows over its background
 * (`wide`), and its edges are smoother (`soft`).
 *
 * @param background picture of the background.
 */
export function edgeColumns(
  { elements }: Pick<PreparedObservation, 'elements'>,
  grid: PixelGrid,
  modelOutput: readonly Float32Array[],
  background: Float32Array,
): Column[] {
  const places = placesOf(grid, elements);
  const { left, right, above, below } = places;
  /** Unit vectors in which what is shown stands out more and more from its background. */
  const inward = modelOutput.map((picture): Displacement => {
    const contrast = new Float32Array(elements);
    for (let k = 0; k < picture.length; k++) contrast[k % elements] += (picture[k] - background[k]) ** 2;
    const across = contrast.map((_, e) => contrast[right[e]] - contrast[left[e]]);
    const down = contrast.map((_, e) => contrast[below[e]] - contrast[above[e]]);
    const lengths = across.map((x, e) => Math.hypot(x, down[e]) || 1);
    return [across.map((x, e) => x / lengths[e]), down.map((y, e) => y / lengths[e])];
  });
  return [
    {
      kind: 'wide',
      subjectIndex: null,
      fill: (to, f, positions) => fillMoved(to, modelOutput[f], places, inward[f], positions),
    },
    {
      kind: 'soft',
      subjectIndex: null,
      fill: (to, f, positions) => fillSmoothed(to, modelOutput[f], places, positions),
    },
  ];
}

/** Writes the discrete Laplacian of a frame, by which it changes, up to a factor, if it is smoothed. */
function fillSmoothed(
  to: Float64Array,
  shown: Float32Array,
  { left, right, above, below }: Places,
  { at, count }: PatternPositions,
): void {
  const elements = left.length;
  for (let i = 0; i < count; i++) {
    const e = at[i] % elements;
    const first = at[i] - e;
    const around = shown[first + left[e]] + shown[first + right[e]] + shown[first + above[e]] + shown[first + below[e]];
    to[i] = around - 4 * shown[at[i]];
  }
}

/** Writes the change of a frame, to first order, if its content is displaced. */
function fillMoved(
  to: Float64Array,
  shown: Float32Array,
  { left, right, above, below }: Places,
  [across, down]: Displacement,
  { at, count }: PatternPositions,
): void {
  const elements = across.length;
  for (let i = 0; i < count; i++) {
    const e = at[i] % elements;
    const first = at[i] - e;
    const horizontal = shown[first + right[e]] - shown[first + left[e]];
    const vertical = shown[first + below[e]] - shown[first + above[e]];
    to[i] = (across[e] * horizontal + down[e] * vertical) / 2;
  }
}

/** Writes derivatives of elements whose position along an axis is beyond `middle`, and zeros for the others. */
function fillBeyond(
  to: Float64Array,
  derivatives: Float64Array,
  along: Float32Array,
  middle: number,
  { at, count }: PatternPositions,
): void {
  for (let i = 0; i < count; i++) to[i] = along[at[i] % along.length] > middle ? derivatives[i] : 0;
}

/**
 * Positions and neighbours of the elements of all cameras' pictures; padding elements are at the centre, without
 * neighbours.
 */
function placesOf({ width, height, tile }: PixelGrid, elements: number): Places {
  const [tilesX, tilesY] = [Math.ceil(width / tile), Math.ceil(height / tile)];
  const cameras = elements / (tilesX * tilesY * tile ** 2);
  const elementAt = (camera: number, x: number, y: number): number =>
    ((camera * tilesY + Math.floor(y / tile)) * tilesX + Math.floor(x / tile)) * tile ** 2 +
    (y % tile) * tile +
    (x % tile);
  const indices = (): Int32Array => new Int32Array(elements);
  const places: Places = {
    x: new Float32Array(elements),
    y: new Float32Array(elements),
    left: indices(),
    right: indices(),
    above: indices(),
    below: indices(),
  };
  for (let camera = 0; camera < cameras; camera++)
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++) {
        const e = elementAt(camera, x, y);
        places.x[e] = x - (width - 1) / 2;
        places.y[e] = y - (height - 1) / 2;
        places.left[e] = elementAt(camera, Math.max(0, x - 1), y);
        places.right[e] = elementAt(camera, Math.min(width - 1, x + 1), y);
        places.above[e] = elementAt(camera, x, Math.max(0, y - 1));
        places.below[e] = elementAt(camera, x, Math.min(height - 1, y + 1));
      }
  return places;
}

/** Position along an axis that splits the squared derivatives with respect to an unknown into halves. */
function middleOf(
  places: Float32Array,
  { positions, columns }: Pick<JacobianSample, 'positions' | 'columns'>,
  i: number,
): number {
  const all = [...new Set(places)].sort((a, b) => a - b);
  const indices = new Map(all.map((place, at) => [place, at]));
  const information = new Float64Array(all.length);
  const indexOf = Uint32Array.from(places, (place) => indices.get(place)!);
  for (const [f, frame] of columns.entries()) addSquares(information, frame[i], positions[f], indexOf);
  const whole = information.reduce((sum, t) => sum + t, 0);
  let [sum, before] = [0, 0];
  for (const [at, place] of all.entries()) {
    const t = information[at];
    if (t === 0) continue;
    if (sum + t / 2 > whole / 2) break;
    sum += t;
    before = place;
  }
  return before;
}

/** Adds the square of each value of a column to the sum of its place. */
function addSquares(sums: Float64Array, column: Float32Array, at: Uint32Array, placeOf: Uint32Array): void {
  for (let i = 0; i < column.length; i++) sums[placeOf[at[i] % placeOf.length]] += column[i] * column[i];
}
