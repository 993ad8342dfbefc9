import {
  add,
  mean,
  norm,
  normalizeQuaternion,
  type Quaternion,
  rotate,
  subtract,
  sumOfSquares,
  type Vector,
  vectorOf,
} from '@gradsim/base';
import { symmetricEigen } from '@gradsim/base/decompositions';
import { GradsimError } from '@gradsim/core';

/** A rigid registration: a point X of the body lies at rotate(orientation, X) + translation of the recording. */
export interface Registration {
  readonly orientation: Quaternion;
  readonly translation: Vector;
  /** Root mean square distance of the points after it, m. */
  readonly residual: number;
}

/**
 * Returns the rotation and translation that lay points on points in the sense of least squares, by the eigenvector of
 * Horn's 4 x 4 matrix (B. K. P. Horn, 1987).
 *
 * @param from points of the body; `to`: the same points in the recording, three or more, not on one line.
 */
export function registerPoints(from: readonly Vector[], to: readonly Vector[]): Registration {
  const centre = (points: readonly Vector[]): Vector => vectorOf((c) => mean(points.map((p) => p[c])));
  const [a, b] = [centre(from), centre(to)];
  const s = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => from.reduce((sum, p, k) => sum + (p[i] - a[i]) * (to[k][j] - b[j]), 0)),
  );
  // For (x, y, z, w).
  const matrix = [
    [s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2], s[1][2] - s[2][1]],
    [s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1], s[2][0] - s[0][2]],
    [s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1], s[0][1] - s[1][0]],
    [s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0], s[0][0] + s[1][1] + s[2][2]],
  ];
  const orientation = normalizeQuaternion(symmetricEigen(matrix.flat()).vectors[3]);
  const translation = subtract(b, rotate(orientation, a));
  const squares = from.reduce(
    (sum, p, k) => sum + sumOfSquares(subtract(add(rotate(orientation, p), translation), to[k])),
    0,
  );
  return { orientation, translation, residual: Math.sqrt(squares / from.length) };
}

/** Ratio of distances between told and measured points above which units differ. */
const UNIT_ERROR_RATIO = 20;
/** Part of the distance between points that their registration may leave, and that an exchange of two must explain. */
const MAX_RESIDUAL_SHARE = 0.35;
const EXCHANGE_RESIDUAL_SHARE = 0.05;

/**
 * Registers markers at told places of a body with their measured positions at rest.
 * @throws where distances between them differ as those in different units do, and where they fit better with two
 * markers exchanged, or not at all.
 */
export function registerMarkers(
  recording: string,
  names: readonly string[],
  givenPositions: readonly Vector[],
  measured: readonly Vector[],
): Registration {
  if (givenPositions.length < 3)
    throw new GradsimError(
      'markers/too-few-markers',
      `${recording}: ${givenPositions.length} markers are told to be on the body.`,
      {
        hint: 'A registration needs three that are not on one line.',
      },
    );
  const extent = (points: readonly Vector[]): number =>
    Math.max(...points.flatMap((p) => points.map((q) => norm(subtract(p, q)))));
  const [size, seen] = [extent(givenPositions), extent(measured)];
  if (seen > UNIT_ERROR_RATIO * size || size > UNIT_ERROR_RATIO * seen)
    throw new GradsimError(
      'markers/unit-differs',
      `${recording}: markers are up to ${seen.toPrecision(3)} m apart, and on the body up to ${size.toPrecision(3)} m.`,
      { hint: 'Both must be in metres; a table in millimetres says x [mm], y [mm], z [mm].' },
    );
  const found = registerPoints(givenPositions, measured);
  for (let a = 0; a < givenPositions.length; a++)
    for (let b = a + 1; b < givenPositions.length; b++) {
      const exchanged = measured.map((p, k) => (k === a ? measured[b] : k === b ? measured[a] : p));
      if (
        found.residual > EXCHANGE_RESIDUAL_SHARE * size &&
        registerPoints(givenPositions, exchanged).residual < found.residual / 2
      )
        throw new GradsimError(
          'markers/exchanged-on-body',
          `${recording}: markers ${names[a]} and ${names[b]} lie on the body as if exchanged.`,
          { hint: 'Exchange their told places, or their names in the table.' },
        );
    }
  if (found.residual > MAX_RESIDUAL_SHARE * size)
    throw new GradsimError(
      'markers/not-on-body',
      `${recording}: told places of markers and measured ones differ by ${found.residual.toPrecision(3)} m root mean square.`,
      { hint: 'Check places and names of the markers.' },
    );
  return found;
}
