import type { TetMesh } from '../grid.ts';
import { Joined } from './joined.ts';

/** Both ends of an edge, and the other two corners. */
const EDGES = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 3, 1, 2],
  [1, 2, 0, 3],
  [1, 3, 0, 2],
  [2, 3, 0, 1],
] as const;
const DEGREES = 180 / Math.PI;

/** The six angles between two faces of the element whose vertices start at `tets[t]`, degrees, into `angles`. */
function anglesOf(
  positions: ArrayLike<number>,
  tets: ArrayLike<number>,
  t: number,
  angles: Float64Array,
): void {
  for (let e = 0; e < 6; e++) {
    const [i, j, k, l] = EDGES[e];
    const from = (corner: number): Vector => edgeOf(positions, tets[t + i], tets[t + corner]);
    const edge = from(j);
    const [m, n] = [cross(edge, from(k)), cross(edge, from(l))];
    const across = cross(m, n);
    angles[e] = DEGREES * Math.atan2(Math.hypot(across[0], across[1], across[2]), dot(m, n));
  }
}

/** The least and greatest angle between two faces of any element, degrees. */
export function anglesOfAll({ positions, tets }: TetMesh): { leastAngle: number; greatestAngle: number } {
  let [leastAngle, greatestAngle] = [Infinity, -Infinity];
  const angles = new Float64Array(6);
  for (let t = 0; t < tets.length; t += 4) {
    anglesOf(positions, tets, t, angles);
    for (const angle of angles) {
      leastAngle = Math.min(leastAngle, angle);
      greatestAngle = Math.max(greatestAngle, angle);
    }
  }
  return { leastAngle, greatestAngle };
}

/** How far all six angles of an element are from 0 and 180 degrees; -1 when it is flat or inverted. */
export function marginOf(positions: ArrayLike<number>, tets: ArrayLike<number>, t: number): number {
  if (!(sixVolume(positions, tets, t) > 0)) return -1;
  const angles = new Float64Array(6);
  anglesOf(positions, tets, t, angles);
  return angles.reduce((margin, angle) => Math.min(margin, angle, 180 - angle), 180);
}

/** How many pieces there are that share no vertex. */
export function piecesOf({ positions, tets }: TetMesh): number {
  const vertices = new Joined(positions.length / 3);
  for (let k = 0; k < tets.length; k++) vertices.join(tets[k - (k % 4)], tets[k]);
  return vertices.parts;
}

/** The volume of all elements. */
export function volumeOf({ positions, tets }: TetMesh): number {
  let six = 0;
  for (let t = 0; t < tets.length; t += 4) six += sixVolume(positions, tets, t);
  return six / 6;
}

function sixVolume(positions: ArrayLike<number>, tets: ArrayLike<number>, t: number): number {
  const from = (corner: number): Vector => edgeOf(positions, tets[t], tets[t + corner]);
  return dot(from(1), cross(from(2), from(3)));
}

type Vector = readonly [number, number, number];

/** From one vertex to another. */
const edgeOf = (positions: ArrayLike<number>, from: number, to: number): Vector => {
  const [a, b] = [3 * from, 3 * to];
  return [
    positions[b] - positions[a],
    positions[b + 1] - positions[a + 1],
    positions[b + 2] - positions[a + 2],
  ];
};
const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
