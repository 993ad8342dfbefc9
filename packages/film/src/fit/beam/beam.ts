import type { StopSignal } from '@gradsim/core';
import type { FilmCamera } from '../../film-camera.ts';
import { hullOf } from '../../outlines/hull.ts';
import { BEAM } from '../../tuning/beam.ts';
import { type CropRegion, cutAround } from '../pictures.ts';

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
/** Middle line, station by station: position along the straight beam and height above it, m, and angle, rad. */
type CentreLine = readonly (readonly [along: number, up: number, angle: number])[];
/** Position of an edge along the beam relative to the middle line, m: upwards and across. */
type Edge = readonly [up: number, across: number];

/**
 * Edge of a bent beam in the columns of {@link BentBeam.cut}: its row, px from the top of the picture, its displacement
 * from the straight beam, px, and its position as a fraction of the length. NaN in columns without the beam.
 */
export interface EdgeOffsets {
  readonly row: Float64Array;
  readonly right: Float64Array;
  readonly down: Float64Array;
  readonly part: Float64Array;
}

/** Visible edges of a beam: the upper edge, the edge between the two visible sides, and the lower edge. */
export type VisibleEdges<T> = readonly [upper: T, border: T, lower: T];

/** Geometry of a bent beam in a camera's picture. */
export class BentBeam {
  /** Region of the straight beam in the picture, with a margin. */
  readonly cut: CropRegion;
  /** Corners of the straight beam in the picture, px. */
  readonly #corners: readonly Point[];
  readonly #at: (along: number, up: number, across: number) => Point;
  /** The four long edges, in order around the cross section. */
  readonly #around: readonly Edge[];
  readonly #visible: VisibleEdges<{ readonly edge: Edge; readonly straight: readonly Point[] }>;
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
    this.#corners = this.#around.flatMap((edge) => [this.#at(0, ...edge), this.#at(length, ...edge)]);
    this.cut = cutAround(this.#corners, BEAM.margin, camera);
    const rows = this.#around.map((edge) => ({ edge, row: this.#at(length / 2, ...edge)[1] }));
    const [upper, second, third, lower] = rows.sort((p, q) => p.row - q.row).map(({ edge }) => edge);
    const away = (edge: Edge): number =>
      Math.hypot(...place(length / 2, ...edge).map((c, k) => c - camera.position[k]));
    const withLine = (edge: Edge) => ({ edge, straight: this.#line(this.#centreLine(STRAIGHT), edge) });
    this.#visible = [withLine(upper), withLine(away(second) < away(third) ? second : third), withLine(lower)];
  }

  /** Middle line of the bent beam. Bending does not change its length. */
  #centreLine(bend: readonly number[]): CentreLine {
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
  #line(centreLine: CentreLine, [up, across]: Edge): Point[] {
    // Cross sections rotate with the middle line.
    return centreLine.map(([along, high, angle]) =>
      this.#at(along - up * Math.sin(angle), high + up * Math.cos(angle), across),
    );
  }

  /**
   * Centroid of the beam's outline, px, and its size, the square root of its area over pi, px: of all visible faces,
   * none of which may hide another.
   */
  outline(bend: readonly number[]): { readonly x: number; readonly y: number; readonly size: number } {
    const centreLine = this.#centreLine(bend);
    const lines = this.#around.map((edge) => this.#line(centreLine, edge));
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

  /** Visible edges of the bent beam. */
  edges(bend: readonly number[]): VisibleEdges<EdgeOffsets> {
    const centreLine = this.#centreLine(bend);
    const [upper, border, lower] = this.#visible.map(({ edge, straight }) =>
      this.#offsets(this.#line(centreLine, edge), straight),
    );
    return [upper, border, lower];
  }

  #offsets(bent: readonly Point[], straight: readonly Point[]): EdgeOffsets {
    const { left, width } = this.cut;
    const [row, right, down, part] = [0, 0, 0, 0].map(() => new Float64Array(width).fill(Number.NaN));
    for (let k = 0; k < BEAM.stations; k++) {
      const [[a, b], [c, d]] = [bent[k], bent[k + 1]];
      const [from, to] = [Math.min(a, c) - left - 0.5, Math.max(a, c) - left - 0.5];
      const [across, high] = [a - straight[k][0], b - straight[k][1]];
      const [moreAcross, higher] = [c - straight[k + 1][0] - across, d - straight[k + 1][1] - high];
      for (let column = Math.max(0, Math.ceil(from)); column <= Math.min(width - 1, to); column++) {
        const share = (column + left + 0.5 - a) / (c - a);
        row[column] = b + share * (d - b);
        right[column] = across + share * moreAcross;
        down[column] = high + share * higher;
        part[column] = (k + share) / BEAM.stations;
      }
    }
    return { row, right, down, part };
  }

  /** Derivatives of the edges' downward displacement by each bend, px/m, by column: [mode][edge][column]. */
  slopes(bend: readonly number[], edges = this.edges(bend)): readonly VisibleEdges<Float64Array>[] {
    return MODES.map((_, i) => {
      const there = this.edges(bend.map((own, k) => (k === i ? own + BEAM.bendStep : own)));
      const [upper, border, lower] = edges.map(({ down }, l) =>
        down.map((own, column) => (there[l].down[column] - own) / BEAM.bendStep),
      );
      return [upper, border, lower];
    });
  }

  /**
   * Rows of the upper and lower rim of the straight beam in each column of its region, px from the top of that;
   * undefined in columns without the beam.
   */
  rims(): ([above: number, below: number] | undefined)[] {
    const { left, top, width } = this.cut;
    const hull = hullOf(this.#corners);
    return Array.from({ length: width }, (_, column) => {
      const x = column + left + 0.5;
      const rows = hull.flatMap(([a, b], k) => {
        const [c, d] = hull[(k + 1) % hull.length];
        return a <= x === c <= x ? [] : [b + ((x - a) / (c - a)) * (d - b) - top];
      });
      return rows.length < 2 ? undefined : [Math.min(...rows), Math.max(...rows)];
    });
  }
}
