import type { TriangleMesh } from '@gradsim/mesh';
import { boundsOf, SignedDistance } from '@gradsim/mesh';

/** Signed distance of a mesh as a quadratic B-spline: smooth, and exact at the grid's points. */
export interface DistanceGrid {
  /** Spline coefficients, m, one per grid point; the index of x varies fastest, then y, then z. */
  readonly coefficients: Float64Array;
  /** Number of grid points along x, y and z. */
  readonly counts: readonly number[];
  /** Distance between adjacent grid points, m. */
  readonly spacing: number;
  /** Centre of the grid in the mesh's axes, m. */
  readonly centre: readonly number[];
  /** Distance outside the mesh up to which the spline is defined, m. */
  readonly reach: number;
}

/**
 * Samples the signed distance of a closed mesh on a grid, and interpolates it by a quadratic B-spline.
 *
 * @param resolution cells along the longest side of the mesh.
 * @param thickness distance from the mesh at which contact begins, m; the grid reaches twice as far, and a cell more.
 */
export function distanceGrid(mesh: TriangleMesh, resolution: number, thickness: number): DistanceGrid {
  const { low, high } = boundsOf(mesh);
  const spacing = Math.max(...high.map((h, axis) => h - low[axis])) / resolution;
  const reach = 2 * thickness + spacing;
  const centre = low.map((l, axis) => (l + high[axis]) / 2);
  // A cell more than the reach, so that no error of the spline reaches its border, plus the spline's own border.
  const counts = low.map((l, axis) => Math.ceil((high[axis] - l + 2 * reach) / spacing) + 5);
  const coefficients = new Float64Array(counts[0] * counts[1] * counts[2]);
  const distance = new SignedDistance(mesh);
  const place = (k: number, axis: number): number => centre[axis] + (k - (counts[axis] - 1) / 2) * spacing;
  let at = 0;
  for (let z = 0; z < counts[2]; z++)
    for (let y = 0; y < counts[1]; y++)
      for (let x = 0; x < counts[0]; x++) {
        // Over one cell the distance changes by at most the spacing.
        const atMost = x > 0 ? Math.abs(coefficients[at - 1]) + spacing : Infinity;
        coefficients[at++] = distance.at([place(x, 0), place(y, 1), place(z, 2)], atMost);
      }
  interpolate(coefficients, counts);
  return { coefficients, counts, spacing, centre, reach };
}

/**
 * Converts samples into the coefficients of the interpolating spline, in place. Along each axis, the spline at a grid
 * point is (c- + 6 c + c+) / 8, with its coefficient c and those of its two neighbours; so each grid line is a
 * tridiagonal system (Thomas's algorithm), solved axis by axis. The first and last coefficient of a line remain
 * samples; the spline is not evaluated there.
 */
function interpolate(values: Float64Array, counts: readonly number[]): void {
  let stride = 1;
  for (const count of counts) {
    const above = new Float64Array(count);
    for (let first = 0; first < values.length; first++) {
      if (Math.floor(first / stride) % count !== 0) continue;
      for (let k = 1; k < count - 1; k++) {
        const at = first + k * stride;
        const pivot = 6 / 8 - above[k - 1] / 8;
        above[k] = 1 / 8 / pivot;
        values[at] = (values[at] - values[at - stride] / 8) / pivot;
      }
      for (let k = count - 2; k > 0; k--) values[first + k * stride] -= above[k] * values[first + (k + 1) * stride];
    }
    stride *= count;
  }
}
