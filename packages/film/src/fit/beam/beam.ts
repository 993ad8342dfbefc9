import type { StopSignal } from '@gradsim/core';
import type { FilmCamera } from '../../camera.ts';
import { hullOf } from '../../outlines/hull.ts';
import { BEAM } from '../../tuning/beam.ts';
import type { CropRegion } from '../pictures.ts';

/** Options of `fitBeamOutlines`. */
export interface BeamOutlineOptions {
  /** Length from the clamp to the free end, vertical thickness, and horizontal width across the length, m. */
  readonly length: number;
  readonly thickness: number;
  readonly width: number;
  /** Point at which the beam's middle line leaves the clamp, m, y upwards. */
  readonly clamp: readonly number[];
  /** Horizontal unit vector from the clamp along the beam. Default [1, 0, 0]. */
  readonly direction?: readonly number[];
  /** Stops the fit when it is aborted; its reason is thrown. */
  readonly signal?: StopSignal;
}

/** Dimensionless wave numbers z of a cantilever's first two bending modes: cos z cosh z = -1. */
const MODES = [1.8751040687119611, 4.694091132974175];

/** Slope of a mode at a fraction of the length from the clamp, scaled to a displacement of 1 at the free end. */
function slopeOf(z: number, part: number): number {
  const y = z * part;
  const ratio = (Math.cosh(z) + Math.cos(z)) / (Math.sinh(z) + Math.sin(z));
  const end = Math.cosh(z) - Math.cos(z) - ratio * (Math.sinh(z) - Math.sin(z));
  return (z * (Math.sinh(y) + Math.sin(y) - ratio * (Math.cosh(y) - Math.cos(y)))) / end;
}

/**
 * Bend of a straight beam. A bend has one number for each of a cantilever's first two modes, the height by which the
 * mode displaces the free end for small bends, m; the angle along the beam is the sum over the modes.
 */
export const STRAIGHT: readonly number[] = MODES.map(() => 0);
/** Slopes of the modes, [station][mode]; stations divide the length evenly. */
const SLOPES = Array.from({ length: BEAM.stations + 1 }, (_, k) => MODES.map((z) => slopeOf(z, k / BEAM.stations)));

type Point = readonly [x: number, y: number];
/** Position of an edge along the beam relative to the middle line, m: upwards and across. */
type Edge = readonly [up: number, across: number];

/**
 * Point of an edge in a column of a cut: its row, px from the top of the cut, its displacement from the straight beam,
 * px, and its position as a fraction of the length.
 */
interface BeamPointOffset {
  readonly row: number;
  readonly right: number;
  readonly down: number;
  readonly part: number;
}

type Offsets = readonly (BeamPointOffset | undefined)[];

/**
 * Visible edges of a beam, by column of a cut: the upper edge, the edge between the two visible sides, and the lower
 * edge.
 */
export type EdgeOffsets = readonly [upper: Offsets, border: Offsets, lower: Offsets];

/** Geometry of a bent beam in a camera's picture. */
export class BentBeam {
  /** Corners of the straight beam in the picture, px. */
  readonly corners: readonly Point[];
  readonly #at: (along: number, up: number, across: number) => Point;
  /** The four long edges, in order around the cross section. */
  readonly #around: readonly Edge[];
  readonly #outline: readonly [upper: Edge, border: Edge, lower: Edge];
  readonly #length: number;

