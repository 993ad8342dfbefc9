import { dot, multiplyQuaternions, rotate, rotationAbout } from '@gradsim/base';
import type { FilmCamera } from '../../film-camera.ts';
import type { BoxState, ExposedBox } from '../../starts/box/turning.ts';
import type { V3 } from '../../starts/path.ts';
import type { Canvas } from '../canvas.ts';
import { instantsOf } from '../parts.ts';
import type { CropRegion } from '../pictures.ts';

/** Visible side of a box in a picture. */
export interface SideSeen {
  /** Fraction of each pixel that the side covers, averaged over the exposure; 0 outside the region. */
  readonly cover: Float64Array;
  readonly region: Region;
  /** Corners in the middle of the exposure, px. */
  readonly corners: readonly (readonly number[])[];
}

/** Columns and rows of a sheet, from the first to the last, that a side may cover in an exposure. */
interface Region {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * Corners of a box of this size relative to its centre, m, and its sides with their corners' indices, in order around
 * the side.
 */
export function sidesOf(size: readonly number[]): {
  corners: V3[];
  sides: { normal: V3; corners: number[] }[];
} {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].map(
    (k): V3 => [4, 2, 1].map((bit, axis) => ((k & bit ? 0.5 : -0.5) * size[axis]) as number),
  );
  const sides = [0, 1, 2].flatMap((axis) => {
    const [own, u, v] = [
      [4, 2, 1],
      [2, 1, 4],
      [1, 4, 2],
    ][axis];
    return [1, -1].map((sign) => {
      const first = sign > 0 ? own : 0;
      const normal = [0, 1, 2].map((k) => (k === axis ? sign : 0));
      return { normal, corners: [first, first | u, first | u | v, first | v] };
    });
  });
  return { corners, sides };
}

/** State of a box after a time, s, on its path or at constant velocity and angular velocity. */
export function movedOn(box: ExposedBox, seconds: number): Pick<BoxState, 'position' | 'orientation'> {
  const { step, states } = box.path ?? { step: 1, states: [box] };
  const half = states.length >> 1;
  const steps = Math.min(Math.max(Math.round(seconds / step), -half), half);
  const { position, velocity, orientation, angularVelocity } = states[half + steps];
  const left = seconds - steps * step;
  return {
    position: position.map((c, k) => c + left * velocity[k]),
    orientation: multiplyQuaternions(rotationAbout(angularVelocity, left), orientation),
  };
}

/**
 * Picture of each visible side of a box in an exposure of this length, s, centred on the state's time.
 *
 * @param soft width over which a rim is drawn, px; 1 for an anti-aliased rim.
 */
export function sidesSeen(
  size: readonly number[],
  state: ExposedBox,
  seconds: number,
  camera: FilmCamera,
  canvas: Canvas,
  soft: number,
): SideSeen[] {
  const { corners, sides } = sidesOf(size);
  const shownAt = (after: number) => {
    const { position, orientation } = movedOn(state, after);
    const places = corners.map((corner) => rotate(orientation, corner).map((c, k) => c + position[k]));
    return { places, orientation, shown: places.map((place) => camera.project(place)) };
  };
  const [open, middle, shut] = [-seconds / 2, 0, seconds / 2].map(shownAt);
  const blur = Math.max(
    ...middle.shown.map(([x, y], k) =>
      [open, shut].reduce((sum, { shown }) => sum + Math.hypot(x - shown[k][0], y - shown[k][1]), 0),
    ),
  );
  const count = instantsOf(blur);
  const seen = new Map<number, SideSeen>();
  for (let k = 0; k < count; k++) {
    const { places, orientation, shown } = shownAt(seconds * ((k + 0.5) / count - 0.5));
    sides.forEach(({ normal, corners: own }, side) => {
      const outwards = rotate(orientation, normal);
      const facing = dot(
        outwards,
        places[own[0]].map((c, j) => camera.position[j] - c),
      );
      if (facing <= 0) return;
      let into = seen.get(side);
      if (!into) {
        const region = { left: canvas.cut.width, right: -1, top: canvas.cut.height, bottom: -1 };
        into = { cover: canvas.sheet(), region, corners: own.map((c) => middle.shown[c]) };
        seen.set(side, into);
      }
      cover(
        into,
        own.map((c) => shown[c]),
        { cut: canvas.cut, soft, share: 1 / count },
      );
    });
  }
  return [...seen.values()];
}

/** Adds the fraction of each pixel that a convex polygon covers, computed from the distance to its nearest edge. */
function cover(
  { cover: into, region }: SideSeen,
  polygon: readonly (readonly number[])[],
  { cut, soft, share }: { readonly cut: CropRegion; readonly soft: number; readonly share: number },
): void {
  let twice = 0;
  polygon.forEach(([a, b], k) => {
    const [c, d] = polygon[(k + 1) % polygon.length];
    twice += a * d - b * c;
  });
  if (twice === 0) return;
  const turn = Math.sign(twice);
  // Depth inside each edge, px: slope x + offset in a row, with x the middle of a column.
  const count = polygon.length;
  const [slopes, falls, offsets] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  polygon.forEach(([a, b], k) => {
    const [c, d] = polygon[(k + 1) % count];
    const length = Math.hypot(c - a, d - b) || 1;
    slopes[k] = (-turn * (d - b)) / length;
    falls[k] = (turn * (c - a)) / length;
    offsets[k] = slopes[k] * (cut.left + 0.5 - a) - falls[k] * b;
  });
  const inRow = new Float64Array(count);
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const left = Math.max(0, Math.floor(Math.min(...xs) - cut.left - soft));
  const right = Math.min(cut.width - 1, Math.floor(Math.max(...xs) - cut.left + soft));
  const top = Math.max(0, Math.floor(Math.min(...ys) - cut.top - soft));
  const bottom = Math.min(cut.height - 1, Math.floor(Math.max(...ys) - cut.top + soft));
  region.left = Math.min(region.left, left);
  region.right = Math.max(region.right, right);
  region.top = Math.min(region.top, top);
  region.bottom = Math.max(region.bottom, bottom);
  for (let row = top; row <= bottom; row++) {
    const y = cut.top + row + 0.5;
    for (let k = 0; k < count; k++) inRow[k] = offsets[k] + falls[k] * y;
    const [first, last] = columnsWithin(slopes, inRow, -soft / 2);
    const [firstWhole, lastWhole] = columnsWithin(slopes, inRow, soft / 2);
    // Pixels at the ends are computed: they may round to either side.
    const end = Math.min(right, last + 1);
    for (let column = Math.max(left, first - 1); column <= end; column++) {
      let inside = 1;
      if (column <= firstWhole || column >= lastWhole)
        for (let k = 0; k < count; k++) {
          const own = (slopes[k] * column + inRow[k]) / soft + 0.5;
          if (own < inside) inside = own;
        }
      if (inside > 0) into[row * cut.width + column] += inside * share;
    }
  }
}

/** First and last column of a row that lie at least this deep inside all edges, px, from the edges' slopes and depths at column 0. */
function columnsWithin(slopes: Float64Array, depths: Float64Array, depth: number): [number, number] {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let k = 0; k < slopes.length; k++) {
    const slope = slopes[k];
    const missing = depth - depths[k];
    if (slope > 0) from = Math.max(from, missing / slope);
    else if (slope < 0) to = Math.min(to, missing / slope);
    else if (missing > 0) to = Number.NEGATIVE_INFINITY;
  }
  return [Math.ceil(from), Math.floor(to)];
}
