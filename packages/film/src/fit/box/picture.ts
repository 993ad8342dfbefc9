import { dot, multiplyQuaternions, rotate, rotationAbout } from '@gradsim/base';
import type { FilmCamera } from '../../camera.ts';
import type { BoxState } from '../../starts/box/turning.ts';
import type { V3 } from '../../starts/path.ts';
import type { Canvas } from '../canvas.ts';
import { instantsOf } from '../parts.ts';
import type { CropRegion } from '../pictures.ts';

/** Visible side of a box in a picture. */
interface SideSeen {
  /** Fraction of each pixel that the side covers, averaged over the exposure. */
  readonly cover: Float64Array;
  /** Sum of the covered fractions, px^2, and the middle of the side in the picture, px. */
  readonly area: number;
  readonly x: number;
  readonly y: number;
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

/** State of a box after a time, s, at constant velocity and angular velocity. */
export function movedOn(state: BoxState, seconds: number): Pick<BoxState, 'position' | 'orientation'> {
  return {
    position: state.position.map((c, k) => c + seconds * state.velocity[k]),
    orientation: multiplyQuaternions(rotationAbout(state.angularVelocity, seconds), state.orientation),
  };
}

/**
 * Picture of each visible side of a box in an exposure of this length, s, centred on the state's time.
 *
 * @param soft width over which a rim is drawn, px; 1 for an anti-aliased rim.
 */
export function sidesSeen(
  size: readonly number[],
  state: BoxState,
  seconds: number,
  camera: FilmCamera,
  canvas: Canvas,
  soft: number,
): SideSeen[] {
  const { cut } = canvas;
  const { corners, sides } = sidesOf(size);
  const shownAt = (after: number) => {
    const { position, orientation } = movedOn(state, after);
    const places = corners.map((corner) => rotate(orientation, corner).map((c, k) => c + position[k]));
    return { places, orientation, shown: places.map((place) => camera.project(place)) };
  };
  const [open, shut] = [shownAt(-seconds / 2), shownAt(seconds / 2)];
  const blur = Math.max(...open.shown.map(([x, y], k) => Math.hypot(x - shut.shown[k][0], y - shut.shown[k][1])));
  const count = instantsOf(blur);
  const covers = sides.map(() => canvas.sheet());
  for (let k = 0; k < count; k++) {
    const { places, orientation, shown } = shownAt(seconds * ((k + 0.5) / count - 0.5));
    sides.forEach(({ normal, corners: own }, side) => {
      const outwards = rotate(orientation, normal);
      const facing = dot(
        outwards,
        places[own[0]].map((c, j) => camera.position[j] - c),
      );
      if (facing > 0)
        cover(
          covers[side],
          own.map((c) => shown[c]),
          { cut, soft, share: 1 / count },
        );
    });
  }
  return covers.flatMap((each): SideSeen[] => {
    let [area, x, y] = [0, 0, 0];
    for (let p = 0; p < each.length; p++) {
      area += each[p];
      x += each[p] * (p % cut.width);
      y += each[p] * Math.floor(p / cut.width);
    }
    return area > 0 ? [{ cover: each, area, x: x / area, y: y / area }] : [];
  });
}

/** Adds the fraction of each pixel that a convex polygon covers, computed from the distance to its nearest edge. */
function cover(
  into: Float64Array,
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
  const edges = polygon.map(([a, b], k) => {
    const [c, d] = polygon[(k + 1) % polygon.length];
    const length = Math.hypot(c - a, d - b) || 1;
    // Positive inside the polygon.
    const [u, v] = [(-turn * (d - b)) / length, (turn * (c - a)) / length];
    return [u, v, -(u * a + v * b)];
  });
  const [xs, ys] = [polygon.map(([x]) => x), polygon.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs) - cut.left, Math.max(...xs) - cut.left];
  const [top, bottom] = [Math.min(...ys) - cut.top, Math.max(...ys) - cut.top];
  const columns = [Math.max(0, Math.floor(left - soft)), Math.min(cut.width - 1, Math.floor(right + soft))];
  for (let row = Math.max(0, Math.floor(top - soft)); row <= Math.min(cut.height - 1, bottom + soft); row++) {
    const y = cut.top + row + 0.5;
    const [first, last] = columnsWithin(edges, y, -soft / 2, cut.left);
    const [firstWhole, lastWhole] = columnsWithin(edges, y, soft / 2, cut.left);
    // Pixels at the ends are computed: they may round to either side.
    for (let column = Math.max(columns[0], first - 1); column <= Math.min(columns[1], last + 1); column++) {
      let inside = 1;
      if (column <= firstWhole || column >= lastWhole) {
        const x = cut.left + column + 0.5;
        for (const [u, v, w] of edges) inside = Math.min(inside, (u * x + v * y + w) / soft + 0.5);
      }
      if (inside > 0) into[row * cut.width + column] += inside * share;
    }
  }
}

/**
 * First and last column of a row that lie at least this deep inside all edges, px. An edge is (u, v, w), with u x + v y + w
 * the depth.
 */
function columnsWithin(
  edges: readonly (readonly number[])[],
  y: number,
  depth: number,
  left: number,
): [number, number] {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const [u, v, w] of edges) {
    const missing = depth - v * y - w;
    const at = missing / u - left - 0.5;
    if (u > 0) from = Math.max(from, at);
    else if (u < 0) to = Math.min(to, at);
    else if (missing > 0) to = Number.NEGATIVE_INFINITY;
  }
  return [Math.ceil(from), Math.floor(to)];
}