  constructor(camera: FilmCamera, options: BeamOutlineOptions) {
    const { length, thickness, width, clamp, direction = [1, 0, 0] } = options;
    const side = [-direction[2], 0, direction[0]];
    this.#length = length;
    const place = (along: number, up: number, across: number): number[] =>
      [0, 1, 2].map((k) => clamp[k] + along * direction[k] + across * side[k] + (k === 1 ? up : 0));
    this.#at = (along, up, across) => camera.project(place(along, up, across));
    const [u, a] = [thickness / 2, width / 2];
    this.#around = [
      [u, a],
      [u, -a],
      [-u, -a],
      [-u, a],
    ];
    this.corners = this.#around.flatMap((edge) => [this.#at(0, ...edge), this.#at(length, ...edge)]);
    const rows = this.#around.map((edge) => ({ edge, row: this.#at(length / 2, ...edge)[1] }));
    const [upper, second, third, lower] = rows.sort((p, q) => p.row - q.row).map(({ edge }) => edge);
    const away = (edge: Edge): number =>
      Math.hypot(...place(length / 2, ...edge).map((c, k) => c - camera.position[k]));
    this.#outline = [upper, away(second) < away(third) ? second : third, lower];
  }

  /**
   * Middle line, station by station: position along the straight beam and height above it, m, and angle, rad. Bending
   * does not change its length.
   */
  #centreLine(bend: readonly number[]): (readonly [along: number, up: number, angle: number])[] {
    const angles = SLOPES.map((slopes) => slopes.reduce((sum, own, i) => sum + own * bend[i], 0) / this.#length);
    let [along, up] = [0, 0];
    return angles.map((angle, k) => {
      if (k > 0) {
        const between = (angles[k - 1] + angle) / 2;
        along += (Math.cos(between) * this.#length) / BEAM.stations;
        up += (Math.sin(between) * this.#length) / BEAM.stations;
      }
      return [along, up, angle];
    });
  }

  /** Height of the free end above that of the straight beam, m. */
  tipHeight(bend: readonly number[]): number {
    return this.#centreLine(bend)[BEAM.stations][1];
  }

  /** Positions of an edge in the picture, px, station by station. */
  #line(bend: readonly number[], [up, across]: Edge): Point[] {
    // Cross sections rotate with the middle line.
    return this.#centreLine(bend).map(([along, high, angle]) =>
      this.#at(along - up * Math.sin(angle), high + up * Math.cos(angle), across),
    );
  }

  /**
   * Centroid of the beam's outline, px, and its size, the square root of its area over pi, px: of all visible faces,
   * none of which may hide another.
   */
  outline(bend: readonly number[]): { readonly x: number; readonly y: number; readonly size: number } {
    const lines = this.#around.map((edge) => this.#line(bend, edge));
    let [area, x, y] = [0, 0, 0];
    const add = (a: Point, b: Point, c: Point): void => {
      const own = ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
      // Visible faces are clockwise.
      if (own <= 0) return;
      area += own;
      x += (own * (a[0] + b[0] + c[0])) / 3;
      y += (own * (a[1] + b[1] + c[1])) / 3;
    };
    lines.forEach((line, i) => {
      const beside = lines[(i + 1) % lines.length];
      for (let k = 0; k < BEAM.stations; k++) {
        add(line[k], beside[k], beside[k + 1]);
        add(line[k], beside[k + 1], line[k + 1]);
      }
    });
    const [a, b, c, d] = lines.map((line) => line[BEAM.stations]);
    add(a, b, c);
    add(a, c, d);
    return { x: x / area, y: y / area, size: Math.sqrt(area / Math.PI) };
  }

  /** Visible edges in the columns of a cut; undefined in columns without the beam. */
  edges(bend: readonly number[], cut: CropRegion): EdgeOffsets {
    const [upper, border, lower] = this.#outline.map((edge) => this.#offsets(bend, edge, cut));
    return [upper, border, lower];
  }

  #offsets(bend: readonly number[], edge: Edge, cut: CropRegion): Offsets {
    const [bent, straight] = [this.#line(bend, edge), this.#line(STRAIGHT, edge)];
    const out: (BeamPointOffset | undefined)[] = Array(cut.width).fill(undefined);
    for (let k = 0; k < BEAM.stations; k++) {
      const [[a], [b]] = [bent[k], bent[k + 1]];
      const [from, to] = [Math.min(a, b) - cut.left - 0.5, Math.max(a, b) - cut.left - 0.5];
      for (let column = Math.max(0, Math.ceil(from)); column <= Math.min(cut.width - 1, to); column++) {
        const share = (column + cut.left + 0.5 - a) / (b - a);
        const [right, down] = [0, 1].map((c) => {
          const [here, next] = [bent[k][c] - straight[k][c], bent[k + 1][c] - straight[k + 1][c]];
          return here + share * (next - here);
        });
        const row = bent[k][1] + share * (bent[k + 1][1] - bent[k][1]) - cut.top;
        out[column] = { right, down, row, part: (k + share) / BEAM.stations };
      }
    }
    return out;
  }

  /** Derivatives of the edges' downward displacement by each bend, px/m: [mode][edge][column]. */
  slopes(bend: readonly number[], cut: CropRegion): readonly (readonly (readonly number[])[])[] {
    const here = this.edges(bend, cut);
    return MODES.map((_, i) => {
      const there = this.edges(
        bend.map((own, k) => (k === i ? own + BEAM.bendStep : own)),
        cut,
      );
      return here.map((line, l) =>
        line.map((offset, column) => ((there[l][column]?.down ?? 0) - (offset?.down ?? 0)) / BEAM.bendStep),
      );
    });
  }

  /**
   * Rows of the upper and lower rim of the straight beam in each column of a cut, px from its top; undefined in columns
   * without the beam.
   */
  rims(cut: CropRegion): ([above: number, below: number] | undefined)[] {
    const hull = hullOf(this.corners);
    return Array.from({ length: cut.width }, (_, column) => {
      const x = column + cut.left + 0.5;
      const rows = hull.flatMap(([a, b], k) => {
        const [c, d] = hull[(k + 1) % hull.length];
        return a <= x === c <= x ? [] : [b + ((x - a) / (c - a)) * (d - b) - cut.top];
      });
      return rows.length < 2 ? undefined : [Math.min(...rows), Math.max(...rows)];
    });
  }
}
