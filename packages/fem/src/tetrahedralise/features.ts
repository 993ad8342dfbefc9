import type { ClosedMesh } from './solid.ts';

/** Faces that turn by more than this at an edge meet sharply there, rad. */
const SHARP = Math.PI / 5;

/** Where a surface is sharp. */
export interface Features {
  /** Vertices where other than two sharp edges meet, or two that turn as sharply: x, y, z each. */
  readonly corners: readonly (readonly number[])[];
  /** Sharp edges, by their ends. */
  readonly edges: readonly (readonly [readonly number[], readonly number[]])[];
}

/** Edges at which two faces of a closed mesh turn by more than 36 degrees, and the corners where those meet. */
export function findFeatures({ positions, triangles }: ClosedMesh): Features {
  const point = (v: number): number[] => [0, 1, 2].map((axis) => positions[3 * v + axis]);
  const normals = new Map<string, number[]>();
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => triangles[t + k]);
    const [u, v] = [minus(point(b), point(a)), minus(point(c), point(a))];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const edge of [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]) normals.set(edge, n);
  }
  const sharp: [number, number][] = [];
  const around = new Map<number, number[]>();
  for (const [key, normal] of normals) {
    const [from, to] = key.split(' ').map(Number);
    if (from > to || angleBetween(normal, normals.get(`${to} ${from}`)!) <= SHARP) continue;
    sharp.push([from, to]);
    around.set(from, [...(around.get(from) ?? []), to]);
    around.set(to, [...(around.get(to) ?? []), from]);
  }
  const corners = [...around].filter(([vertex, others]) => {
    if (others.length !== 2) return true;
    const [u, v] = others.map((other) => minus(point(other), point(vertex)));
    return Math.PI - angleBetween(u, v) > SHARP;
  });
  return {
    corners: corners.map(([vertex]) => point(vertex)),
    edges: sharp.map(([from, to]) => [point(from), point(to)]),
  };
}

const minus = (a: readonly number[], b: readonly number[]): number[] => a.map((x, axis) => x - b[axis]);

/** 0 where one of them has no length: a triangle without area has no side to turn to. */
function angleBetween(a: readonly number[], b: readonly number[]): number {
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  if (lengths === 0) return 0;
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  return Math.acos(Math.min(Math.max(dot / lengths, -1), 1));
}
